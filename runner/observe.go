package runner

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/raceseed/raceseed/trace"
)

// observe reads what the agents of a steered run did from its trace files.
func observe(run Run) (trace.Observation, error) {
	seen := trace.Observation{
		Outcome:  run.Outcome,
		ExitCode: run.ExitCode,
		Output:   run.Output,
		Failure:  run.Failure,
		Seconds:  run.Seconds,
		CPU:      run.CPU,
	}
	for _, file := range run.Traces {
		if err := observeFile(file, &seen); err != nil {
			return trace.Observation{}, err
		}
	}
	slices.SortStableFunc(seen.Releases, func(a, b trace.Release) int { return cmp.Compare(a.Ms, b.Ms) })
	return seen, nil
}

func observeFile(file trace.File, seen *trace.Observation) error {
	source, err := file.Open()
	if errors.Is(err, trace.ErrTruncated) {
		return nil // the process was killed before it wrote anything
	}
	if err != nil {
		return err
	}
	defer source.Close()
	releases, infeasible, err := trace.ReadReleases(source)
	if err != nil {
		return fmt.Errorf("read trace %s: %w", file.Path, err)
	}
	seen.Releases = append(seen.Releases, releases...)
	if seen.Infeasible == "" {
		seen.Infeasible = infeasible
	}
	return nil
}
