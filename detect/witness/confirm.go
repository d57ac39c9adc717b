package witness

import (
	"context"
	"slices"

	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/trace"
)

// maxHolds is what a witness can carry.
const maxHolds = 8

// effort bounds what the judgement of one hit may cost.
type effort struct {
	shrinks  int // runs
	replays  int
	shown    int // replays that must show the failure
	controls int // runs without holds, all of which must pass
}

// A run that hangs costs its whole deadline, and a hang that is a matter of
// chance is rarer than a failure that is.
var (
	effortFailed = effort{shrinks: 12, replays: 5, shown: 4, controls: 2}
	effortHung   = effort{shrinks: 4, replays: 2, shown: 2, controls: 2}
)

// hit is a failure that is to be judged.
type hit struct {
	planned  trace.Schedule // as it was run; empty for a draw
	schedule trace.Schedule // explicit; shrinking makes it smaller
	last     trace.Observation
	outcome  trace.Outcome
	failure  string // key
	owner    int    // candidate that the run was meant for, -1 if for none
	drawn    bool   // the explicit schedule itself has not been run yet
	found    *finding.FoundBy
}

func (h *hit) effort() effort {
	if h.outcome == trace.Hung {
		return effortHung
	}
	return effortFailed
}

// hitOf reads the explicit schedule from the run: the holds that came up, for a
// draw those that lasted until their horizon if there are any.
func (e *engine) hitOf(a *attempt) *hit {
	h := &hit{
		planned: a.step.steering.Schedule, last: a.obs, outcome: a.obs.Outcome, failure: failureKey(a.obs),
		owner: e.book.owner(a.step), drawn: a.step.steering.Draw != nil, found: e.foundBy(a),
	}
	if h.drawn {
		if h.schedule = drawnSchedule(a.obs, reached); len(h.schedule.Holds) == 0 {
			h.schedule = drawnSchedule(a.obs, func(trace.Release) bool { return true })
		}
		return h
	}
	ends := endsOf(h.planned, a.obs)
	for _, hold := range h.planned.Holds {
		if _, met := ends[pairOf(hold)]; met {
			h.schedule.Holds = append(h.schedule.Holds, hold)
		}
	}
	return h
}

// drawnSchedule gives the holds of a random run that are wanted, each pair once,
// the first ones that a witness can carry.
func drawnSchedule(o trace.Observation, wanted func(trace.Release) bool) trace.Schedule {
	var s trace.Schedule
	seen := map[pair]bool{}
	for _, r := range o.Releases {
		if wanted(r) && !seen[pairOf(r.Hold)] && len(s.Holds) < maxHolds {
			seen[pairOf(r.Hold)] = true
			s.Holds = append(s.Holds, r.Hold)
		}
	}
	return s
}

// judge shrinks, replays and controls h and writes the verdict into the book.
// What is known already costs no run, or none after shrinking.
func (e *engine) judge(ctx context.Context, h *hit) error {
	if len(h.schedule.Holds) == 0 || e.book.knows(h) {
		return nil
	}
	failed, err := e.shrink(ctx, h)
	if err != nil {
		return err
	}
	if !failed {
		e.book.unstable(h, finding.Replay{Of: 1})
		return nil
	}
	if e.book.knows(h) {
		return nil
	}
	replay, err := e.replay(ctx, h)
	if err != nil {
		return err
	}
	if replay.Shown < h.effort().shown {
		e.book.unstable(h, replay)
		return nil
	}
	control, failures, err := e.control(ctx, h.effort().controls)
	if err != nil {
		return err
	}
	if failures.Shown > 0 {
		e.book.flaky(h, control, failures)
		return nil
	}
	if pauses, err := e.pauses(ctx, h); err != nil || pauses {
		if pauses {
			e.book.timing(h, replay)
		}
		return err
	}
	if e.result.First == nil {
		e.result.First = h.found
	}
	return e.book.confirm(h, replay)
}

// shrink makes the schedule of h smaller; false if a drawn one does not fail
// when it is played explicitly.
func (e *engine) shrink(ctx context.Context, h *hit) (bool, error) {
	fails := func(holds []trace.Hold) (bool, error) {
		s := trace.Schedule{Holds: holds}
		o, err := e.run(ctx, s)
		if err != nil || !shows(s, o, h.failure) {
			return false, err
		}
		h.last = o
		return true, nil
	}
	if h.drawn {
		if failed, err := fails(h.schedule.Holds); !failed || err != nil {
			return false, err
		}
	}
	holds, err := shrink(h.schedule.Holds, h.effort().shrinks, fails)
	h.schedule = trace.Schedule{Holds: holds}
	return err == nil, err
}

// replay plays the schedule of h again and stops as soon as it cannot be
// confirmed any more.
func (e *engine) replay(ctx context.Context, h *hit) (finding.Replay, error) {
	var replay finding.Replay
	effort := h.effort()
	for replay.Of < effort.replays && replay.Shown+effort.replays-replay.Of >= effort.shown {
		o, err := e.run(ctx, h.schedule)
		if err != nil {
			return replay, err
		}
		replay.Of++
		if shows(h.schedule, o, h.failure) && endsAlike(h.schedule, o, h.last) {
			replay.Shown++
		}
	}
	return replay, nil
}

// control makes runs without holds up to the first that does not pass; it
// gives the last one and how many failed of how many.
func (e *engine) control(ctx context.Context, times int) (last trace.Observation, failed finding.Replay, err error) {
	for failed.Of < times && failed.Shown == 0 {
		if last, err = e.run(ctx, trace.Schedule{}); err != nil {
			return last, failed, err
		}
		failed.Of++
		if last.Outcome != trace.Passed {
			failed.Shown++
		}
	}
	return last, failed, nil
}

// pauses reports whether the failure of h needs no other order: it also shows
// when the process, its timers included, stands still for as long as the holds
// lasted. A held timer is such a pause already.
func (e *engine) pauses(ctx context.Context, h *hit) (bool, error) {
	if h.outcome == trace.Hung {
		return false, nil
	}
	var s trace.Schedule
	for _, hold := range h.schedule.Holds {
		ms := lasted(hold, h.last)
		if ms == 0 || e.book.points[hold.Point].Timer {
			return false, nil
		}
		hold.Horizon = trace.Horizon{Kind: trace.Paused, DelayMs: ms}
		s.Holds = append(s.Holds, hold)
	}
	for range 2 {
		o, err := e.run(ctx, s)
		if err != nil || !shows(s, o, h.failure) {
			return false, err
		}
	}
	return true, nil
}

// longestPause is the longest time in ms that a pause can name.
const longestPause = 4095

// lasted is how long a hold lasted in o, in ms.
func lasted(hold trace.Hold, o trace.Observation) int {
	longest := uint64(0)
	for _, r := range o.Releases {
		if pairOf(r.Hold) == pairOf(hold) {
			longest = max(longest, r.Ms)
		}
	}
	return int(min(longest, longestPause))
}

// shows reports whether o followed s, feasibly, into that failure.
func shows(s trace.Schedule, o trace.Observation, failure string) bool {
	return o.Outcome != trace.Passed && o.Infeasible == "" && o.Followed(s) && failureKey(o) == failure
}

// endsAlike reports whether every hold that lasted until its horizon in the
// reference did so in o: one that ends otherwise is a diverged replay, even if
// it came up.
func endsAlike(s trace.Schedule, o, reference trace.Observation) bool {
	ends := endsOf(s, o)
	for p, reached := range endsOf(s, reference) {
		if reached && !ends[p] {
			return false
		}
	}
	return true
}

// replayKnown plays every known witness once, and once more if it does not
// show, as long as the limits allow a run.
func (e *engine) replayKnown(ctx context.Context) error {
	return e.confirming(func() error {
		for _, k := range e.plan.Known {
			if e.plan.Budget > 0 && e.plan.Budget.Seconds()-e.elapsed() < e.medianSeconds() {
				return nil
			}
			if err := e.replayOne(ctx, k); err != nil {
				return err
			}
		}
		return nil
	})
}

func (e *engine) replayOne(ctx context.Context, k KnownWitness) error {
	followed := false
	for try := 1; try <= 2; try++ {
		o, err := e.run(ctx, k.Schedule)
		if err != nil {
			return err
		}
		followed = followed || o.Followed(k.Schedule)
		if shows(k.Schedule, o, failureKey(o)) {
			e.result.KnownShown[k.ID] = true
			return e.book.known(k, o, finding.Replay{Shown: 1, Of: try})
		}
	}
	e.result.KnownShown[k.ID] = e.result.KnownShown[k.ID] // replayed, at least
	if !followed && !slices.Contains(e.result.KnownStale, k.ID) {
		e.result.KnownStale = append(e.result.KnownStale, k.ID)
	}
	return nil
}
