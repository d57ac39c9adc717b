package detect

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/raceseed/raceseed/detect/candidate"
	"github.com/raceseed/raceseed/trace"
)

// TestAnalyze reads testdata: a text trace and the findings of it, with marks,
// places and schedules. A racy trace and its ordered twin stand side by side.
func TestAnalyze(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no traces: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			_, rest, _ := strings.Cut(string(text), "-- expect --\n")
			want, records, ok := strings.Cut(rest, "-- trace --\n")
			if !ok {
				t.Fatal("want the sections expect and trace")
			}
			got := analyzeText(t, records)
			if diff := cmp.Diff(strings.TrimSpace(want), strings.TrimSpace(summary(got))); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
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
