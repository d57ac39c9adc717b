// Package atomicity finds triples: a task accesses a location in e and again in
// u, and another task's t may fall between. It takes the touches of a location
// and their order, gives one candidate per static triple with few examples, and
// never judges whether a violation does harm. The patterns RWR, WWR, WRW and RWW
// are NodeAV's (ICSE 2019); check-act is ours: t repeats the check e before u
// acts on its answer.
package atomicity

import (
	"cmp"
	"slices"

	"github.com/raceseed/raceseed/detect/hb"
	"github.com/raceseed/raceseed/detect/race"
	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/trace"
)

// CheckAct is the pattern of a repeated check.
const CheckAct = "check-act"

// Bounds of the search.
const (
	maxSteps  = 64 // groups walked up from u in search of e
	maxIdle   = 64 // walks in a row from one place that found no new pair of places
	maxChecks = 3  // touches e per u
	maxPairs  = 4  // dynamic pairs e, u per static pair
	maxPlaces = 64 // of t
	maxFound  = 256
)

// finder works on one location.
type finder struct {
	*race.Index
	last   map[uint32]int32 // last touch of each group
	before []int32          // the touch of the same group before each touch, -1: none
	pairs  map[[2]int32]int // dynamic pairs looked at, by static pair
	at     map[key]int      // in found
	idle   []int            // by place: walks in a row that found nothing new
	found  []race.Candidate
}

// simplestFirst puts examples whose t was seen last before those that need t to
// wait; last come those whose t was seen between e and u, where it did no harm.
// Closer ones come before wider ones.
func simplestFirst(a, b race.Example) int {
	return cmp.Or(cmp.Compare(when(a), when(b)), cmp.Compare(a[2].Ordinal-a[0].Ordinal, b[2].Ordinal-b[0].Ordinal))
}

func when(x race.Example) int {
	switch e, t, u := x[0].Ordinal, x[1].Ordinal, x[2].Ordinal; {
	case t > u:
		return 0
	case t < e:
		return 1
	}
	return 2
}

type key struct {
	e, t, u int32
	pattern string
}

// Find returns the candidates of a location.
func Find(x *race.Index) []race.Candidate {
	if x.Kind == hb.Listener || len(x.Touches) < 3 {
		return nil
	}
	f := finder{
		Index: x, last: map[uint32]int32{}, before: make([]int32, len(x.Touches)), pairs: map[[2]int32]int{}, at: map[key]int{},
		idle: make([]int, len(x.Places)),
	}
	for i := range x.Touches {
		group := x.Graph.GroupOf(x.Touches[i].Node)
		f.before[i] = -1
		if n, ok := f.last[group]; ok {
			f.before[i] = n
		}
		f.last[group] = int32(i)
	}
	for u := range x.Touches {
		place := f.PlaceOf(int32(u))
		if f.idle[place] == maxIdle {
			continue
		}
		f.idle[place]++
		for _, e := range f.earlier(int32(u)) {
			if f.pair(e, int32(u)) {
				f.idle[place] = 0
			}
		}
	}
	for i := range f.found {
		slices.SortStableFunc(f.found[i].Examples, simplestFirst)
	}
	return f.found
}

// earlier returns the touches on the chain of causes that led to u, the nearest
// group or task first; one per place of it.
func (f *finder) earlier(u int32) []int32 {
	var found []int32
	g := f.Graph
	group := g.GroupOf(f.Touches[u].Node)
	for range maxSteps {
		op, parent := g.Up(group)
		if op != 0 && g.Ops[op].Task != 0 {
			if task := g.GroupOf(g.Ops[op].Task); task != group {
				found = f.collect(found, task, u)
			}
		}
		if parent >= group {
			break
		}
		group = parent
		if found = f.collect(found, group, u); len(found) >= maxChecks {
			break
		}
	}
	return found
}

// collect adds the last touch of each place in group that comes before u.
func (f *finder) collect(found []int32, group uint32, u int32) []int32 {
	e, ok := f.last[group]
	if !ok {
		return found
	}
	start := len(found)
	for ; e >= 0 && len(found) < maxChecks; e = f.before[e] {
		known := slices.ContainsFunc(found[start:], func(o int32) bool { return f.PlaceOf(o) == f.PlaceOf(e) })
		if e != u && !known && f.Graph.Ordered(f.Touches[e].Node, f.Touches[u].Node) {
			found = append(found, e)
		}
	}
	return found
}

// pair looks for touches that may fall between e and u. It reports false if it
// has looked at enough pairs of these places.
func (f *finder) pair(e, u int32) bool {
	static := [2]int32{f.PlaceOf(e), f.PlaceOf(u)}
	if f.pairs[static]++; f.pairs[static] > maxPairs {
		return false
	}
	te, tu := &f.Touches[e], &f.Touches[u]
	for place := range f.Places[:min(len(f.Places), maxPlaces)] {
		p := &f.Places[place]
		pattern := f.pattern(te, tu, p)
		if pattern == "" {
			continue
		}
		f.Between(p, te.Node, tu.Node, func(touches []int32) bool {
			for i := len(touches) - 1; i >= 0; i-- {
				tt := &f.Touches[touches[i]]
				inside := f.Graph.Ordered(te.Node, tt.Node) && f.Graph.Ordered(tt.Node, tu.Node)
				if inside || tt.Op != 0 && (tt.Op == te.Op || tt.Op == tu.Op) {
					continue // on the same chain of causes, or always between
				}
				example := race.Example{*te, *tt, *tu}
				for i := range example {
					example[i].Kind = example[i].Kinds.Main()
				}
				f.add(key{static[0], int32(place), static[1], pattern}, example, len(touches))
				return true
			}
			return true
		})
	}
	return true
}

func (f *finder) add(k key, example race.Example, count int) {
	at, ok := f.at[k]
	if !ok {
		if len(f.found) == maxFound {
			return // a location that so many places share: its group is large enough
		}
		at = len(f.found)
		f.at[k] = at
		f.found = append(f.found, race.Candidate{
			Rule: finding.RuleAtomicity, Pattern: k.pattern, Location: f.Location,
		})
	}
	c := &f.found[at]
	c.Count += count
	if len(c.Examples) < race.MaxExamples {
		c.Examples = append(c.Examples, example)
	}
}

// pattern returns the pattern that t at place p makes between e and u, "" if the
// three can be serialised.
func (f *finder) pattern(e, u *race.Touch, p *race.Place) string {
	_, _, withE := race.Conflict(f.Kind, e.Kinds, p.Kinds)
	_, _, withU := race.Conflict(f.Kind, p.Kinds, u.Kinds)
	t := p.Kinds.Changes()
	switch we, wu := e.Kinds.Changes(), u.Kinds.Changes(); {
	case !we && wu && !t && withU && f.check(e.Site, e.Kinds) && f.repeated(e, p):
		return CheckAct
	case !withE || !withU:
		return ""
	case !we && t && !wu:
		return "RWR"
	case we && t && !wu:
		return "WWR"
	case we && !t && wu:
		return "WRW"
	case !we && t && wu:
		return "RWW"
	}
	return ""
}

// check reports whether an access of these kinds at site asks a question: a read
// in a condition, or a look at a file or into it. Opening and closing one asks
// nothing.
func (f *finder) check(site uint32, kinds race.Kinds) bool {
	const asking = trace.SiteCondition | trace.SiteLogical
	if f.Kind == hb.File {
		return kinds.Has(hb.Stat) || kinds.Has(hb.Read)
	}
	return f.Graph.Sites[site].Flags&asking != 0
}

// repeated reports whether place p asks the question of e: the same check, or
// another one of the same location.
func (f *finder) repeated(e *race.Touch, p *race.Place) bool {
	return p.Site == e.Site || f.check(p.Site, p.Kinds)
}
