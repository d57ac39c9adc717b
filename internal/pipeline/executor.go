package pipeline

import (
	"context"
	"time"

	"github.com/raceseed/raceseed/runner"
	"github.com/raceseed/raceseed/trace"
)

// The deadline of a steered run: holds make a run slower, and a run that was
// delayed must not be taken for one that hangs.
const (
	leastDeadline   = 20 * time.Second
	plainFactor     = 5
	deadlinePerHold = 8 * time.Second // twice the wall cap of a hold
	maxHolds        = 8               // of a schedule; a draw may hold as many
)

// executor runs schedules for the witness search.
type executor struct {
	runner  *runner.Runner
	plain   float64       // seconds of a run without the agent
	timeout time.Duration // the user's limit of one run
}

// Run makes one steered run.
func (x executor) Run(ctx context.Context, s trace.Steering) (trace.Observation, error) {
	return x.runner.Steer(ctx, s, x.deadline(s))
}

func (x executor) deadline(s trace.Steering) time.Duration {
	holds := len(s.Schedule.Holds)
	if s.Draw != nil {
		holds = maxHolds
	}
	plain := time.Duration(x.plain * float64(time.Second))
	return min(max(leastDeadline, plainFactor*plain+time.Duration(holds)*deadlinePerHold), x.timeout)
}
