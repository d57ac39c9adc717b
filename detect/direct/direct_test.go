package direct

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/raceseed/raceseed/detect/hb"
	"github.com/raceseed/raceseed/detect/race"
	"github.com/raceseed/raceseed/trace"
)

// touches returns the graph of a text trace and its accesses by key or path.
func touches(t *testing.T, text string) (*hb.Graph, map[string]race.Touch) {
	t.Helper()
	log, err := hb.Load(trace.NewTextReader(strings.NewReader(text)))
	if err != nil {
		t.Fatal(err)
	}
	g := hb.Build(log)
	byName := map[string]race.Touch{}
	for _, a := range g.Accesses {
		byName[g.Locations[a.Location].Key] = race.Touch{Access: a, Kinds: race.Of(a.Kind)}
	}
	return g, byName
}

// held is what a one-hold schedule keeps back.
func held(s trace.Schedule) string {
	var names []string
	for _, h := range s.Holds {
		names = append(names, string("sc"[h.Side])+string(rune('0'+h.Point))+" "+string(h.Horizon.Kind)+string(rune('0'+h.Horizon.Point)))
	}
	return strings.Join(names, ", ")
}

func TestPairHoldsTheLastHoldableBehindTheFork(t *testing.T) {
	// op 1 forks; x is behind op 2 and an immediate, which cannot be held.
	text := `
init id=2 type="FSREQCALLBACK" trigger=1 exec=1
op op=1 api="fs.stat" point="fork" hash=00000001 flags=2
before id=2
done op=1
init id=3 type="FSREQCALLBACK" trigger=2 exec=2
op op=2 api="fs.readFile" point="left" hash=00000002 flags=3
init id=4 type="FSREQCALLBACK" trigger=2 exec=2
op op=3 api="fs.readFile" point="right" hash=00000003 flags=3
after
before id=3
done op=2
init id=5 type="Immediate" trigger=3 exec=3
after
before id=5
write object=1 key="x"
after
before id=4
done op=3
write object=1 key="y"
after`
	g, by := touches(t, text)
	var got []string
	for _, s := range Schedules(g, race.Example{by["x"], by["y"]}, "") {
		got = append(got, held(s))
	}
	if diff := cmp.Diff([]string{"c2 o3", "c2 t0", "c2 O3"}, got); diff != "" {
		t.Errorf("schedules (-want +got):\n%s", diff)
	}
	for name, change := range map[string][2]string{
		"nothing can be held": {"hash=00000002 flags=3", "hash=00000002"},
		"x is not behind the fork": {`type="Immediate" trigger=3 exec=3`, `type="Immediate" trigger=3 exec=3
write object=1 key="late"`},
	} {
		g, by := touches(t, strings.Replace(text, change[0], change[1], 1))
		pair := race.Example{by["x"], by["y"]}
		if late, ok := by["late"]; ok {
			pair = race.Example{late, by["x"]}
		}
		if got := Schedules(g, pair, ""); len(got) != 0 {
			t.Errorf("%s: got %v, want none", name, got)
		}
	}
}

func TestArrivalIsHeldItself(t *testing.T) {
	// Data comes in two sockets; the first one's writer is known, but the arrival is nearer.
	text := `
init id=2 type="TCPWRAP" trigger=1 exec=1
init id=3 type="TCPWRAP" trigger=1 exec=1
before id=2
op op=1 api="socket data" point="first" hash=00000001 flags=18
done op=1
write object=1 key="x"
after
before id=3
op op=2 api="socket data" point="second" hash=00000002 flags=18
done op=2
write object=1 key="y"
after`
	g, by := touches(t, text)
	got := Schedules(g, race.Example{by["x"], by["y"]}, "")
	if len(got) == 0 || held(got[0]) != "c1 o2" {
		t.Errorf("got %v, want the first arrival held until the second", got)
	}
}

// TestTriples: read and write back a file with another write of it seen before,
// between or after.
func TestTriples(t *testing.T) {
	read := `init id=2 type="FSREQCALLBACK" trigger=1 exec=1
op op=1 api="fs.readFile" point="e" hash=00000001 flags=3
file op=1 access=3 path="e"
`
	write := `before id=2
done op=1
init id=3 type="FSREQCALLBACK" trigger=2 exec=2
op op=O api="fs.writeFile" point="u" hash=00000003 flags=3
file op=O access=4 path="u"
after
before id=3
done op=O
after
`
	other := `before id=9
op op=O api="fs.writeFile" point="t" hash=00000002 flags=3
file op=O access=4 path="t"
after
`
	number := func(s, n string) string { return strings.ReplaceAll(s, "op=O", "op="+n) }
	start := "init id=9 type=\"FSREQCALLBACK\" trigger=1 exec=1\n"
	for _, c := range []struct {
		name, text, pattern string
		want                []string
	}{
		{"t last", start + read + number(write, "2") + number(other, "3"), "RWW", []string{"s3 o2", "c1 o2"}},
		{"t last, check-act", start + read + number(write, "2") + number(other, "3"), "check-act", []string{"c1 o2", "s3 o2"}},
		{"t first", start + number(other, "1") + strings.ReplaceAll(read, "op=1", "op=2") + number(strings.ReplaceAll(write, "op=1", "op=2"), "3"), "RWW",
			[]string{"s2 O1, s3 o2", "s2 O1", "s3 o2", "c1 o2"}},
	} {
		g, by := touches(t, c.text)
		var got []string
		for _, s := range Schedules(g, race.Example{by["e"], by["t"], by["u"]}, c.pattern) {
			got = append(got, held(s))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
