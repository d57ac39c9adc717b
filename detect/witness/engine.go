package witness

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/trace"
)

// aheadPerJob bounds how many runs may be started ahead of the one that is to
// be adopted next: enough that a slow run does not leave the other jobs idle.
const aheadPerJob = 2

// attempt is a search run that was started. Its goroutine writes obs and err
// before it sends the attempt; the rest belongs to the goroutine of Search.
type attempt struct {
	step    step
	done    bool
	seconds float64 // since the search began, when its end was seen
	obs     trace.Observation
	err     error
}

// engine runs the sequence. Only the goroutine of Search touches it.
type engine struct {
	plan     Plan
	executor Executor
	book     *book
	result   Result

	begin    time.Time
	pull     func() (step, bool) // next step of the sequence
	stop     func()
	head     *step      // pulled, not started
	pending  []*attempt // started, not adopted, in the order of the sequence
	running  int        // of these, not done
	finished chan *attempt
	adopted  int
	overrun  bool      // a judgement ended after the budget
	strategy string    // of the last adopted run
	times    []float64 // seconds of adopted runs, sorted
}

func newEngine(p Plan, x Executor, chosen []strategy) *engine {
	e := &engine{
		plan:     p,
		executor: x,
		book:     newBook(p),
		begin:    p.Now(),
		// room for all that may be pending: a run that ends never waits
		finished: make(chan *attempt, aheadPerJob*p.Jobs),
		result: Result{
			Seconds:    map[string]float64{PhaseSearch: 0, PhaseConfirm: 0},
			CPU:        map[string]float64{PhaseSearch: 0, PhaseConfirm: 0},
			KnownShown: map[string]bool{},
		},
	}
	e.pull, e.stop = iter.Pull(sequence(p, chosen))
	return e
}

// search replays the known witnesses, runs the sequence and closes the books.
func (e *engine) search(parent context.Context) (Result, error) {
	defer e.stop()
	ctx, cancel := context.WithCancel(parent)
	err := e.replayKnown(ctx)
	if err == nil {
		err = e.runSequence(ctx)
	}
	cancel()
	e.drain()
	e.result.Discarded += len(e.pending)

	e.result.Stopped, err = e.reason(parent, err)
	// the endless strategy comes last: when it is reached, the plan is done
	next, more := e.peek()
	e.result.Exhausted = err == nil && parent.Err() == nil && (!more || next.steering.Draw != nil)
	e.result.Seconds[PhaseSearch] = e.elapsed() - e.result.Seconds[PhaseConfirm]
	e.result.Findings = e.book.findings()
	return e.result, err
}

// reason says why the search ended; the error that a cancelled context caused
// is not one.
func (e *engine) reason(ctx context.Context, err error) (string, error) {
	_, more := e.peek()
	switch {
	case ctx.Err() != nil:
		return StoppedCancelled, nil
	case err != nil:
		return StoppedError, err
	case !more:
		return StoppedDone, nil
	case e.enough():
		return StoppedFindings, nil
	case e.plan.MaxRuns > 0 && e.adopted >= e.plan.MaxRuns:
		return StoppedRuns, nil
	default:
		return StoppedBudget, nil
	}
}

// runSequence adopts runs in the order of the sequence until none may start.
// What is skipped and what is adopted depends only on results adopted before,
// never on which run was the first to end.
func (e *engine) runSequence(ctx context.Context) error {
	for !e.enough() {
		if len(e.pending) > 0 && e.pending[0].done {
			first := e.pending[0]
			e.pending = e.pending[1:]
			if err := e.adopt(ctx, first); err != nil {
				return err
			}
			continue
		}
		e.launch(ctx)
		if len(e.pending) == 0 {
			return nil
		}
		e.receive()
	}
	return nil
}

// enough reports whether as many findings are confirmed as were wanted.
func (e *engine) enough() bool {
	return e.plan.MaxFindings > 0 && e.book.confirmedAnew() >= e.plan.MaxFindings
}

// launch starts runs while jobs, limits and the sequence allow.
func (e *engine) launch(ctx context.Context) {
	for e.running < e.plan.Jobs && len(e.pending) < aheadPerJob*e.plan.Jobs && e.mayStart(ctx) {
		s, ok := e.peek()
		if !ok {
			return
		}
		e.head = nil
		a := &attempt{step: s}
		e.pending = append(e.pending, a)
		e.running++
		go func() {
			a.obs, a.err = e.executor.Run(ctx, s.steering)
			e.finished <- a
		}()
	}
}

// mayStart reports whether the limits leave room for one more search run.
func (e *engine) mayStart(ctx context.Context) bool {
	if ctx.Err() != nil {
		return false
	}
	if e.plan.MaxRuns > 0 && e.adopted+len(e.pending) >= e.plan.MaxRuns {
		return false
	}
	return e.plan.Budget <= 0 || e.plan.Budget.Seconds()-e.elapsed() >= e.medianSeconds()
}

// peek gives the next step that is worth a run, without taking it.
func (e *engine) peek() (step, bool) {
	for {
		if e.head == nil {
			s, ok := e.pull()
			if !ok {
				return step{}, false
			}
			e.head = &s
		}
		if !e.book.skips(*e.head) {
			return *e.head, true
		}
		e.head = nil
	}
}

// receive waits for the next run to end.
func (e *engine) receive() {
	a := <-e.finished
	a.done = true
	a.seconds = e.elapsed()
	e.running--
}

// drain waits for all runs: what follows has the machine for itself.
func (e *engine) drain() {
	for e.running > 0 {
		e.receive()
	}
}

// adopt takes one run into the books.
func (e *engine) adopt(ctx context.Context, a *attempt) error {
	if e.book.skips(a.step) { // an earlier run made it needless after it was started
		e.result.Discarded++
		return nil
	}
	if a.err != nil {
		return fmt.Errorf("search run %d (%s): %w", e.adopted+1, a.step.strategy, a.err)
	}
	e.adopted++
	e.strategy = a.step.strategy
	at, _ := slices.BinarySearch(e.times, a.obs.Seconds)
	e.times = slices.Insert(e.times, at, a.obs.Seconds)
	e.count(PhaseSearch, a.step.steering, a.obs)
	switch {
	case a.obs.Infeasible != "":
		e.result.Infeasible++
	case isHit(a.obs):
		return e.pause(ctx, e.hitOf(a))
	case a.obs.Outcome == trace.Passed:
		e.book.passed(a.step.steering.Schedule, a.obs)
	}
	return nil
}

// pause judges h with nothing else running. One judgement may overrun the
// budget; with many jobs more runs may have failed by then, and they must wait
// for another search.
func (e *engine) pause(ctx context.Context, h *hit) error {
	e.drain()
	if e.overrun {
		e.book.unjudged(h)
		return nil
	}
	err := e.confirming(func() error { return e.judge(ctx, h) })
	e.overrun = e.plan.Budget > 0 && e.elapsed() > e.plan.Budget.Seconds()
	return err
}

// run makes one run of a confirmation; nothing else is running.
func (e *engine) run(ctx context.Context, s trace.Schedule) (trace.Observation, error) {
	if err := ctx.Err(); err != nil {
		return trace.Observation{}, err
	}
	steering := trace.Steering{Schedule: s}
	o, err := e.executor.Run(ctx, steering)
	if err != nil {
		return o, fmt.Errorf("confirming run: %w", err)
	}
	e.count(PhaseConfirm, steering, o)
	return o, nil
}

// confirming charges the time of f to the phase of confirmations.
func (e *engine) confirming(f func() error) error {
	from := e.elapsed()
	err := f()
	e.result.Seconds[PhaseConfirm] += e.elapsed() - from
	return err
}

func (e *engine) count(phase string, s trace.Steering, o trace.Observation) {
	e.result.Runs++
	if s.Draw != nil || len(s.Schedule.Holds) > 0 {
		e.result.Steered++
	}
	e.result.CPU[phase] += o.CPU
	if e.plan.Progress != nil {
		e.plan.Progress(Progress{
			Phase: phase, Strategy: e.strategy, Run: e.adopted, Runs: e.result.Runs,
			Confirmed: len(e.book.shown), Seconds: e.elapsed(),
		})
	}
}

func (e *engine) elapsed() float64 { return e.plan.Now().Sub(e.begin).Seconds() }

func (e *engine) medianSeconds() float64 {
	if len(e.times) == 0 {
		return e.plan.PlainSeconds
	}
	return e.times[len(e.times)/2]
}

// foundBy says where a was found.
func (e *engine) foundBy(a *attempt) *finding.FoundBy {
	return &finding.FoundBy{Strategy: a.step.strategy, Run: e.adopted, Seconds: a.seconds}
}
