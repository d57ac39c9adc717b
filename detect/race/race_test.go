package race

import (
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/raceseed/raceseed/detect/hb"
	"github.com/raceseed/raceseed/trace"
)

// TestConflictTable is table I of NRace (ASE 2021), line by line.
func TestConflictTable(t *testing.T) {
	order := []hb.AccessKind{hb.Create, hb.Delete, hb.Read, hb.Write, hb.Open, hb.Close, hb.Stat}
	table := []string{ // columns as the rows
		"xxxxxxx", // create
		"xxxxxxx", // delete
		"xx.x.x.", // read
		"xxxxxx.", // write
		"xx.x.x.", // open
		"xxxxxx.", // close
		"xx.....", // stat
	}
	for i, a := range order {
		for j, b := range order {
			want := table[i][j] == 'x'
			if _, _, got := Conflict(hb.File, Of(a), Of(b)); got != want {
				t.Errorf("%s against %s: got %v, want %v", Name(hb.File, a), Name(hb.File, b), got, want)
			}
			if table[i][j] != table[j][i] {
				t.Errorf("%s against %s is not symmetric", Name(hb.File, a), Name(hb.File, b))
			}
		}
	}
}

func TestConflictPicksTheTellingKinds(t *testing.T) {
	writeFile := Of(hb.Create) | Of(hb.Open) | Of(hb.Write) | Of(hb.Close)
	readFile := Of(hb.Open) | Of(hb.Read) | Of(hb.Close)
	for _, c := range []struct {
		name string
		kind hb.LocationKind
		a, b Kinds
		want string
	}{
		{"writeFile, readFile", hb.File, writeFile, readFile, "write-read"},
		{"readFile, writeFile", hb.File, readFile, writeFile, "read-write"},
		{"unlink, writeFile", hb.File, Of(hb.Delete), writeFile, "delete-write"},
		{"mkdir, stat", hb.File, Of(hb.Create), Of(hb.Stat), "create-stat"},
		{"stat, readFile", hb.File, Of(hb.Stat), readFile, ""},
		{"memory, write", hb.Memory, Of(hb.Write), Of(hb.Write), "write-write"},
		{"memory, read", hb.Memory, Of(hb.Read), Of(hb.Read), ""},
		{"emit, listen", hb.Listener, Of(hb.Read), Of(hb.Write), "emit-listen"},
		{"listen, listen", hb.Listener, Of(hb.Write), Of(hb.Write), ""},
	} {
		ka, kb, ok := Conflict(c.kind, c.a, c.b)
		got := ""
		if ok {
			got = Name(c.kind, ka) + "-" + Name(c.kind, kb)
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// TestFindIsTheQuadraticSearch compares Find with all pairs on random runs: the
// same static pairs, and each example a real one.
func TestFindIsTheQuadraticSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawRun(t)
		g.ByLocation(func(location uint32, accesses []hb.Access) {
			got := map[string]bool{}
			for _, c := range Find(NewIndex(g, location, accesses)) {
				for _, e := range c.Examples {
					if !g.Unordered(&e[0].Access, &e[1].Access) || e[0].Ordinal > e[1].Ordinal {
						t.Fatalf("example %+v is no race in the order seen", e)
					}
				}
				if c.Count < len(c.Examples) {
					t.Fatalf("%d occurrences, %d examples", c.Count, len(c.Examples))
				}
				got[pairOf(&c.Examples[0][0], &c.Examples[0][1])] = true
			}
			want := map[string]bool{}
			for i := range accesses {
				for j := range accesses[:i] {
					a, b := Touch{accesses[j], Of(accesses[j].Kind)}, Touch{accesses[i], Of(accesses[i].Kind)}
					if _, _, ok := Conflict(hb.Memory, a.Kinds, b.Kinds); ok && g.Unordered(&a.Access, &b.Access) {
						want[pairOf(&a, &b)] = true
					}
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("static pairs (-all pairs +Find):\n%s", diff)
			}
		})
	})
}

func pairOf(a, b *Touch) string {
	ends := []string{fmt.Sprint(a.Site, a.Kinds), fmt.Sprint(b.Site, b.Kinds)}
	sort.Strings(ends)
	return strings.Join(ends, " ")
}

// drawRun makes a run of callbacks, each registered by an earlier one, that read
// and write a few locations at a few sites.
func drawRun(t *rapid.T) *hb.Graph {
	var text strings.Builder
	for i := 1; i <= 3; i++ {
		fmt.Fprintf(&text, "site id=%d file=\"a.js\" line=%d\n", i, i)
	}
	text.WriteString("object id=1 kind=\"scope\"\n")
	callbacks := rapid.IntRange(1, 25).Draw(t, "callbacks")
	waiting := []int{}
	next := 2
	register := func(exec int) {
		for range rapid.IntRange(0, 2).Draw(t, "registered") {
			fmt.Fprintf(&text, "init id=%d type=%q trigger=%d exec=%d\n", next, rapid.SampledFrom([]string{"FSREQCALLBACK", "Immediate"}).Draw(t, "type"), exec, exec)
			waiting = append(waiting, next)
			next++
		}
	}
	register(1)
	for range callbacks {
		if len(waiting) == 0 {
			break
		}
		i := rapid.IntRange(0, len(waiting)-1).Draw(t, "next")
		id := waiting[i]
		waiting = append(waiting[:i], waiting[i+1:]...)
		fmt.Fprintf(&text, "before id=%d\n", id)
		for range rapid.IntRange(0, 3).Draw(t, "accesses") {
			fmt.Fprintf(&text, "%s object=1 key=\"k%d\" site=%d\n", rapid.SampledFrom([]string{"read", "write"}).Draw(t, "kind"), rapid.IntRange(0, 1).Draw(t, "key"), rapid.IntRange(1, 3).Draw(t, "site"))
		}
		register(id)
		text.WriteString("after\n")
	}
	log, err := hb.Load(trace.NewTextReader(strings.NewReader(text.String())))
	if err != nil {
		t.Fatal(err)
	}
	return hb.Build(log)
}
