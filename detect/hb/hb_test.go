package hb

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/raceseed/raceseed/internal/golden"
	"github.com/raceseed/raceseed/trace"
)

// TestRules reads testdata: a trace, and which of its accesses are ordered
// ("a < b") and which are not ("a | b"). Accesses are named by key or path.
func TestRules(t *testing.T) {
	golden.Traces(t, func(t *testing.T, expected, records string) {
		g := textGraph(t, records)
		for _, line := range strings.Split(strings.TrimSpace(expected), "\n") {
			expect(t, g, line)
		}
		if t.Failed() {
			t.Logf("edges: %v", g.Edges())
		}
	})
}

func textGraph(t *testing.T, text string) *Graph {
	t.Helper()
	log, err := Load(trace.NewTextReader(strings.NewReader(text)))
	if err != nil {
		t.Fatal(err)
	}
	return Build(log)
}

func expect(t *testing.T, g *Graph, line string) {
	t.Helper()
	fields := strings.Fields(line)
	if len(fields) != 3 {
		t.Fatalf("expectation %q: want \"a < b\" or \"a | b\"", line)
	}
	a, b := named(t, g, fields[0]), named(t, g, fields[2])
	forth, back := g.Before(a, b), g.Before(b, a)
	switch fields[1] {
	case "<":
		if !forth || back {
			t.Errorf("%s: got before %v, after %v", line, forth, back)
		}
	case "|":
		if forth || back {
			t.Errorf("%s: got before %v, after %v", line, forth, back)
		}
	default:
		t.Fatalf("expectation %q: no relation %q", line, fields[1])
	}
}

func named(t *testing.T, g *Graph, name string) *Access {
	t.Helper()
	for i := range g.Accesses {
		if g.Locations[g.Accesses[i].Location].Key == name {
			return &g.Accesses[i]
		}
	}
	t.Fatalf("no access %q", name)
	return nil
}

// TestRulesHaveTraces: each rule has an ordered and an unordered expectation, and
// Build counts no edge for a rule that the table does not have.
func TestRulesHaveTraces(t *testing.T) {
	known := map[string]bool{}
	for _, rule := range Rules() {
		known[rule.ID] = true
		files, err := filepath.Glob("testdata/" + strings.ToLower(rule.ID) + "-*.txtar")
		if err != nil {
			t.Fatal(err)
		}
		var expected string
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			_, rest, _ := strings.Cut(string(text), "-- expect --\n")
			expect, records, _ := strings.Cut(rest, "-- trace --\n")
			expected += expect
			for id := range textGraph(t, records).Edges() {
				known[id] = known[id] || false
			}
		}
		for _, relation := range []string{" < ", " | "} {
			if !strings.Contains(expected, relation) {
				t.Errorf("%s: no trace expects %q", rule.ID, strings.TrimSpace(relation))
			}
		}
	}
	for id, listed := range known {
		if !listed {
			t.Errorf("edges of %s, which the table does not have", id)
		}
	}
}
