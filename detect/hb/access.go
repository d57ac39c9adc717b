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
