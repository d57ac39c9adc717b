package race

import (
	"sort"

	"github.com/raceseed/raceseed/detect/hb"
)

// Bounds of the searches below: chains of one place, and those looked at once a
// pair has all its examples. They cap the examples of hot locations.
const (
	maxLines      = 256
	maxLinesKnown = 4
)

// Index holds the touches of one location by place and by chain. Along a chain
// positions and clocks grow, so the touches of a chain that are unordered with a
// given one are an interval (facts/analysis-performance.md section 3).
type Index struct {
	Graph    *hb.Graph
	Location uint32
	Kind     hb.LocationKind
	Touches  []Touch // in the order of the trace
	Places   []Place // in the order of their first touch
	place    []int32 // of each touch
}

// Place is what the same code does to a location.
type Place struct {
	Site  uint32
	Kinds Kinds
	Task  bool // by the task of an operation
	API   string
	lines []line
	front int32            // the line used last; the others follow by next
	at    map[uint32]int32 // line of a chain
}

// line is the touches of one place on one chain, by position.
type line struct {
	chain      uint32
	touches    []int32
	next, prev int32 // by last use, -1: none
}

type placeKey struct {
	site  uint32
	kinds Kinds
	task  bool
	api   string
}

// NewIndex makes the index of a location's accesses, which are in the order of
// the trace. Touches of one node at one place count once.
func NewIndex(g *hb.Graph, location uint32, accesses []hb.Access) *Index {
	x := &Index{Graph: g, Location: location, Kind: g.Locations[location].Kind}
	x.merge(accesses)
	if !x.shared() {
		x.Touches = nil
		return x
	}
	places := map[placeKey]int32{}
	kept := x.Touches[:0]
	for _, t := range x.Touches {
		key := placeKey{site: t.Site, kinds: t.Kinds, task: t.Op != 0}
		if t.Op != 0 {
			key.api = g.Ops[t.Op].API
		}
		n, ok := places[key]
		if !ok {
			n = int32(len(x.Places))
			places[key] = n
			x.Places = append(x.Places, Place{
				Site: t.Site, Kinds: t.Kinds, Task: key.task, API: key.api, front: -1, at: map[uint32]int32{},
			})
		}
		chain, _ := g.Chain(t.Node)
		if p := &x.Places[n]; p.has(chain, t.Node, kept) {
			continue
		}
		x.place = append(x.place, n)
		kept = append(kept, t)
		x.Places[n].add(chain, int32(len(kept)-1))
	}
	x.Touches = kept
	return x
}

// merge makes touches: file accesses of one operation, or of one synchronous
// call, are one touch with several kinds.
func (x *Index) merge(accesses []hb.Access) {
	x.Touches = make([]Touch, 0, min(len(accesses), 1024))
	for _, a := range accesses {
		if n := len(x.Touches); x.Kind == hb.File && n > 0 {
			if last := &x.Touches[n-1]; last.Node == a.Node && last.Op == a.Op && last.Site == a.Site {
				last.Kinds |= Of(a.Kind)
				continue
			}
		}
		x.Touches = append(x.Touches, Touch{Access: a, Kinds: Of(a.Kind)})
	}
}

// shared reports whether more than one group touches the location and one of
// the touches changes it.
func (x *Index) shared() bool {
	several, changed := false, false
	for i := range x.Touches {
		several = several || x.Graph.GroupOf(x.Touches[i].Node) != x.Graph.GroupOf(x.Touches[0].Node)
		changed = changed || x.Touches[i].Kinds.Changes()
	}
	return several && changed
}

// PlaceOf returns the number of the place of a touch.
func (x *Index) PlaceOf(touch int32) int32 { return x.place[touch] }

func (p *Place) has(chain uint32, node hb.NodeID, touches []Touch) bool {
	n, ok := p.at[chain]
	if !ok {
		return false
	}
	l := p.lines[n].touches
	return touches[l[len(l)-1]].Node == node
}

// add puts a touch at the end of its chain's line, which becomes the front.
func (p *Place) add(chain uint32, touch int32) {
	n, ok := p.at[chain]
	if !ok {
		n = int32(len(p.lines))
		p.at[chain] = n
		p.lines = append(p.lines, line{chain: chain, next: -1, prev: -1})
	}
	l := &p.lines[n]
	l.touches = append(l.touches, touch)
	if p.front == n {
		return
	}
	if l.prev >= 0 {
		p.lines[l.prev].next = l.next
	}
	if l.next >= 0 {
		p.lines[l.next].prev = l.prev
	}
	l.prev, l.next = -1, p.front
	if p.front >= 0 {
		p.lines[p.front].prev = n
	}
	p.front = n
}

// Between calls visit with the intervals of touches of a place that are neither
// at or before e nor at or after u (0: no such bound), the chains used last
// first, until visit returns false.
func (x *Index) Between(p *Place, e, u hb.NodeID, visit func(touches []int32) bool) {
	g := x.Graph
	for n, looked := p.front, 0; n >= 0 && looked < maxLines; n, looked = p.lines[n].next, looked+1 {
		l := &p.lines[n]
		from := 0
		if e != 0 {
			seen := g.Seen(e, l.chain)
			from = sort.Search(len(l.touches), func(i int) bool {
				_, position := g.Chain(x.Touches[l.touches[i]].Node)
				return position > seen
			})
		}
		to := len(l.touches)
		if u != 0 {
			to = from + sort.Search(len(l.touches)-from, func(i int) bool {
				t := x.Touches[l.touches[from+i]].Node
				return t == u || g.Ordered(u, t)
			})
		}
		if from < to && !visit(l.touches[from:to]) {
			return
		}
	}
}

// Preceded reports whether a touch that changes the location comes before node
// in every execution.
func (x *Index) Preceded(node hb.NodeID) bool {
	for i := range x.Places {
		p := &x.Places[i]
		if !p.Kinds.Changes() {
			continue
		}
		for n, looked := p.front, 0; n >= 0 && looked < maxLines; n, looked = p.lines[n].next, looked+1 {
			l := &p.lines[n]
			if first := x.Touches[l.touches[0]].Node; first != node && x.Graph.Ordered(first, node) {
				return true
			}
		}
	}
	return false
}
