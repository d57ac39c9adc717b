package trace

// Side says which end of an operation a hold keeps back.
type Side uint8

const (
	Start      Side = 0 // the call is made later
	Completion Side = 1 // the callback runs, or the promise settles, later
)

// Horizon kinds: the event that ends a hold (docs/schedules.md).
const (
	UntilPoint     = 'o' // another point has completed since the hold began, then drained
	UntilPointNow  = 'O' // the same, but at once
	UntilTimers    = 't' // N user timers have fired, then drained
	UntilDrained   = 'd' // nothing is under way, timers do not count
	UntilQuiet     = 'q' // drained and no user timer due within a second
	UntilLateArmed = 'B' // Point (a timer) is due in less than DelayMs
	Paused         = 'z' // nothing is held: the whole process stands still for DelayMs, its timers too
)

// Horizon is the event at which a hold ends.
type Horizon struct {
	Kind    byte   // one of the Until constants
	Point   uint32 // for o, O, B: hash of the hold point that is waited for
	N       int    // for t: 1 … 8
	DelayMs int    // for B and z: 0 … 4095
}

// Hold keeps one side of one hold point back until its horizon.
type Hold struct {
	Point   uint32 // hash of the point's name, as the agent computes it
	Side    Side
	Horizon Horizon
}

// Schedule is a list of 1 to 8 holds; the empty schedule steers nothing.
type Schedule struct {
	Holds []Hold
}
