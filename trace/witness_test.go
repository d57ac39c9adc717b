package trace

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func schedule() *rapid.Generator[Schedule] {
	return rapid.Custom(func(t *rapid.T) Schedule {
		return Schedule{Holds: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Hold {
			return Hold{
				Point:   rapid.Uint32().Draw(t, "point"),
				Side:    Side(rapid.IntRange(0, 1).Draw(t, "side")),
				Horizon: horizon().Draw(t, "horizon"),
			}
		}), 1, maxHolds).Draw(t, "holds")}
	})
}

func witnessOf(tb interface{ Fatal(...any) }, s Schedule) string {
	text, err := s.Witness()
	if err != nil {
		tb.Fatal(err)
	}
	return text
}

// Parsing gives the schedule back, holds in their order, whatever the case.
func TestWitnessRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := schedule().Draw(t, "schedule")
		text := witnessOf(t, want)
		if text != strings.ToLower(text) || strings.ContainsAny(text[3:], "oilu=") {
			t.Fatalf("%q is not in the usual form", text)
		}
		typed := strings.NewReplacer("0", "O", "1", "L").Replace(text)
		for _, variant := range []string{text, strings.ToUpper(text), typed, strings.ToLower(typed), strings.ReplaceAll(text, "1", "I")} {
			got, err := ParseWitness(variant)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s (-want +got):\n%s", variant, diff)
			}
		}
	})
}

// Fields that a kind of horizon does not have cannot make two strings.
func TestWitnessIsCanonical(t *testing.T) {
	plain := Schedule{[]Hold{{Point: 7, Horizon: Horizon{Kind: UntilDrained}}}}
	same := Schedule{[]Hold{{Point: 7, Horizon: Horizon{Kind: UntilDrained, Point: 9, N: 3, DelayMs: 5}}}}
	if a, b := witnessOf(t, plain), witnessOf(t, same); a != b {
		t.Errorf("%s and %s", a, b)
	}
}

// No string but its own means a schedule: one character changed, two changed
// or exchanged, one lost or one too many, is refused.
func TestWitnessChangesAreRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := witnessOf(t, schedule().Draw(t, "schedule"))
		changed := []byte(text)
		places := len(text) - len(witnessPrefix)
		for range rapid.IntRange(1, 2).Draw(t, "changes") {
			at := len(witnessPrefix) + rapid.IntRange(0, places-1).Draw(t, "at")
			changed[at] = digits[rapid.IntRange(0, 31).Draw(t, "digit")]
		}
		refused(t, text, string(changed))
		a, b := rapid.IntRange(3, len(text)-1).Draw(t, "a"), rapid.IntRange(3, len(text)-1).Draw(t, "b")
		swapped := []byte(text)
		swapped[a], swapped[b] = swapped[b], swapped[a]
		refused(t, text, string(swapped))
	})
}

func refused(t *rapid.T, text, changed string) {
	if s, err := ParseWitness(changed); err == nil && changed != text {
		t.Fatalf("%s is taken for %s: %+v", changed, text, s)
	}
}

// Every change of one character, exhaustively.
func TestWitnessSingleChanges(t *testing.T) {
	for _, n := range []int{1, 2, maxHolds} {
		for _, form := range horizonForms {
			hold := Hold{Point: 0xec2ad9c0, Horizon: Horizon{Kind: form.kind, Point: 0x9b9bc1bb, N: 1}}
			text := witnessOf(t, Schedule{repeated(hold, n)})
			for at := range text {
				for c := range 128 {
					changed := text[:at] + string(rune(c)) + text[at+1:]
					if usual(changed) == text {
						continue
					}
					if _, err := ParseWitness(changed); err == nil {
						t.Errorf("%q is taken for %q", changed, text)
					}
				}
			}
		}
	}
}

func repeated(h Hold, n int) []Hold {
	holds := make([]Hold, n)
	for i := range holds {
		holds[i] = h
	}
	return holds
}

func TestWitnessLengths(t *testing.T) {
	point := Horizon{Kind: UntilPoint, Point: 2}
	tests := []struct {
		holds []Hold
		want  int
	}{
		{[]Hold{{Point: 1, Horizon: Horizon{Kind: UntilTimers, N: 1}}}, 16},
		{[]Hold{{Point: 1, Horizon: point}}, 22},
		{[]Hold{{Point: 1, Horizon: point}, {Point: 2, Horizon: point}}, 35},
		{repeated(Hold{Horizon: point}, 3), 49},
	}
	for _, test := range tests {
		if got := witnessOf(t, Schedule{test.holds}); len(got) != test.want {
			t.Errorf("%s has %d characters, want %d", got, len(got), test.want)
		}
	}
}

func TestWitnessRefuses(t *testing.T) {
	fine := Hold{Horizon: Horizon{Kind: UntilDrained}}
	tests := []struct {
		name  string
		holds []Hold
		want  string
	}{
		{"none", nil, "1 to 8 holds, not 0"},
		{"nine", repeated(fine, 9), "1 to 8 holds, not 9"},
		{"side", []Hold{fine, {Side: 2, Horizon: fine.Horizon}}, "hold 2: side is 2"},
		{"no horizon", []Hold{{}}, `hold 1: unknown kind of horizon '\x00'`},
		{"no timer", []Hold{{Horizon: Horizon{Kind: UntilTimers}}}, "1 to 8 timers, not 0"},
		{"long delay", []Hold{{Horizon: Horizon{Kind: UntilLateArmed, DelayMs: 4096}}}, "0 to 4095 ms, not 4096"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := Schedule{test.holds}.Witness()
			if err == nil || got != "" || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%q, %v, want %q", got, err, test.want)
			}
		})
	}
}

// sealed makes a witness of any payload with the right checksum.
func sealed(values ...byte) string {
	text := []byte(witnessPrefix)
	for _, v := range append(values, checksum(values)...) {
		text = append(text, digits[v])
	}
	return string(text)
}

func TestParseWitnessRefuses(t *testing.T) {
	newerKind := []byte{0b00001, 0b11000, 0, 0, 0, 0, 0, 0} // code 7
	timers := []byte{2, 23, 12, 5, 11, 12, 28, 0, 0}
	tests := []struct{ name, text, want string }{
		{"empty", "", "does not begin with rs1"},
		{"no prefix", "12qc5bcw0037gn", "does not begin with rs1"},
		{"newer prefix", "rs22qc5bcw0037gn", "a newer raceseed made it"},
		{"letter u", "rs12qc5bcw00u7gn", "the character 'u' at position 13 is not allowed"},
		{"not ASCII", "rs1é2qc5bcw0037gn", "the character 'é' at position 4 is not allowed"},
		{"not UTF-8", "rs1\xff2qc5bcw0037gn", "the character '\ufffd' at position 4 is not allowed"},
		{"Kelvin sign", "rs12qc5bcw00\u212a7gn", "the character 'K' at position 13 is not allowed"},
		{"space", "rs12qc5bcw0037gn ", "the character ' ' at position 17 is not allowed"},
		{"prefix only", "rs1", "too short"},
		{"one lost", "rs12qc5bcw0037g", "too short"},
		{"one more", "rs12qc5bcw0037gn0", "too long by 1 characters"},
		{"mistyped", "rs12qc5bcw0037gm", "checksum is wrong"},
		{"newer horizon", sealed(newerKind...), "horizon code 7 is unknown: a newer raceseed made it"},
		{"newer horizon mistyped", sealed(newerKind...)[:14] + "0", "checksum is wrong"},
		{"bits behind", sealed(append(timers[:8:8], 1)...), "bits behind its last hold"},
		{"too long but sealed", sealed(append(timers, 0, 0)...), "too long by 2 characters"},
		{"too short but sealed", sealed(timers[:7]...), "too short"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, err := ParseWitness(test.text)
			if err == nil || s.Holds != nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%+v, %v, want %q", s, err, test.want)
			}
		})
	}
	if got := sealed(timers...); got != "rs12qc5bcw0037gn" {
		t.Errorf("sealed gives %s", got)
	}
}
