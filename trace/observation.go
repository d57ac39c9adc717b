package trace

// Steering is what one run of the test command is told: an explicit schedule,
// or holds drawn from a seed, or neither (a control run).
type Steering struct {
	Schedule Schedule
	Draw     *Draw
}

// Draw lets the agent draw holds by hash of (seed, point), so that another
// interleaving does not shift later decisions.
type Draw struct {
	Seed        uint64
	Probability float64 // of each (point, side) to be held, 0 … 1
}

// Outcome of one run of the test command.
type Outcome string

const (
	Passed Outcome = "passed"
	Failed Outcome = "failed"
	Hung   Outcome = "hung" // killed at its deadline
)

// Release says how one hold of a run ended.
type Release struct {
	Hold   Hold   // as it was applied
	Name   string // of the hold point
	Reason string // reached, idle, cap, exit; "" if the hold never ended (the process was killed)
	At     uint64 // when it began: ms since the start of its process
	Ms     uint64 // how long it lasted
}

// Observation is what one steered run showed.
type Observation struct {
	Outcome    Outcome
	ExitCode   int       // of the test command, -1 if killed
	Output     string    // tail of stdout and stderr together
	Failure    string    // first lines of the failure message found in Output, "" if passed
	Releases   []Release // of all processes, by time
	Infeasible string    // not "": plain Node could not have had this run, and why
	Seconds    float64   // wall clock
	CPU        float64   // user and system seconds of all processes
}

// Followed reports whether every hold of the schedule came up.
func (o Observation) Followed(s Schedule) bool {
	for _, h := range s.Holds {
		met := false
		for _, r := range o.Releases {
			if r.Hold.Point == h.Point && r.Hold.Side == h.Side {
				met = true
				break
			}
		}
		if !met {
			return false
		}
	}
	return true
}
