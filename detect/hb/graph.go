// Package hb decides what is ordered in one recorded process. It takes the
// records of one trace file, gives a Graph whose Ordered answers "in every
// execution in which both happen, is a before b?" with one look-up, and never
// knows what a race is. Rules lists what it knows.
package hb

import "github.com/raceseed/raceseed/trace"

// NodeID names a node of the graph; 0 is none. Nodes are numbered in the order
// they came up, and every edge goes from a smaller to a larger number.
type NodeID uint32

// GroupKind says what a group is.
type GroupKind uint8

const (
	Turn  GroupKind = iota // a callback of the loop with its ticks and microtasks
	Float                  // a reaction that no turn owns, with what it enqueues
	Task                   // the file accesses of an asynchronous operation
)

// phase of the event loop; only poll and timers turns support rules.
type phase uint8

const (
	noPhase phase = iota
	pollPhase
	timersPhase
)

// Group is what runs without interruption by other groups' code, except that
// floats may run in the middle of a turn. Its nodes, the segments, are a chain.
type Group struct {
	Kind   GroupKind
	Type   uint16 // number in Log.Types of the head resource's type; 0: main script, task
	Op     uint32 // the operation whose completion is its head; a task: its own op
	Parent uint32 // the group that caused it where no op says so
	Host   uint32 // the turn in which a float ran; a turn: itself
	Start  uint32 // ordinal of its first record
	Head   NodeID
	Tail   NodeID

	phase phase
	cut   bool // what comes next belongs to a new segment
}

// node is one segment of a group, or a task.
type node struct {
	chain, position uint32
	clock           clock
	group           uint32
	op              uint32 // the last operation that completed in the group up to here
}

// Graph is the order of one process.
type Graph struct {
	*Log
	Groups []Group // group 0 is the main script

	nodes  []node // 0 is not used
	clocks *clocks
	nodeAt []NodeID // by ordinal: what ran after that record
	chains []NodeID // last node of each chain
	edges  map[string]int
	before [][]NodeID // predecessors of each node; kept for the oracle of the tests only
	keep   bool
}

// Nodes returns how many nodes the graph has.
func (g *Graph) Nodes() int { return len(g.nodes) - 1 }

// Chains returns into how many chains the nodes were laid.
func (g *Graph) Chains() int { return len(g.chains) }

// Edges returns how many edges each rule added that no other edge implied.
func (g *Graph) Edges() map[string]int { return g.edges }

// Ordered reports whether node a comes before node b in every execution.
func (g *Graph) Ordered(a, b NodeID) bool {
	if a == 0 || b == 0 || a >= b {
		return false
	}
	na, nb := &g.nodes[a], &g.nodes[b]
	if na.chain == nb.chain {
		return na.position < nb.position
	}
	return g.clocks.get(nb.clock, na.chain) >= na.position
}

// Before reports whether access a comes before access b in every execution.
// Accesses of one task come together: neither is before the other.
func (g *Graph) Before(a, b *Access) bool {
	if a.Node == b.Node {
		return a.Op == 0 && (a.Ordinal < b.Ordinal || a.Ordinal == b.Ordinal && a.Number < b.Number)
	}
	return g.Ordered(a.Node, b.Node)
}

// Unordered reports whether some execution may have the two accesses in the
// other order. Accesses of one group never are: its code is not interrupted.
func (g *Graph) Unordered(a, b *Access) bool {
	return g.nodes[a.Node].group != g.nodes[b.Node].group && !g.Ordered(a.Node, b.Node) && !g.Ordered(b.Node, a.Node)
}

// GroupOf returns the number of the group that node belongs to.
func (g *Graph) GroupOf(n NodeID) uint32 { return g.nodes[n].group }

// OpOf returns the operation whose completion led to node: the last one that
// completed in its group before it, else the head of the group; 0 if none did.
func (g *Graph) OpOf(n NodeID) uint32 {
	if op := g.nodes[n].op; op != 0 {
		return op
	}
	return g.Groups[g.nodes[n].group].Op
}

// Chain returns chain and position of a node: nodes of one chain are ordered
// by position.
func (g *Graph) Chain(n NodeID) (chain, position uint32) {
	return g.nodes[n].chain, g.nodes[n].position
}

// Seen returns the position up to which the nodes of chain come before n,
// n itself included on its own chain.
func (g *Graph) Seen(n NodeID, chain uint32) uint32 {
	if g.nodes[n].chain == chain {
		return g.nodes[n].position
	}
	return g.clocks.get(g.nodes[n].clock, chain)
}

// Up returns the causes of a group: the operation whose completion is its head,
// and the group that started that operation or, without one, the group that
// enqueued it. The parent of the main script is the main script.
func (g *Graph) Up(group uint32) (op, parent uint32) {
	gr := &g.Groups[group]
	if gr.Op != 0 {
		if o := &g.Ops[gr.Op]; o.Flags&trace.OpArrival == 0 && o.Group < group {
			return gr.Op, o.Group
		}
	}
	return gr.Op, gr.Parent
}

// atOrBefore reports a ⪯ b of two points.
func (g *Graph) atOrBefore(a, b point) bool {
	if a.node == b.node {
		return a.ordinal <= b.ordinal
	}
	return g.Ordered(a.node, b.node)
}

// pointAt returns the point of an ordinal.
func (g *Graph) pointAt(ordinal uint32) point {
	if ordinal == 0 || int(ordinal) >= len(g.nodeAt) {
		return point{}
	}
	return point{node: g.nodeAt[ordinal], ordinal: ordinal}
}

// point is a place in the order: a node and the record within it.
type point struct {
	node    NodeID
	ordinal uint32
}

// joiner collects the predecessors of a node that is being made.
type joiner struct {
	g     *Graph
	clock clock
	preds []NodeID
}

// covers reports whether n already comes before the new node.
func (j *joiner) covers(n NodeID) bool {
	nn := &j.g.nodes[n]
	return j.g.clocks.get(j.clock, nn.chain) >= nn.position
}

// add makes n a predecessor for the named rule and reports whether that is new.
func (j *joiner) add(rule string, n NodeID) bool {
	if n == 0 || !j.join(n) {
		return false
	}
	j.g.edges[rule]++
	return true
}

// join makes n a predecessor and reports whether that is new.
func (j *joiner) join(n NodeID) bool {
	if j.covers(n) {
		return false
	}
	nn := &j.g.nodes[n]
	j.clock = j.g.clocks.join(j.clock, nn.clock)
	j.clock = j.g.clocks.with(j.clock, nn.chain, nn.position)
	j.preds = append(j.preds, n)
	return true
}

// idleChains is how many unused chains are looked at before a new one is opened.
const idleChains = 8

// node makes the node that j describes, at the end of a chain whose last node
// comes before it: that of a predecessor, else one that lies idle.
func (b *builder) node(j *joiner, group uint32) NodeID {
	g := b.Graph
	id := NodeID(len(g.nodes))
	made := node{clock: j.clock, group: group}
	chain, found := uint32(0), false
	for _, p := range j.preds {
		if c := g.nodes[p].chain; g.chains[c] == p {
			chain, found = c, true
			break
		}
	}
	if !found {
		chain, found = b.idle(j)
	}
	if found {
		made.chain, made.position = chain, g.nodes[g.chains[chain]].position+1
		g.chains[chain] = id
	} else {
		made.chain, made.position = uint32(len(g.chains)), 1
		g.chains = append(g.chains, id)
	}
	g.nodes = append(g.nodes, made)
	b.recent.push(made.chain)
	if g.keep {
		for uint32(len(g.before)) <= uint32(id) {
			g.before = append(g.before, nil)
		}
		g.before[id] = append([]NodeID(nil), j.preds...)
	}
	return id
}

// idle returns a chain whose last node comes before the new one.
func (b *builder) idle(j *joiner) (uint32, bool) {
	for i := range min(idleChains, len(b.recent.ring)) {
		chain := b.recent.ring[(b.recent.next+i)%len(b.recent.ring)]
		if j.covers(b.chains[chain]) {
			return chain, true
		}
	}
	return 0, false
}

// chainRing remembers the chains used lately; its oldest entries are those that
// lay idle the longest.
type chainRing struct {
	ring []uint32
	next int
}

const ringSize = 1024

func (r *chainRing) push(chain uint32) {
	if len(r.ring) < ringSize {
		r.ring = append(r.ring, chain)
		return
	}
	r.ring[r.next] = chain
	r.next = (r.next + 1) % ringSize
}
