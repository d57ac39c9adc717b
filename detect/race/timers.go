package race

import (
	"fmt"

	"github.com/raceseed/raceseed/detect/hb"
	"github.com/raceseed/raceseed/finding"
)

// Patterns of timers that were cleared.
const (
	ClearFire = "clear-fire" // a one-shot timer: it could have fired first
	ClearNext = "clear-next" // an interval: its next firing could have come first
)

// maxGuardMs is the longest delay of a timer whose clearing counts: a guard
// against a hang does not fire in any order that a schedule can bring about.
const maxGuardMs = 1000

// Timers returns a candidate for every place that set a timer which another
// turn cleared in time. No access shows such a race, because the firing never
// ran: the example is the clearing and the operation of the timer. It adds a
// location for each to the graph's log.
func Timers(g *hb.Graph) []Candidate {
	var found []Candidate
	at := map[string]int{}
	for _, c := range g.CancelledTimers() {
		op := &g.Ops[c.Op]
		site := g.Sites[op.Site]
		if c.DelayMs > maxGuardMs || op.Hash == 0 || op.Site == 0 || g.OpOf(c.Node) == c.Op {
			continue
		}
		key := fmt.Sprintf("%s at %s:%d", op.API, site.File, site.Line)
		n, ok := at[key]
		if !ok {
			n = len(found)
			at[key] = n
			g.Locations = append(g.Locations, hb.Location{Kind: hb.Timer, Key: key})
			candidate := Candidate{Rule: finding.RuleEventRace, Pattern: ClearFire, Location: uint32(len(g.Locations) - 1)}
			if c.Repeat {
				candidate.Pattern = ClearNext
			}
			found = append(found, candidate)
		}
		f := &found[n]
		if f.Count++; len(f.Examples) == MaxExamples {
			continue
		}
		clear := hb.Access{Ordinal: c.Ordinal, Node: c.Node, Location: f.Location, Site: g.Ops[g.OpOf(c.Node)].Site, Kind: hb.Write}
		fire := hb.Access{Ordinal: c.Ordinal, Number: 1, Node: op.Node, Location: f.Location, Site: op.Site, Op: c.Op, Kind: hb.Read}
		f.Examples = append(f.Examples, Example{{clear, Of(hb.Write)}, {fire, Of(hb.Read)}})
	}
	return found
}
