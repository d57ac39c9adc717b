package classify

import (
	"fmt"
	"strings"
	"testing"

	"github.com/raceseed/raceseed/detect/atomicity"
	"github.com/raceseed/raceseed/detect/hb"
	"github.com/raceseed/raceseed/detect/race"
	"github.com/raceseed/raceseed/trace"
)

// program writes a run of unordered callbacks; each string is the accesses of one:
// "w1:5" writes digest 5 at site 1, "r2" reads at site 2.
func program(sites []int, callbacks ...string) string {
	var text strings.Builder
	for i, flags := range sites {
		fmt.Fprintf(&text, "site id=%d file=\"src/a.js\" line=%d flags=%d\n", i+1, i+1, flags)
	}
	text.WriteString("object id=1 kind=\"object\" label=\"Store\"\n")
	for i := range callbacks {
		fmt.Fprintf(&text, "init id=%d type=\"FSREQCALLBACK\" trigger=1 exec=1\n", i+2)
	}
	for i, accesses := range callbacks {
		fmt.Fprintf(&text, "before id=%d\n", i+2)
		for _, a := range strings.Fields(accesses) {
			site, digest, _ := strings.Cut(a[1:], ":")
			if a[0] == 'r' {
				fmt.Fprintf(&text, "read object=1 key=\"v\" site=%s\n", site)
			} else {
				fmt.Fprintf(&text, "write object=1 key=\"v\" site=%s digest=%s\n", site, digest)
			}
		}
		text.WriteString("after\n")
	}
	return text.String()
}

// polling is program with immediates, the write in a thread-pool completion.
func polling(callbacks ...string) string {
	text := program([]int{0, 0}, callbacks...)
	for i, c := range callbacks {
		if c[0] == 'r' {
			text = strings.Replace(text, fmt.Sprintf("id=%d type=\"FSREQCALLBACK\"", i+2), fmt.Sprintf("id=%d type=\"Immediate\"", i+2), 1)
		}
	}
	return text
}

// judged returns the candidates of a text trace.
func judged(t *testing.T, text string) []race.Candidate {
	t.Helper()
	log, err := hb.Load(trace.NewTextReader(strings.NewReader(text)))
	if err != nil {
		t.Fatal(err)
	}
	g := hb.Build(log)
	var all []race.Candidate
	g.ByLocation(func(location uint32, accesses []hb.Access) {
		x := race.NewIndex(g, location, accesses)
		facts := Collect(g, accesses)
		for _, c := range append(race.Find(x), atomicity.Find(x)...) {
			Apply(&c, x, &facts)
			all = append(all, c)
		}
	})
	return all
}

func hasMark(c race.Candidate, name string) bool {
	for _, m := range c.Marks {
		if m.Name == name {
			return m.Why != ""
		}
	}
	return false
}

// TestMarks: a run that has the mark, and its twin that differs in the one thing
// that the condition asks.
func TestMarks(t *testing.T) {
	const asked, update = trace.SiteCondition, trace.SiteArithmetic | trace.SiteUpdateRead
	file := func(first, second string) string {
		return `site id=1 file="src/a.js" line=1
site id=2 file="src/a.js" line=2
init id=2 type="FSREQCALLBACK" trigger=1 exec=1
init id=3 type="FSREQCALLBACK" trigger=1 exec=1
` + first + second
	}
	task := func(op int, api string, access int) string {
		return fmt.Sprintf("op op=%d api=%q point=\"p%d\" site=%d\nfile op=%d access=%d path=\"f\" site=%d\n", op, api, op, op, op, access, op)
	}
	many := strings.Repeat("init id=9 type=\"FSREQCALLBACK\" trigger=1 exec=1\nbefore id=9\nafter\n", 40)
	early := "before id=2\nfile access=2 path=\"f\" site=1\nafter\n"
	for _, c := range []struct{ mark, with, without string }{
		{"counter",
			program([]int{update, trace.SiteArithmetic}, "r1 w2:1", "r1 w2:2"),
			program([]int{update | trace.SiteSplit, trace.SiteArithmetic | trace.SiteSplit}, "r1 w2:1", "r1 w2:2")},
		{"same-value", program([]int{0, 0}, "w1:5", "w1:5", "r2"), program([]int{0, 0}, "w1:5", "w1:6", "r2")},
		{"no-change", program([]int{0, 0}, "w1:5", "w1:5", "r2"), program([]int{0, 0}, "w1:5", "w1:6", "r2")},
		{"atomic-rmw", program([]int{0, 0}, "r1 w2:1", "r1 w2:2"), program([]int{0, 0}, "r1 w2:1", "r1 w2:2", "r1")},
		{"never-read", program([]int{0}, "w1:5", "w1:6"), program([]int{0, 0}, "w1:5", "w1:6", "r2")},
		{"flag", program([]int{asked, 0}, "r1", "w2:1", "r1"), program([]int{0, 0}, "r1", "w2:1", "r1")},
		{"ad-hoc-sync", program([]int{asked, 0}, "r1", "w2:1", "r1", "r1"), program([]int{asked, 0}, "r1", "w2:1", "r1")},
		{"guarded",
			program([]int{asked, 0, trace.SiteNullWrite}, "w3:1", "r1 r2"),
			program([]int{asked, 0, trace.SiteNullWrite}, "w3:1", "r2 r1")},
		{"append",
			file(task(1, "fs.appendFile", 4), task(2, "fs.appendFile", 4)),
			file(task(1, "fs.appendFile", 4), task(2, "fs.writeFile", 4))},
		{"exclusive",
			file(task(1, "fs.link", 1), task(2, "fs.promises.link", 1)),
			file(task(1, "fs.link", 1), task(2, "fs.promises.mkdir", 1))},
		{"polled", polling("r1", "r1", "w2:1", "r1"), polling("w2:1", "r1", "r1", "r1")},
		{"teardown", many + file(task(1, "fs.writeFile", 4), early), file(task(1, "fs.writeFile", 4), early) + many},
	} {
		for _, side := range []struct {
			text string
			want bool
		}{{c.with, true}, {c.without, false}} {
			candidates := judged(t, side.text)
			if len(candidates) == 0 {
				t.Errorf("%s: no candidate", c.mark)
			}
			got := false
			for _, candidate := range candidates {
				got = got || hasMark(candidate, c.mark)
			}
			if got != side.want {
				t.Errorf("%s: got %v, want %v in\n%s", c.mark, got, side.want, side.text)
			}
		}
	}
}

// TestScore: what the score must tell apart.
func TestScore(t *testing.T) {
	best := func(text string) float64 {
		score := -100.0
		for _, c := range judged(t, text) {
			score = max(score, c.Score)
		}
		return score
	}
	plain := program([]int{0, 0}, "w1:5", "r2")
	for _, c := range []struct{ name, higher, lower string }{
		{"a marked race ranks lower", plain, program([]int{0}, "w1:5", "w1:5")},
		{"the application ranks higher", plain, strings.ReplaceAll(plain, "src/a.js", "node_modules/p/a.js")},
		{"Node itself ranks lowest", strings.ReplaceAll(plain, "src/a.js", "node_modules/p/a.js"), strings.ReplaceAll(plain, "src/a.js", "node:fs")},
		{"null that is dereferenced ranks higher",
			program([]int{trace.SiteNullWrite, trace.SiteDereference}, "w1:5", "r2"), program([]int{trace.SiteNullWrite, 0}, "w1:5", "r2")},
		{"many occurrences rank lower", plain, program([]int{0, 0}, strings.Split(strings.Repeat("w1:5,w1:6,r2,", 8)+"r2", ",")...)},
	} {
		if h, l := best(c.higher), best(c.lower); h <= l {
			t.Errorf("%s: got %.2f and %.2f", c.name, h, l)
		}
	}
}
