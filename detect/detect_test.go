package detect

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/raceseed/raceseed/detect/candidate"
	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/internal/golden"
	"github.com/raceseed/raceseed/trace"
)

// TestAnalyze reads testdata: a text trace and the findings of it, with marks,
// places and schedules. A racy trace and its ordered twin stand side by side.
func TestAnalyze(t *testing.T) {
	golden.Traces(t, func(t *testing.T, want, records string) {
		got := analyzeText(t, records)
		if diff := cmp.Diff(strings.TrimSpace(want), strings.TrimSpace(summary(got))); diff != "" {
			t.Errorf("findings (-want +got):\n%s", diff)
		}
	})
}

func analyzeText(t *testing.T, records ...string) candidate.Prediction {
	t.Helper()
	var sources []trace.Source
	for _, r := range records {
		sources = append(sources, trace.NewTextReader(strings.NewReader(r)))
	}
	p, err := Analyze(sources)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// summary writes a prediction as the expect sections have it.
func summary(p candidate.Prediction) string {
	names := map[uint32]string{}
	for _, point := range p.Points {
		names[point.Hash] = point.Name
	}
	var out strings.Builder
	for _, c := range p.Candidates {
		f := c.Finding
		fmt.Fprintf(&out, "%s %s %s", f.Rule, f.Pattern, f.Resource)
		for _, m := range f.Marks {
			fmt.Fprintf(&out, " +%s", m.Name)
		}
		out.WriteString("\n")
		for _, place := range f.Places {
			fmt.Fprintf(&out, "    %s %s:%d %s [%s]", place.Access, place.Path, place.Line, place.Function, place.Event)
			if place.Origin != nil {
				fmt.Fprintf(&out, " <- %s:%d", place.Origin.Path, place.Origin.Line)
			}
			out.WriteString("\n")
		}
		for _, s := range c.Schedules {
			var holds []string
			for _, h := range s.Holds {
				holds = append(holds, holdText(names, h))
			}
			fmt.Fprintf(&out, "    %s\n", strings.Join(holds, ", "))
		}
	}
	return out.String()
}

func holdText(names map[uint32]string, h trace.Hold) string {
	text := "hold start"
	if h.Side == trace.Completion {
		text = "hold completion"
	}
	text += fmt.Sprintf(" of %q until %c", names[h.Point], h.Horizon.Kind)
	switch h.Horizon.Kind {
	case trace.UntilTimers:
		text += fmt.Sprint(h.Horizon.N)
	case trace.UntilLateArmed:
		text += fmt.Sprintf(" %q %dms", names[h.Horizon.Point], h.Horizon.DelayMs)
	default:
		text += fmt.Sprintf(" %q", names[h.Horizon.Point])
	}
	return text
}

// TestAnalyzeIsStable: the same traces give the same prediction, byte for byte,
// and ranks, schedules and examples keep their bounds.
func TestAnalyzeIsStable(t *testing.T) {
	predict := func() candidate.Prediction {
		p, err := Analyze([]trace.Source{newWorkload(400, 10, "batch"), newWorkload(200, 5, "server")})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := predict()
	if diff := cmp.Diff(p, predict()); diff != "" {
		t.Errorf("two analyses differ:\n%s", diff)
	}
	if len(p.Candidates) == 0 || p.Actions != 600 || p.Accesses < 6000 {
		t.Errorf("got %d candidates, %d actions, %d accesses", len(p.Candidates), p.Actions, p.Accesses)
	}
	for i, c := range p.Candidates {
		if c.Finding.Rank != i+1 || c.Finding.ID == "" || c.Finding.Tests == nil || c.Finding.Marks == nil || len(c.Schedules) > maxSchedules {
			t.Errorf("candidate %d: %+v, %d schedules", i, c.Finding, len(c.Schedules))
		}
	}
}

// TestPoints: each hold point once, with the test that ran and its place.
func TestPoints(t *testing.T) {
	p := analyzeText(t, `
process pid=7 mode=1
site id=1 file="src/a.js" line=4 column=2 function="load"
site id=2 file="node_modules/p/a.js" line=1 column=1
lost hook="net" reason="no such property"
test phase=0 name="store > loads" file="a.test.js"
op op=1 api="fs.readFile" point="read #1" hash=0000000a site=1 flags=2
test phase=1 name="store > loads" file="a.test.js"
op op=2 api="setTimeout" point="timer #1" hash=0000000b site=2 flags=11
op op=3 api="fs.readFile" point="read #1" hash=0000000a site=1 flags=2
op op=4 api="fs.readFile"`)
	want := []candidate.Point{
		{Hash: 10, Name: "read #1", API: "fs.readFile", Completion: true, App: true, Test: "store > loads",
			Site: finding.Place{Path: "src/a.js", Line: 4, Column: 2, Function: "load"}},
		{Hash: 11, Name: "timer #1", API: "setTimeout", Start: true, Completion: true, Timer: true,
			Site: finding.Place{Path: "node_modules/p/a.js", Line: 1, Column: 1}},
	}
	if diff := cmp.Diff(want, p.Points); diff != "" {
		t.Errorf("points (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"process 7, thread 0: net: no such property"}, p.Lost); diff != "" {
		t.Errorf("lost (-want +got):\n%s", diff)
	}
}
