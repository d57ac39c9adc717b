package witness

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/raceseed/raceseed/trace"
)

// Names of the strategies, as in finding.FoundBy.
const (
	Directed = "directed"
	Single   = "single"
	Random   = "random"
)

// step is one steered run that a strategy asks for.
type step struct {
	steering  trace.Steering
	candidate int // index in Plan.Candidates, -1 if it is meant for none
	strategy  string
}

// strategy yields its steps in an order that depends on the plan alone.
type strategy struct {
	name    string
	endless bool
	steps   func(Plan) iter.Seq[step]
}

// strategies stand in the order of their worth (docs/search.md): prediction
// first, then enumeration, then chance.
var strategies = []strategy{
	{Directed, false, directed},
	{Single, false, single},
	{Random, true, random},
}

// choose gives the named strategies in the order of the table; nil gives all.
func choose(names []string) ([]strategy, error) {
	if len(names) == 0 {
		return strategies, nil
	}
	var known []string
	var chosen []strategy
	for _, s := range strategies {
		known = append(known, s.name)
		if slices.Contains(names, s.name) {
			chosen = append(chosen, s)
		}
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("unknown strategy %q: use %s", name, strings.Join(known, ", "))
		}
	}
	return chosen, nil
}

// sequence joins the steps of the chosen strategies; a schedule that an earlier
// step has is left out.
func sequence(p Plan, chosen []strategy) iter.Seq[step] {
	return func(yield func(step) bool) {
		seen := map[string]bool{}
		for _, strategy := range chosen {
			for s := range strategy.steps(p) {
				if s.steering.Draw == nil {
					key := scheduleKey(s.steering.Schedule)
					if seen[key] {
						continue
					}
					seen[key] = true
				}
				s.strategy = strategy.name
				if !yield(s) {
					return
				}
			}
		}
	}
}
