package race

import (
	"cmp"
	"slices"

	"github.com/raceseed/raceseed/detect/hb"
	"github.com/raceseed/raceseed/finding"
)

type pairKey struct{ first, second int32 }

// Find returns the races of a location: one candidate per pair of places whose
// touches conflict and are unordered. Near-linear: a touch looks at each place's
// chains, and at few of them once the pair has its examples.
func Find(x *Index) []Candidate {
	f := finder{Index: x, at: map[pairKey]int{}, seen: make([]Place, len(x.Places))}
	for i := range x.Places {
		f.seen[i] = Place{front: -1, at: map[uint32]int32{}}
	}
	for i := range x.Touches {
		f.touch(int32(i))
	}
	for i := range f.found {
		closestFirst(f.found[i].Examples)
	}
	return f.found
}

type finder struct {
	*Index
	seen  []Place // the touches of each place so far
	found []Candidate
	at    map[pairKey]int // in found
}

// touch looks for earlier touches that are unordered with this one.
func (f *finder) touch(n int32) {
	t := &f.Touches[n]
	own := f.PlaceOf(n)
	for other := range f.seen {
		ka, kb, ok := Conflict(f.Kind, f.Places[other].Kinds, t.Kinds)
		if !ok || f.seen[other].front < 0 {
			continue
		}
		key := pairKey{min(int32(other), own), max(int32(other), own)}
		at, known := f.at[key]
		full := known && len(f.found[at].Examples) == MaxExamples
		lines := 0
		f.Between(&f.seen[other], t.Node, 0, func(touches []int32) bool {
			lines++
			first := f.Touches[touches[len(touches)-1]]
			if f.composite(&first, t) {
				return true
			}
			if !known {
				at, known = len(f.found), true
				f.at[key] = at
				f.found = append(f.found, Candidate{
					Rule: rule(f.Kind), Location: f.Location,
					Pattern: Name(f.Kind, ka) + "-" + Name(f.Kind, kb),
				})
			}
			c := &f.found[at]
			c.Count += len(touches)
			if len(c.Examples) < MaxExamples {
				first.Access.Kind, first.Kinds = ka, f.Places[other].Kinds
				second := *t
				second.Access.Kind = kb
				c.Examples = append(c.Examples, Example{first, second})
			}
			return !full || lines < maxLinesKnown
		})
	}
	chain, _ := f.Graph.Chain(t.Node)
	f.seen[own].add(chain, n)
}

// composite reports whether two touches belong to one call of the program: they
// are of one operation, or of one that the other is made of (fs.rm looks with
// fs.lstat first). The parts have the line of the whole, and are started in the
// same event or in one that it caused.
func (x *Index) composite(a, b *Touch) bool {
	if a.Op == 0 || b.Op == 0 {
		return false
	}
	oa, ob := &x.Graph.Ops[a.Op], &x.Graph.Ops[b.Op]
	if a.Op == b.Op || oa.API == ob.API || oa.Site == 0 || ob.Site == 0 {
		return a.Op == b.Op
	}
	if oa.Group == ob.Group {
		return oa.Site == ob.Site
	}
	sa, sb := &x.Graph.Sites[oa.Site], &x.Graph.Sites[ob.Site]
	return sa.File == sb.File && sa.Line == sb.Line && sa.Function == sb.Function &&
		(x.causes(oa.Group, ob.Group) || x.causes(ob.Group, oa.Group))
}

// maxInner bounds the walk from a part of a call up to the call.
const maxInner = 16

func (x *Index) causes(a, b uint32) bool {
	for range maxInner {
		if b <= a {
			break
		}
		_, b = x.Graph.Up(b)
	}
	return a == b
}

func rule(kind hb.LocationKind) string {
	switch kind {
	case hb.File:
		return finding.RuleFileRace
	case hb.Listener:
		return finding.RuleLateListener
	}
	return finding.RuleEventRace
}

// closestFirst sorts examples by how near their accesses are in the trace.
func closestFirst(examples []Example) {
	slices.SortStableFunc(examples, func(a, b Example) int { return cmp.Compare(a.span(), b.span()) })
}

func (e Example) span() uint32 {
	low, high := e[0].Ordinal, e[0].Ordinal
	for _, t := range e {
		low, high = min(low, t.Ordinal), max(high, t.Ordinal)
	}
	return high - low
}
