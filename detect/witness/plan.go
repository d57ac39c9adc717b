package witness

import (
	"context"
	"errors"
	"time"

	"github.com/raceseed/raceseed/detect/candidate"
	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/trace"
)

// Executor runs the test command once as s says. Search calls it from up to
// Jobs goroutines at once and waits for every call before it returns. An error
// means that the run could not be made, and ends the search.
type Executor interface {
	Run(ctx context.Context, s trace.Steering) (trace.Observation, error)
}

// KnownWitness is a witness of the baseline.
type KnownWitness struct {
	ID       string // of the finding
	Rule     string // of the finding; "" gives schedule-failure or schedule-hang
	Schedule trace.Schedule
}

// Plan says what to search, in which order and how long.
type Plan struct {
	Candidates   []candidate.Candidate // by rank
	Points       []candidate.Point
	Known        []KnownWitness
	Budget       time.Duration // for everything; 0: no limit
	MaxRuns      int           // search runs, those of confirmations not counted; 0: no limit
	MaxFindings  int           // confirmed findings, known ones not counted; 0: no limit
	Jobs         int           // runs at once; less than 1 is 1
	Seed         uint64
	Strategies   []string // names to use, in the fixed order directed, single, random; nil: all
	PlainSeconds float64  // of a run without steering: the estimate until search runs have been timed
	Now          func() time.Time
	Progress     func(Progress) // called from the goroutine of Search after every run; may be nil
}

// Phases of a search.
const (
	PhaseSearch  = "search"  // the sequence of the strategies
	PhaseConfirm = "confirm" // known witnesses, shrinking, replays, controls
)

// Progress is the state after one more run.
type Progress struct {
	Phase     string
	Strategy  string  // of the search run that was adopted last, "" before the first
	Run       int     // its number, from 1
	Runs      int     // of both phases
	Confirmed int     // findings
	Seconds   float64 // since the search began
}

// Why a search ended.
const (
	StoppedDone      = "done"      // nothing is left to try
	StoppedBudget    = "budget"    // no time for another run
	StoppedRuns      = "runs"      // MaxRuns reached
	StoppedFindings  = "findings"  // MaxFindings reached
	StoppedCancelled = "cancelled" // the context was cancelled
	StoppedError     = "error"     // the executor failed; Search returns its error
)

// Result is what is known at the end.
type Result struct {
	// Findings are the candidates by rank, those merged into another one left
	// out, then findings without a candidate in the order they were found.
	Findings   []finding.Finding
	Runs       int                // adopted search runs and runs of confirmations
	Steered    int                // of these, with holds or a draw
	Infeasible int                // search runs that plain Node could not have had
	Discarded  int                // runs started ahead and then not needed; the only count that depends on Jobs
	First      *finding.FoundBy   // of the first failure that was confirmed
	Seconds    map[string]float64 // wall clock by phase
	CPU        map[string]float64 // seconds of the test command's processes by phase
	Exhausted  bool               // everything that directed and single planned was tried
	Stopped    string             // one of the Stopped constants
	KnownShown map[string]bool    // by ID; a known witness that was not replayed has no entry
	KnownStale []string           // IDs of known witnesses with a hold that did not come up
}

// Search tries the plan and returns what it knows when nothing is left, a limit
// is reached or ctx is cancelled (no error: Stopped says so). Verdicts of
// candidates that were not tried stay predicted. An error of the executor
// comes with what is known so far.
func Search(ctx context.Context, p Plan, x Executor) (Result, error) {
	if p.Now == nil {
		return Result{}, errors.New("search plan has no clock")
	}
	chosen, err := choose(p.Strategies)
	if err != nil {
		return Result{}, err
	}
	if p.Budget <= 0 && p.MaxRuns <= 0 && chosen[len(chosen)-1].endless {
		return Result{}, errors.New("search has no end: give it a budget or a number of runs")
	}
	p.Jobs = max(p.Jobs, 1)
	e := newEngine(p, x, chosen)
	return e.search(ctx)
}
