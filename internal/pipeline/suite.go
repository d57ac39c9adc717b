package pipeline

import (
	"context"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/raceseed/raceseed/internal/diag"
	"github.com/raceseed/raceseed/internal/term"
	"github.com/raceseed/raceseed/runner"
	"github.com/raceseed/raceseed/trace"
)

// preflight runs the tests as they are: a suite that fails by itself proves nothing.
func preflight(ctx context.Context, r *runner.Runner, timeout time.Duration) (runner.Run, error) {
	run, err := r.Plain(ctx, timeout)
	if err != nil {
		return run, err
	}
	switch run.Outcome {
	case trace.Hung:
		return run, diag.Errorf("the tests did not end within %s without raceseed%s", timeout, quoteTail(run.Output)).
			Hint("is something left open? if the suite takes longer, give each run more time: --timeout 15m").
			Code(diag.ExitSuiteFails)
	case trace.Failed:
		return run, diag.Errorf("the tests fail without raceseed (exit code %d)%s", run.ExitCode, quoteTail(run.Output)).
			Hint("raceseed starts from tests that pass").
			Code(diag.ExitSuiteFails)
	}
	return run, nil
}

// recordPassing records one passing run into folder. Recording makes a run
// slower, so one failure is forgiven.
func recordPassing(ctx context.Context, r *runner.Runner, folder string, timeout time.Duration) (runner.Run, error) {
	var run runner.Run
	for range 2 {
		if err := removeRecording(folder); err != nil {
			return run, err
		}
		var err error
		if run, err = r.Record(ctx, folder, timeout); err != nil || run.Outcome == trace.Passed {
			return run, err
		}
	}
	what := fmt.Sprintf("failed (exit code %d)", run.ExitCode)
	if run.Outcome == trace.Hung {
		what = fmt.Sprintf("did not end within %s", timeout)
	}
	return run, diag.Errorf("the tests pass alone but %s twice while they were recorded%s", what, quoteTail(run.Output)).
		Hint("a recorded run is slower: do the tests have tight time limits?").
		Hint("are they flaky? run them a few times without raceseed").
		Code(diag.ExitSuiteFails)
}

// controlled is what control runs showed.
type controlled struct {
	jobs   int                // runs that may go side by side
	failed *trace.Observation // nil, or a run that failed with nothing beside it
	runs   []trace.Observation
}

// control runs the suite with the agent and no holds. With jobs > 1 it does so
// that many times at once: a suite that binds a fixed port or shares a file
// cannot run beside itself, and is then tried alone.
func control(ctx context.Context, x executor, jobs int) (controlled, error) {
	seen := make([]trace.Observation, jobs)
	group, together := errgroup.WithContext(ctx)
	for i := range seen {
		group.Go(func() (err error) {
			seen[i], err = x.Run(together, trace.Steering{})
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return controlled{}, err
	}
	for _, o := range seen {
		if o.Outcome == trace.Passed {
			continue
		}
		if jobs == 1 {
			return controlled{failed: &o, runs: seen}, nil
		}
		alone, err := control(ctx, x, 1)
		alone.runs = append(alone.runs, seen...)
		return alone, err
	}
	return controlled{jobs: jobs, runs: seen}, nil
}

// tailLines is how much of a failing suite's output a message repeats.
const tailLines = 20

// quoteTail gives the end of the output, indented, as an appendix to a message.
func quoteTail(output string) string {
	lines := strings.Split(strings.TrimRight(output, "\n"), "\n")
	if len(lines) == 1 && lines[0] == "" {
		return "; it printed nothing"
	}
	cut := max(0, len(lines)-tailLines)
	var b strings.Builder
	b.WriteString("; its output ended with:")
	for _, line := range lines[cut:] {
		b.WriteString("\n    " + term.Escape(strings.TrimRight(line, "\r")))
	}
	return b.String()
}
