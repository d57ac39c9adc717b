// Package pipeline is the way of the data. Check stands in this file from top
// to bottom: run, record, analyze, search, compare, report. It takes a validated
// config, gives an exit code and written reports, joins the rooms that do not
// know each other, and knows no file format itself.
package pipeline

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/raceseed/raceseed/detect/candidate"
	"github.com/raceseed/raceseed/detect/witness"
	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/internal/config"
	"github.com/raceseed/raceseed/internal/diag"
	"github.com/raceseed/raceseed/report/baseline"
	"github.com/raceseed/raceseed/runner"
)

// Files in the output folder.
const (
	recordingName = "recording"
	resultsName   = "results.json"
	sarifName     = "raceseed.sarif"
)

// Check finds races in the test command and proves them. Results go to the
// output folder, the report to standard output. The exit code is that of
// docs/exit-codes.md; with an error it is diag.ExitCode of it.
func Check(ctx context.Context, cfg config.Config, out *Output) (int, error) {
	begin := time.Now()
	if err := prepareOutput(cfg.Out); err != nil {
		return 0, err
	}
	known, err := loadBaseline(cfg)
	if err != nil {
		return 0, err
	}
	w, err := openWorkspace(ctx, cfg)
	if err != nil {
		return 0, err
	}
	defer w.close()
	c := &check{cfg: cfg, out: out, workspace: w, results: finding.Results{
		Version:  1,
		Command:  cfg.Test,
		Commit:   commit(ctx, cfg.Root),
		Node:     w.node,
		Findings: []finding.Finding{},
		Stats:    finding.Stats{Seconds: map[string]float64{}, CPU: map[string]float64{}},
	}}

	// The tests as they are: what fails by itself proves nothing.
	out.Progress("running the tests without raceseed")
	plain, err := preflight(ctx, w.runner, cfg.Timeout)
	c.ran("preflight", plain)
	if err != nil {
		return 0, err
	}

	// One recorded run.
	out.Progress("recording the tests")
	recording := filepath.Join(cfg.Out, recordingName)
	recorded, err := recordPassing(ctx, w.runner, recording, cfg.Timeout)
	c.ran("record", recorded)
	if err != nil {
		return 0, err
	}

	// What could happen in another order.
	out.Progress("analyzing the recording")
	prediction, err := c.analyze(recording)
	if err != nil {
		return 0, err
	}

	// The agent without holds must change nothing; how many runs fit side by side?
	out.Progress("running the tests with nothing held")
	x := executor{runner: w.runner, plain: plain.Seconds, timeout: cfg.Timeout}
	jobs, err := c.control(ctx, x)
	if err != nil {
		return 0, err
	}

	// Steer runs into the other orders; a failure is shrunk, replayed, controlled.
	found, searchErr := witness.Search(ctx, c.plan(prediction, known, jobs, plain.Seconds), x)
	c.searched(found)

	// What of it is new, and where people look at it.
	compared, notes := baseline.Compare(known, c.results.Findings, silent(found), begin)
	c.results.Findings = compared
	c.results.Stats.Seconds["total"] = time.Since(begin).Seconds()
	if err := c.write(known.Reasons()); err != nil {
		return 0, err
	}
	if err := out.Report(c.results, notes, cfg); err != nil {
		return 0, err
	}
	if searchErr != nil {
		return 0, fmt.Errorf("the search was stopped: %w", searchErr)
	}
	return c.exitCode(found.Stopped)
}

// check is one Check under way.
type check struct {
	cfg       config.Config
	out       *Output
	workspace *workspace
	results   finding.Results
}

// ran books one run of the test command.
func (c *check) ran(phase string, run runner.Run) {
	if run.Outcome == "" {
		return
	}
	c.results.Stats.Runs++
	c.results.Stats.Seconds[phase] += run.Seconds
	c.results.Stats.CPU[phase] += run.CPU
}

// analyze predicts races from the recording, unless the user wants none.
func (c *check) analyze(recording string) (candidate.Prediction, error) {
	begin := time.Now()
	prediction, err := analyzeFolder(recording)
	if err != nil {
		return prediction, err
	}
	stats := &c.results.Stats
	stats.Seconds["analyze"] = time.Since(begin).Seconds()
	stats.Actions, stats.Accesses = prediction.Actions, prediction.Accesses
	stats.Candidates, stats.Lost = len(prediction.Candidates), len(prediction.Lost)
	for _, lost := range prediction.Lost {
		c.out.Note("the recording is incomplete: %s", lost)
	}
	if c.cfg.NoPredict {
		prediction.Candidates = nil // the hold points stay: undirected strategies need them
	}
	return prediction, nil
}

// control proves that the agent alone breaks nothing. A suite that fails is
// reported as flaky: nothing that a steered run shows could be believed.
func (c *check) control(ctx context.Context, x executor) (jobs int, err error) {
	begin := time.Now()
	seen, err := control(ctx, x, c.cfg.Jobs)
	if err != nil {
		return 0, err
	}
	stats := &c.results.Stats
	stats.Runs += len(seen.runs)
	stats.Seconds["preflight"] += time.Since(begin).Seconds()
	for _, o := range seen.runs {
		stats.CPU["preflight"] += o.CPU
	}
	if seen.failed == nil {
		if seen.jobs < c.cfg.Jobs {
			c.out.Note("the tests fail when they run beside themselves, so runs are made one by one (--jobs 1)")
		}
		return seen.jobs, nil
	}
	failed := seen.failed
	c.results.Findings = append(c.results.Findings, flaky(failed))
	if err := c.write(nil); err != nil {
		return 0, err
	}
	return 0, diag.Errorf("the tests passed twice and failed in a run where nothing was held%s", quoteTail(failed.Output)).
		Hint("they are flaky: the reason may be a race, but no steering is needed to see it").
		Code(diag.ExitSuiteFails)
}

// plan tells the search what to try. Known witnesses are replayed first: only a
// replay can say that a finding is gone.
func (c *check) plan(p candidate.Prediction, known *baseline.Baseline, jobs int, plain float64) witness.Plan {
	return witness.Plan{
		Candidates:   p.Candidates,
		Points:       p.Points,
		Known:        knownWitnesses(known, c.out),
		Budget:       c.cfg.Budget,
		MaxRuns:      c.cfg.Runs,
		MaxFindings:  c.cfg.MaxFindings,
		Jobs:         jobs,
		Seed:         c.cfg.Seed,
		Strategies:   c.cfg.Strategies,
		PlainSeconds: plain,
		Now:          time.Now,
		Progress:     func(p witness.Progress) { c.out.Progress("%s", progressLine(p, c.cfg.Budget)) },
	}
}

// searched books the outcome of the search.
func (c *check) searched(r witness.Result) {
	for _, f := range r.Findings {
		c.results.Findings = append(c.results.Findings, named(f))
	}
	c.results.Complete = r.Stopped != witness.StoppedCancelled && r.Stopped != witness.StoppedError
	stats := &c.results.Stats
	stats.Runs += r.Runs
	stats.Steered = r.Steered
	stats.First = r.First
	for phase, seconds := range r.Seconds {
		stats.Seconds[phase] = seconds
	}
	for phase, seconds := range r.CPU {
		stats.CPU[phase] = seconds
	}
}

// errInterrupted is the cause of a context that a signal cancelled.
var errInterrupted = errors.New("interrupted")

// exitCode judges the findings; an interrupted search has shown nothing clean.
func (c *check) exitCode(stopped string) (int, error) {
	if stopped == witness.StoppedCancelled {
		return 0, diag.Errorf("%w; the report holds what was known by then", errInterrupted).Code(diag.ExitIncomplete)
	}
	for _, f := range c.results.Findings {
		if f.Baseline == finding.New && fails(f.Verdict, c.cfg.FailOn) {
			return diag.ExitFindings, nil
		}
	}
	return diag.ExitClean, nil
}

// verdicts from the strongest to the weakest.
var verdicts = []string{finding.Confirmed, finding.Feasible, finding.Predicted}

// fails reports whether a new finding of this verdict fails the check. failOn
// is the weakest verdict that does, or none.
func fails(verdict, failOn string) bool {
	for _, v := range verdicts {
		if failOn == "none" {
			return false
		}
		if v == verdict {
			return true
		}
		if v == failOn {
			return false
		}
	}
	return false
}
