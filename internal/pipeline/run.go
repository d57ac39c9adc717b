package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/internal/config"
	"github.com/raceseed/raceseed/internal/diag"
	"github.com/raceseed/raceseed/trace"
)

// exitHung is the exit code of record and steer for a run killed at its
// deadline: that of timeout(1), since the test command gave none.
const exitHung = 124

// Record makes one recorded run into the output folder and gives the exit code
// of the test command, whose output goes to ours.
func Record(ctx context.Context, cfg config.Config, out *Output) (int, error) {
	if err := makeWritable(cfg.Out); err != nil {
		return 0, err
	}
	if err := removeRecording(cfg.Out); err != nil {
		return 0, err
	}
	w, err := openWorkspace(ctx, cfg)
	if err != nil {
		return 0, err
	}
	defer w.close()
	w.runner.Tee = out.Out
	run, err := w.runner.Record(ctx, cfg.Out, cfg.Timeout)
	if err != nil {
		return 0, err
	}
	return out.exitOf(run.Outcome, run.ExitCode, run.Failure), nil
}

// removeRecording removes an older recording with its folder; anything else in
// it is the user's and stops the command.
func removeRecording(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	recording := map[string]bool{"session.json": true}
	files, err := trace.ListFiles(dir)
	if err != nil && !errors.Is(err, trace.ErrNoTraces) {
		return err
	}
	for _, file := range files {
		recording[filepath.Base(file.Path)] = true
	}
	for _, entry := range entries {
		if !recording[entry.Name()] {
			return diag.Errorf("output folder %q holds %q, which is no part of a recording", dir, entry.Name()).
				Hint("name an empty folder")
		}
	}
	return os.RemoveAll(dir)
}

// Steer makes one run under a schedule, or under holds drawn from a seed, and
// gives the exit code of the test command, whose output goes to ours.
func Steer(ctx context.Context, cfg config.Config, out *Output) (int, error) {
	steering := trace.Steering{Draw: &trace.Draw{Seed: cfg.Seed, Probability: drawProbability}}
	if cfg.Schedule != "" {
		schedule, err := parseWitness(cfg.Schedule)
		if err != nil {
			return 0, err
		}
		steering = trace.Steering{Schedule: schedule}
	}
	w, err := openWorkspace(ctx, cfg)
	if err != nil {
		return 0, err
	}
	defer w.close()
	w.runner.Tee = out.Out
	seen, err := w.runner.Steer(ctx, steering, cfg.Timeout)
	if err != nil {
		return 0, err
	}
	for _, r := range seen.Releases {
		out.Note("%s: %s after %d ms", r.Hold.Describe(func(uint32) string { return r.Name }), endOf(r), r.Ms)
	}
	if seen.Infeasible != "" {
		out.Note("plain Node could not have had this run: %s", seen.Infeasible)
	}
	return out.exitOf(seen.Outcome, seen.ExitCode, seen.Failure), nil
}

// drawProbability of each hold without a recording: about three holds a run in
// a suite with a hundred hold points.
const drawProbability = 0.03

func (o *Output) exitOf(outcome trace.Outcome, code int, failure string) int {
	if outcome == trace.Hung {
		o.Note("%s", failure)
		return exitHung
	}
	return code
}

func endOf(r trace.Release) string {
	if r.Reason == "" {
		return "killed"
	}
	return r.Reason
}

// parseWitness reads a witness seed; a broken one is a usage error.
func parseWitness(text string) (trace.Schedule, error) {
	schedule, err := trace.ParseWitness(text)
	if err != nil {
		return schedule, diag.Errorf("%w", err).
			Hint("copy it whole from the report: it starts with rs1 and holds its own checksum")
	}
	return schedule, nil
}

// Replay runs the test command under a witness cfg.Times times and prints how
// often the failure was shown. It gives ExitFindings if it was, ExitClean if
// not; a witness none of whose holds came up proves nothing and is an error.
func Replay(ctx context.Context, cfg config.Config, out *Output) (int, error) {
	schedule, err := parseWitness(cfg.Args[0])
	if err != nil {
		return 0, err
	}
	w, err := openWorkspace(ctx, cfg)
	if err != nil {
		return 0, err
	}
	defer w.close()
	out.Progress("running the tests without raceseed")
	plain, err := preflight(ctx, w.runner, cfg.Timeout)
	if err != nil {
		return 0, err
	}
	x := executor{runner: w.runner, plain: plain.Seconds, timeout: cfg.Timeout}
	replay, followed, last := finding.Replay{}, 0, trace.Observation{}
	for replay.Of < cfg.Times {
		out.Progress("replay %d of %d", replay.Of+1, cfg.Times)
		seen, err := x.Run(ctx, trace.Steering{Schedule: schedule})
		if err != nil {
			return 0, err
		}
		replay.Of++
		if !seen.Followed(schedule) {
			continue
		}
		followed++
		if seen.Outcome != trace.Passed && seen.Infeasible == "" {
			replay.Shown++
			last = seen
		}
	}
	if followed == 0 {
		return 0, diag.Errorf("the witness does not fit this command or commit: none of %d replays came to all of its holds", replay.Of).
			Hint("was it made with another test command, at another commit, or with --include-package?").
			Hint("what it holds: raceseed explain %s", cfg.Args[0]).
			Code(diag.ExitIncomplete)
	}
	return out.replayed(replay, followed, last), nil
}

// replayed prints the outcome of Replay and gives its exit code.
func (o *Output) replayed(replay finding.Replay, followed int, last trace.Observation) int {
	results := o.Results()
	if replay.Shown > 0 {
		fmt.Fprintln(results, printable(last.Failure))
	}
	if followed < replay.Of {
		fmt.Fprintf(results, "followed %d/%d\n", followed, replay.Of)
	}
	fmt.Fprintf(results, "shown %d/%d\n", replay.Shown, replay.Of)
	if replay.Shown > 0 {
		return diag.ExitFindings
	}
	return diag.ExitClean
}
