package trace

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadReleases(t *testing.T) {
	const text = `
process pid=1 mode=2
hold hash=1a80b1b3 point="a" side=1 horizon="o:0000abcd" ms=10
hold hash=ab3e7c0b point="" side=0 horizon="t2" ms=12
release hash=ab3e7c0b side=0 reason="idle" ms=3
hold hash=ab3e7c0b point="" side=0 horizon="d" ms=20
infeasible hash=1a80b1b3 reason="the held call threw at once"
infeasible hash=1a80b1b3 reason="and again"
release hash=1a80b1b3 side=1 reason="reached" ms=30
`
	a, empty := HashPoint("a"), HashPoint("")
	want := []Release{
		{Hold: Hold{Point: a, Side: Completion, Horizon: Horizon{Kind: UntilPoint, Point: 0xabcd}}, Name: "a", Reason: "reached", At: 10, Ms: 30},
		{Hold: Hold{Point: empty, Horizon: Horizon{Kind: UntilTimers, N: 2}}, Reason: "idle", At: 12, Ms: 3},
		{Hold: Hold{Point: empty, Horizon: Horizon{Kind: UntilDrained}}, At: 20}, // killed meanwhile
	}
	got, infeasible, err := ReadReleases(NewTextReader(strings.NewReader(text)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if infeasible != "the held call threw at once" {
		t.Errorf("infeasible = %q", infeasible)
	}
}

// A process that was killed at its deadline leaves a truncated trace.
func TestReadReleasesTruncated(t *testing.T) {
	file := encode(t,
		Record{Kind: KindHold, Hash: 1, Side: 1, Text: "q"},
		Record{Kind: KindRelease, Hash: 1, Side: 1, Text: "cap", Ms: 4000})
	got, _, err := ReadReleases(reader(t, file[:len(file)-1]))
	if err != nil || len(got) != 1 || got[0].Reason != "" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestReadReleasesMalformed(t *testing.T) {
	hold := Record{Kind: KindHold, Hash: 1, Text: "d"}
	tests := []struct {
		name    string
		records []Record
		want    string
	}{
		{"horizon", []Record{{Kind: KindHold, Text: "t9"}}, "horizon t waits for 1 to 8 timers"},
		{"no hold", []Record{{Kind: KindRelease, Text: "idle"}}, "is not held"},
		{"other side", []Record{hold, {Kind: KindRelease, Hash: 1, Side: 1, Text: "idle"}}, "is not held on side 1"},
		{"twice", []Record{hold, {Kind: KindRelease, Hash: 1, Text: "idle"}, {Kind: KindRelease, Hash: 1, Text: "idle"}}, "is not held"},
		{"reason", []Record{hold, {Kind: KindRelease, Hash: 1, Text: "tired"}}, `reason is "tired"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			file := encode(t, test.records...)
			records, _ := readAll(file)
			_, _, err := ReadReleases(reader(t, file))
			var malformed *MalformedError
			if !errors.As(err, &malformed) || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("err = %v, want %q", err, test.want)
			}
			if last := records[len(records)-1]; malformed.Offset != last.Offset || malformed.Kind != last.Kind {
				t.Errorf("err = %v, want offset %d", err, last.Offset)
			}
		})
	}
	if _, _, err := ReadReleases(source{io.ErrClosedPipe}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("err = %v", err)
	}
}
