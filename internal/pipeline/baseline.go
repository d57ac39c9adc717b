package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/raceseed/raceseed/detect/witness"
	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/internal/config"
	"github.com/raceseed/raceseed/internal/diag"
	"github.com/raceseed/raceseed/report/baseline"
	"github.com/raceseed/raceseed/report/json"
	"github.com/raceseed/raceseed/trace"
)

// loadBaseline gives an empty baseline if there is no file under the usual
// name: a project begins without. A file that the user names must be there.
func loadBaseline(cfg config.Config) (*baseline.Baseline, error) {
	known, err := baseline.Load(cfg.Baseline)
	if errors.Is(err, fs.ErrNotExist) && cfg.Baseline == filepath.Join(cfg.Root, baseline.File) {
		return &baseline.Baseline{}, nil
	}
	return known, err
}

// knownWitnesses are those that the search replays first. One that cannot be
// read is left to the user; it must not hide new findings.
func knownWitnesses(known *baseline.Baseline, out *Output) []witness.KnownWitness {
	var witnesses []witness.KnownWitness
	for _, e := range known.Entries {
		if e.Witness == "" {
			continue
		}
		schedule, err := trace.ParseWitness(e.Witness)
		if err != nil {
			out.Note("the witness of baseline entry %s is not replayed: %v", e.Fingerprint, err)
			continue
		}
		witnesses = append(witnesses, witness.KnownWitness{ID: e.Fingerprint, Rule: e.Rule, Schedule: schedule})
	}
	return witnesses
}

// silent says of which known findings the witness was replayed, came to all of
// its holds, and did not show the failure: these may be gone.
func silent(r witness.Result) func(fingerprint string) bool {
	return func(fingerprint string) bool {
		shown, replayed := r.KnownShown[fingerprint]
		return replayed && !shown && !slices.Contains(r.KnownStale, fingerprint)
	}
}

// lastFindings reads the results of the last check.
func lastFindings(cfg config.Config) ([]finding.Finding, error) {
	path := filepath.Join(cfg.Out, resultsName)
	file, err := os.Open(path)
	if err != nil {
		return nil, diag.Errorf("no results to take findings from: %w", err).Hint("make them: raceseed check -- npm test")
	}
	defer file.Close()
	results, err := json.Read(file)
	if err != nil {
		return nil, diag.Errorf("%s: %w", path, err).Hint("run raceseed check again to write it anew")
	}
	return results.Findings, nil
}

// BaselineCreate writes a baseline of the confirmed findings of the last check.
func BaselineCreate(_ context.Context, cfg config.Config, out *Output) (int, error) {
	if _, err := os.Stat(cfg.Baseline); err == nil {
		return 0, diag.Errorf("there is a baseline %q already", cfg.Baseline).
			Hint("add to it: raceseed baseline update --all-new")
	}
	findings, err := lastFindings(cfg)
	if err != nil {
		return 0, err
	}
	return out.saved(baseline.Create(findings), cfg)
}

// BaselineUpdate sorts the baseline and adds what the flags name.
func BaselineUpdate(_ context.Context, cfg config.Config, out *Output) (int, error) {
	known, err := baseline.Load(cfg.Baseline)
	if err != nil {
		return 0, err
	}
	var findings []finding.Finding
	if cfg.AllNew || len(cfg.Add) > 0 {
		if findings, err = lastFindings(cfg); err != nil {
			return 0, err
		}
	}
	if err := known.Update(findings, cfg.Add, cfg.AllNew); err != nil {
		return 0, err
	}
	return out.saved(known, cfg)
}

// saved writes a baseline and says so.
func (o *Output) saved(b *baseline.Baseline, cfg config.Config) (int, error) {
	if err := b.Save(cfg.Baseline); err != nil {
		return 0, diag.Errorf("%w", err).Hint("name another file: --baseline FILE").Code(diag.ExitIncomplete)
	}
	_, err := fmt.Fprintf(o.Results(), "%s: %s\n", filepath.Base(cfg.Baseline), count(len(b.Entries), "known finding"))
	return diag.ExitClean, err
}

// BaselineCheck prints the problems of the baseline, one a line, and gives
// ExitFindings if there are any.
func BaselineCheck(_ context.Context, cfg config.Config, out *Output) (int, error) {
	known, err := baseline.Load(cfg.Baseline)
	if err != nil {
		return 0, err
	}
	problems := known.Check(time.Now(), cfg.RequireReason)
	for _, problem := range problems {
		fmt.Fprintf(out.Results(), "%s: %s\n", filepath.Base(cfg.Baseline), printable(problem))
	}
	fmt.Fprintf(out.Results(), "%s, %s\n", count(len(known.Entries), "known finding"), count(len(problems), "problem"))
	if len(problems) > 0 {
		return diag.ExitFindings, nil
	}
	return diag.ExitClean, nil
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
