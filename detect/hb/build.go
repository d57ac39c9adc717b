package hb

import "github.com/raceseed/raceseed/trace"

// builder walks the order records once and makes the nodes.
type builder struct {
	*Graph
	earlier *Graph // the order of an earlier pass over the same log, nil in the first
	asked   bool   // a rule wanted to know what lies later in the trace

	turn    uint32 // group of the running turn
	active  uint32 // group that runs now: the turn or a float in it
	depth   int    // of nested scopes
	main    bool   // the main script's turn is not over
	floated bool   // a float ran in this turn
	ending  bool   // cut the active group when its outermost scope ends

	states   []state // by resource
	leftover map[uint32]uint32
	orphans  []uint32 // resources made while nothing ran
	recent   chainRing
	joins    []joining // floats with an AND-join, newest last
	accessed []bool    // ordinals after which memory was accessed

	immediates queue      // by registration
	polls      queue      // poll turns, by head
	timerTurns queue      // timers turns, by head
	fired      []delayed  // timers by effective delay, by arming
	sent       [][]write  // by socket
	reads      []lastRead // by socket
	timersOnce bool       // P2 holds
	testEnd    NodeID     // end of the last test while none runs
	tests      int        // running
}

// state is what the pass knows of a resource.
type state struct {
	made    point  // registration
	by      uint32 // group of the registration
	settled point  // last settle of a promise
	last    uint32 // turn of its last callback, 0: none yet
	high    point  // a timer: its last arming
	late    bool   // a timer: refreshed after its firing, unordered with it
	ran     bool   // a promise: a scope of it has run
}

// Build makes the order of a loaded trace. Where a rule needs to know what lies
// later in the trace (the losers of Promise.race, all timers of one delay), a
// first pass without that rule answers: its order is the weaker one, so every
// premise it grants holds.
func Build(log *Log) *Graph { return build(log, false) }

func build(log *Log, keep bool) *Graph {
	g, again := pass(log, nil, keep)
	if again {
		g, _ = pass(log, g, keep)
	}
	for i := range log.Accesses {
		a := &log.Accesses[i]
		a.Node = g.nodeAt[a.Ordinal]
		if a.Op != 0 {
			a.Node = log.Ops[a.Op].Task
		}
	}
	return g
}

func pass(log *Log, earlier *Graph, keep bool) (*Graph, bool) {
	b := &builder{
		Graph: &Graph{
			Log: log, nodes: make([]node, 1, len(log.entries)/2+2), clocks: newClocks(),
			nodeAt: make([]NodeID, len(log.entries)), edges: map[string]int{}, keep: keep,
		},
		earlier: earlier, main: true, timersOnce: runsTimersOnce(log.Process.UV),
		states: make([]state, len(log.resources)), leftover: map[uint32]uint32{},
		accessed: make([]bool, len(log.entries)),
		sent:     make([][]write, len(log.sockets)), reads: make([]lastRead, len(log.sockets)),
	}
	for i := range log.Ops {
		op := &log.Ops[i]
		op.Group, op.Node, op.Task = 0, 0, 0
	}
	for i := range log.Accesses {
		if log.Locations[log.Accesses[i].Location].Kind != File {
			b.accessed[log.Accesses[i].Ordinal] = true
		}
	}
	b.open(Group{Kind: Turn}, &joiner{g: b.Graph})
	b.nodeAt[0] = b.Groups[0].Head
	for ordinal := 1; ordinal < len(log.entries); ordinal++ {
		b.step(uint32(ordinal), &log.entries[ordinal])
	}
	return b.Graph, b.asked
}

// step takes one order record; memory accesses after it belong to what runs then.
func (b *builder) step(ordinal uint32, e *entry) {
	switch e.kind {
	case trace.KindInit:
		b.register(ordinal, e)
	case trace.KindBefore:
		b.begin(ordinal, e.a)
	case trace.KindAfter:
		b.leave()
	case trace.KindResolve:
		b.resolved(ordinal, e.a)
	case trace.KindRefresh:
		b.refreshed(ordinal, e.a)
	case trace.KindOp:
		op := &b.Ops[e.a]
		op.Node = b.segment()
		op.Group = b.active
	case trace.KindDone:
		b.completed(e.a)
	case trace.KindFile:
		b.file(ordinal, e)
	case trace.KindWrote:
		b.wrote(e.a)
	case trace.KindGot:
		b.got(e.a)
	case trace.KindTest:
		b.test(e.b)
	}
	if b.accessed[ordinal] {
		b.segment()
	}
	b.nodeAt[ordinal] = b.Groups[b.active].Tail
	if ordinal == b.lastAfter && b.depth == 0 && b.Ended && !b.main {
		b.exit(ordinal)
		b.nodeAt[ordinal] = b.Groups[b.active].Tail
	}
}

// open begins a group whose first node has the predecessors of j.
func (b *builder) open(gr Group, j *joiner) uint32 {
	n := uint32(len(b.Groups))
	gr.Head = b.node(j, n)
	gr.Tail = gr.Head
	if gr.Kind != Float {
		gr.Host = n
	}
	b.Groups = append(b.Groups, gr)
	return n
}

// segment returns the node to which what happens now belongs. It begins a new
// one after a cut.
func (b *builder) segment() NodeID {
	gr := &b.Groups[b.active]
	if gr.cut {
		b.extend()
	}
	return gr.Tail
}

// extend begins a new segment of the active group that also comes after entering.
func (b *builder) extend(entering ...NodeID) {
	gr := &b.Groups[b.active]
	j := &joiner{g: b.Graph}
	j.join(gr.Tail)
	for _, n := range entering {
		j.join(n)
	}
	op := b.nodes[gr.Tail].op
	gr.Tail = b.node(j, b.active)
	b.nodes[gr.Tail].op = op
	gr.cut = false
}

// enter makes n come before all that follows in the active group.
func (b *builder) enter(rule string, n NodeID) {
	tail := b.Groups[b.active].Tail
	if n == 0 || n == tail || b.nodes[n].group == b.active || b.Ordered(n, tail) {
		return
	}
	b.edges[rule]++
	b.extend(n)
}

// begin is a before record: a nested scope is part of its action, a microtask or
// tick belongs to the group that enqueued it, all others begin a turn.
func (b *builder) begin(ordinal, res uint32) {
	b.depth++
	if b.depth > 1 {
		return
	}
	b.endScope()
	switch b.resources[res].class {
	case promise:
		b.reaction(ordinal, res)
	case tick, microtask:
		b.active = b.enqueued(ordinal, b.states[res].by)
	default:
		b.main = false
		b.beginTurn(ordinal, res)
	}
}

func (b *builder) leave() {
	if b.depth == 0 {
		return
	}
	b.depth--
	if b.depth == 0 {
		b.endScope()
		b.active = b.turn
	}
}

// endScope ends an action: what it enqueued may run in another turn, so what
// follows in the group is a new segment.
func (b *builder) endScope() {
	if b.ending {
		b.Groups[b.active].cut = true
		b.ending = false
	}
}

// exit begins the turn of the exit handlers: they come after everything (R3).
func (b *builder) exit(ordinal uint32) {
	j := &joiner{g: b.Graph}
	for _, n := range b.chains {
		j.add("R3", n)
	}
	b.turn = b.open(Group{Kind: Turn, Start: ordinal}, j)
	b.active = b.turn
}
