package witness

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/raceseed/raceseed/trace"
)

// pair is what a hold keeps back, whatever its horizon.
type pair struct {
	point uint32
	side  trace.Side
}

func pairOf(h trace.Hold) pair { return pair{h.Point, h.Side} }

func comparePairs(a, b pair) int {
	return cmp.Or(cmp.Compare(a.point, b.point), cmp.Compare(a.side, b.side))
}

// pairsOf gives the pairs that s holds, sorted, each once.
func pairsOf(s trace.Schedule) []pair {
	pairs := make([]pair, len(s.Holds))
	for i, h := range s.Holds {
		pairs[i] = pairOf(h)
	}
	slices.SortFunc(pairs, comparePairs)
	return slices.Compact(pairs)
}

// pointsOf gives the points that s holds, sorted, each once.
func pointsOf(s trace.Schedule) []uint32 {
	points := make([]uint32, len(s.Holds))
	for i, h := range s.Holds {
		points[i] = h.Point
	}
	slices.Sort(points)
	return slices.Compact(points)
}

// contains reports whether all of part stand in whole.
func contains[T comparable](whole, part []T) bool {
	for _, p := range part {
		if !slices.Contains(whole, p) {
			return false
		}
	}
	return true
}

// scheduleKey is equal for schedules with the same holds in any order.
func scheduleKey(s trace.Schedule) string {
	keys := make([]string, len(s.Holds))
	for i, h := range s.Holds {
		keys[i] = fmt.Sprint(h)
	}
	slices.Sort(keys)
	return fmt.Sprint(keys)
}
