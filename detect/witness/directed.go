package witness

import (
	"iter"

	"github.com/raceseed/raceseed/trace"
)

// directed yields the first schedule of every candidate by rank, then the
// second of every candidate, and so on: the likeliest pair of a new group is
// worth more than another pair of a group that did not fail.
func directed(p Plan) iter.Seq[step] {
	return func(yield func(step) bool) {
		for round, more := 0, true; more; round++ {
			more = false
			for i, c := range p.Candidates {
				if round >= len(c.Schedules) {
					continue
				}
				more = true
				if len(c.Schedules[round].Holds) == 0 {
					continue // would be a control run
				}
				if !yield(step{steering: trace.Steering{Schedule: c.Schedules[round]}, candidate: i}) {
					return
				}
			}
		}
	}
}
