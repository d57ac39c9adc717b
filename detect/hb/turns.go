package hb

import "github.com/raceseed/raceseed/trace"

// beginTurn is the before record of a callback that the loop calls.
func (b *builder) beginTurn(ordinal, res uint32) {
	r, st := &b.resources[res], &b.states[res]
	adopted := b.adopt(res)
	j := &joiner{g: b.Graph}
	gr := Group{Kind: Turn, Type: r.kind, Start: ordinal, Parent: st.by}
	j.add("R1", b.Groups[st.by].Tail)
	in := b.head(j, ordinal)
	if in.writer != 0 {
		gr.Parent = in.writer
	}
	gr.Op = in.op
	if st.last != 0 {
		switch {
		case r.class == timeout:
			j.add("T4", b.Groups[st.last].Tail)
		case r.class == stream && !in.traced:
			j.add("R2", b.Groups[st.last].Tail)
		}
	}
	switch {
	case r.class == poll, r.class == stream && in.bytes, in.socket:
		gr.phase = pollPhase
	case r.class == timeout:
		gr.phase = timersPhase
	}
	b.ordered(j, r, st)
	b.turn = b.open(gr, j)
	b.active = b.turn
	b.floated = false
	head := b.Groups[b.turn].Head
	b.nodes[head].op = gr.Op
	for _, o := range adopted {
		b.states[o].by, b.states[o].made = b.turn, point{node: head, ordinal: ordinal}
	}
	b.enqueue(ordinal, res)
	st.last = b.turn
}

// adopt gives the resources that were made while nothing ran (accepted sockets,
// file handles) the registration of their trigger, and returns those that the
// turn of resource res makes: their trigger is called next (R1).
func (b *builder) adopt(res uint32) []uint32 {
	var adopted []uint32
	for _, o := range b.orphans {
		trigger := b.resources[o].trigger
		if trigger == res && o != res {
			adopted = append(adopted, o)
			continue
		}
		b.states[o].by, b.states[o].made = b.states[trigger].by, b.states[trigger].made
		if b.states[o].made.node == 0 {
			b.states[o].made = point{node: b.Groups[0].Head}
		}
	}
	b.orphans = b.orphans[:0]
	return adopted
}

// entered is what enters a turn at its head.
type entered struct {
	op     uint32 // the first operation that completes
	writer uint32 // the group whose bytes or connect it answers
	bytes  bool   // bytes or the end of a stream came
	traced bool   // from an end in this process
	socket bool   // a socket came up or was connected
}

// head looks through the scope that begins a turn for what enters it: an edge
// into a turn always holds for the whole turn, because turns do not interleave.
func (b *builder) head(j *joiner, ordinal uint32) entered {
	var in entered
	depth := 1
	for i := ordinal + 1; int(i) < len(b.entries) && depth > 0; i++ {
		switch e := &b.entries[i]; e.kind {
		case trace.KindBefore:
			depth++
		case trace.KindAfter:
			depth--
		case trace.KindDone:
			in.done(b, j, e.a)
		case trace.KindResolve:
			in.done(b, j, b.resources[e.a].op)
		case trace.KindSocket:
			in.socket = true
			s := &b.sockets[e.a]
			if peer := &b.sockets[s.peer]; s.op == 0 && s.peer != 0 && peer.op != 0 && b.Ops[peer.op].Node != 0 {
				in.writer = b.Ops[peer.op].Group
				j.add("N1", b.Groups[in.writer].Tail)
			}
		case trace.KindGot:
			in.bytes = true
			b.received(j, &in, e.a)
		}
	}
	return in
}

func (in *entered) done(b *builder, j *joiner, op uint32) {
	if op == 0 {
		return
	}
	if in.op == 0 {
		in.op = op
	}
	j.add("F2", b.Ops[op].Task)
}

// completed is the completion of an operation in the running event (F2).
func (b *builder) completed(op uint32) {
	o := &b.Ops[op]
	b.enter("F2", o.Task)
	n := b.segment()
	if was := b.nodes[n].op; was != op && was != 0 {
		b.extend()
		n = b.Groups[b.active].Tail
	}
	b.nodes[n].op = op
	if gr := &b.Groups[b.active]; gr.Op == 0 {
		gr.Op = op
	}
}

// file is a file access: one of running code belongs to it, one of an operation
// to its task, which is a node of its own between the call and the completion.
// What the code does after the call is not before the task (F1).
func (b *builder) file(ordinal uint32, e *entry) {
	n := b.segment()
	if e.a == 0 || b.Ops[e.a].Task != 0 {
		return
	}
	j := &joiner{g: b.Graph}
	j.add("F1", n)
	task := b.open(Group{Kind: Task, Op: e.a, Parent: b.active, Start: ordinal}, j)
	b.Ops[e.a].Task = b.Groups[task].Head
	b.Groups[b.active].cut = true
}

// test orders tests that run one after the other (U1). Work that a test leaks is
// not covered: only what comes before its end.
func (b *builder) test(phase uint32) {
	if phase == 0 {
		if b.tests == 0 {
			b.enter("U1", b.testEnd)
		}
		b.tests++
		return
	}
	if b.tests > 0 {
		b.tests--
	}
	if b.tests == 0 {
		b.testEnd = b.segment()
		b.Groups[b.active].cut = true
	}
}
