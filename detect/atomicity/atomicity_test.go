package atomicity

import (
	"fmt"
	"strings"
	"testing"

	"github.com/raceseed/raceseed/detect/hb"
	"github.com/raceseed/raceseed/detect/race"
	"github.com/raceseed/raceseed/trace"
)

// run is a chain of two callbacks, the second registered by the first, that
// access one variable in e and u; another callback accesses it in t.
func run(t *testing.T, e, u, other string, ordered bool) *hb.Graph {
	t.Helper()
	access := func(kind string, site int) string {
		return fmt.Sprintf("%s object=1 key=\"v\" site=%d\n", strings.TrimSuffix(kind, "?"), site)
	}
	var text strings.Builder
	for i, kind := range []string{e, u, other} {
		flags := 0
		if strings.HasSuffix(kind, "?") {
			flags = trace.SiteCondition
		}
		fmt.Fprintf(&text, "site id=%d file=\"a.js\" line=%d flags=%d\n", i+1, i+1, flags)
	}
	text.WriteString("object id=1 kind=\"scope\"\n")
	text.WriteString("init id=2 type=\"FSREQCALLBACK\" trigger=1 exec=1\n")
	if !ordered {
		text.WriteString("init id=4 type=\"FSREQCALLBACK\" trigger=1 exec=1\n")
	}
	text.WriteString("before id=2\n" + access(e, 1) + "init id=3 type=\"FSREQCALLBACK\" trigger=2 exec=2\nafter\n")
	text.WriteString("before id=3\n" + access(u, 2))
	if ordered {
		text.WriteString("init id=4 type=\"FSREQCALLBACK\" trigger=3 exec=3\n")
	}
	text.WriteString("after\nbefore id=4\n" + access(other, 3) + "after\n")
	log, err := hb.Load(trace.NewTextReader(strings.NewReader(text.String())))
	if err != nil {
		t.Fatal(err)
	}
	return hb.Build(log)
}

func patterns(g *hb.Graph) []string {
	var found []string
	g.ByLocation(func(location uint32, accesses []hb.Access) {
		for _, c := range Find(race.NewIndex(g, location, accesses)) {
			sites := c.Examples[0]
			found = append(found, fmt.Sprintf("%s %d %d %d", c.Pattern, sites[0].Site, sites[1].Site, sites[2].Site))
		}
	})
	return found
}

func TestPatterns(t *testing.T) {
	for _, c := range []struct{ e, u, t, want string }{
		{"read", "read", "write", "[RWR 1 3 2]"},
		{"write", "read", "write", "[WWR 1 3 2]"},
		{"write", "write", "read", "[WRW 1 3 2]"},
		{"read", "write", "write", "[RWW 1 3 2]"},
		{"read?", "write", "read?", "[check-act 1 3 2]"},
		{"read", "write", "read?", "[]"}, // no check: serialisable
		{"read", "read", "read", "[]"},
		{"write", "write", "write", "[]"},
	} {
		name := c.e + " " + c.u + " with " + c.t
		if got := fmt.Sprint(patterns(run(t, c.e, c.u, c.t, false))); got != c.want {
			t.Errorf("%s between: got %s, want %s", name, got, c.want)
		}
		if got := patterns(run(t, c.e, c.u, c.t, true)); len(got) != 0 {
			t.Errorf("%s, ordered after u: got %v, want none", name, got)
		}
	}
}

// A turn is not interrupted: nothing can fall between two accesses of one turn.
func TestOneTurnIsAtomic(t *testing.T) {
	text := `
object id=1 kind="scope"
site id=1 file="a.js" line=1
init id=2 type="FSREQCALLBACK" trigger=1 exec=1
init id=3 type="FSREQCALLBACK" trigger=1 exec=1
before id=2
read object=1 key="v" site=1
write object=1 key="v" site=1
after
before id=3
read object=1 key="v" site=1
write object=1 key="v" site=1
after`
	log, err := hb.Load(trace.NewTextReader(strings.NewReader(text)))
	if err != nil {
		t.Fatal(err)
	}
	if got := patterns(hb.Build(log)); len(got) != 0 {
		t.Errorf("got %v, want none", got)
	}
}
