package pipeline

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/raceseed/raceseed/detect/witness"
	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/internal/config"
	"github.com/raceseed/raceseed/internal/diag"
	"github.com/raceseed/raceseed/trace"
)

func TestDeadline(t *testing.T) {
	holds := func(n int) trace.Steering {
		return trace.Steering{Schedule: trace.Schedule{Holds: make([]trace.Hold, n)}}
	}
	for _, c := range []struct {
		name     string
		plain    float64 // seconds
		timeout  time.Duration
		steering trace.Steering
		want     time.Duration
	}{
		{"short suite", 0.5, 5 * time.Minute, holds(0), 20 * time.Second},
		{"short suite, two holds", 0.8, 5 * time.Minute, holds(2), 20 * time.Second},
		{"short suite, three holds", 0.8, 5 * time.Minute, holds(3), 28 * time.Second},
		{"long suite", 10, 5 * time.Minute, holds(1), 58 * time.Second},
		{"draw", 1, 5 * time.Minute, trace.Steering{Draw: &trace.Draw{}}, 69 * time.Second},
		{"never above the limit", 100, 2 * time.Minute, holds(1), 2 * time.Minute},
		{"limit below the least", 1, 5 * time.Second, holds(0), 5 * time.Second},
	} {
		if got := (executor{plain: c.plain, timeout: c.timeout}).deadline(c.steering); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestExitCode(t *testing.T) {
	confirmed := finding.Finding{Verdict: finding.Confirmed, Baseline: finding.New}
	feasible := finding.Finding{Verdict: finding.Feasible, Baseline: finding.New}
	predicted := finding.Finding{Verdict: finding.Predicted, Baseline: finding.New}
	known := finding.Finding{Verdict: finding.Confirmed, Baseline: finding.Known}
	gone := finding.Finding{Baseline: finding.Gone}
	for _, c := range []struct {
		failOn   string
		findings []finding.Finding
		want     int
	}{
		{"confirmed", nil, diag.ExitClean},
		{"confirmed", []finding.Finding{feasible, predicted, known, gone}, diag.ExitClean},
		{"confirmed", []finding.Finding{known, confirmed}, diag.ExitFindings},
		{"feasible", []finding.Finding{predicted, known}, diag.ExitClean},
		{"feasible", []finding.Finding{feasible}, diag.ExitFindings},
		{"feasible", []finding.Finding{confirmed}, diag.ExitFindings},
		{"predicted", []finding.Finding{predicted}, diag.ExitFindings},
		{"predicted", []finding.Finding{known, gone}, diag.ExitClean},
		{"none", []finding.Finding{confirmed, feasible, predicted}, diag.ExitClean},
	} {
		check := &check{cfg: config.Config{FailOn: c.failOn}, results: finding.Results{Findings: c.findings}}
		got, err := check.exitCode(witness.StoppedBudget)
		if err != nil || got != c.want {
			t.Errorf("fail on %s, %v: got %d, %v, want %d", c.failOn, c.findings, got, err, c.want)
		}
	}
	check := &check{cfg: config.Config{FailOn: "confirmed"}}
	if _, err := check.exitCode(witness.StoppedCancelled); diag.ExitCode(err) != diag.ExitIncomplete {
		t.Errorf("interrupted: got %v with exit code %d, want %d", err, diag.ExitCode(err), diag.ExitIncomplete)
	}
}

func TestSilent(t *testing.T) {
	gone := silent(witness.Result{
		KnownShown: map[string]bool{"shown": true, "silent": false, "stale": false},
		KnownStale: []string{"stale"},
	})
	got := map[string]bool{}
	for _, id := range []string{"shown", "silent", "stale", "not replayed"} {
		got[id] = gone(id)
	}
	want := map[string]bool{"shown": false, "silent": true, "stale": false, "not replayed": false}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestQuoteTail(t *testing.T) {
	for _, c := range []struct{ output, want string }{
		{"", "; it printed nothing"},
		{"one\r\ntwo\n\n", "; its output ended with:\n    one\n    two"},
		{"bad \x1b[2J\n", "; its output ended with:\n    bad \\x1b[2J"},
		{strings.Repeat("line\n", 50), "; its output ended with:" + strings.Repeat("\n    line", tailLines)},
	} {
		if d := cmp.Diff(c.want, quoteTail(c.output)); d != "" {
			t.Error(d)
		}
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 problems", 1: "1 problem", 2: "2 problems"} {
		if got := count(n, "problem"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
