package hb

import (
	"cmp"
	"slices"
)

// ByLocation calls visit once per location that was accessed, in the order of
// their first access, with its accesses in the order of the trace. The slice is
// valid during the call.
func (g *Graph) ByLocation(visit func(location uint32, accesses []Access)) {
	starts := make([]int, len(g.Locations)+1)
	for i := range g.Accesses {
		starts[g.Accesses[i].Location+1]++
	}
	for i := 1; i < len(starts); i++ {
		starts[i] += starts[i-1]
	}
	sorted := make([]Access, len(g.Accesses))
	next := slices.Clone(starts)
	for _, a := range g.Accesses {
		sorted[next[a.Location]] = a
		next[a.Location]++
	}
	byTime := func(a, b Access) int {
		return cmp.Or(cmp.Compare(a.Ordinal, b.Ordinal), cmp.Compare(a.Number, b.Number))
	}
	for n := range g.Locations {
		part := sorted[starts[n]:starts[n+1]]
		if len(part) == 0 {
			continue
		}
		if !slices.IsSortedFunc(part, byTime) {
			slices.SortFunc(part, byTime)
		}
		visit(uint32(n), part)
	}
}

// Cancelled is a timer that was cleared while it was armed.
type Cancelled struct {
	Op      uint32 // of the timer
	Node    NodeID // what cleared it
	Ordinal uint32 // of the clear
	DelayMs int
	Repeat  bool
}

// CancelledTimers returns the timers with an operation that were cleared before
// they fired, or between two firings, in the order in which they were made.
func (g *Graph) CancelledTimers() []Cancelled {
	var list []Cancelled
	for _, t := range g.timers[1:] {
		if t.cleared == 0 || t.op == 0 || t.fired != 0 && t.fired < t.cleared && !t.repeat {
			continue
		}
		list = append(list, Cancelled{
			Op: t.op, Node: g.nodeAt[t.cleared], Ordinal: t.cleared, DelayMs: int(t.delay), Repeat: t.repeat,
		})
	}
	return list
}
