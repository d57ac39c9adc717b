package hb

import "slices"

// Reactions: H5 to H9. A reaction runs in the turn in which the last of its
// causes happened, its subscription and the settles that enqueue it. If one
// cause comes after all others in every execution, the reaction belongs to that
// cause's group; else it is a float.

// register is an init record (R1).
func (b *builder) register(ordinal uint32, e *entry) {
	res := &b.resources[e.a]
	if e.b == 0 && b.depth == 0 && !b.main {
		b.orphans = append(b.orphans, e.a)
	}
	b.states[e.a].made = point{node: b.segment(), ordinal: ordinal}
	b.states[e.a].high = b.states[e.a].made
	b.states[e.a].by = b.active
	b.ending = b.ending || res.cutInit
}

// resolved is a promiseResolve record: the promise of an operation settles, so
// what its task did comes before what follows (F2).
func (b *builder) resolved(ordinal, res uint32) {
	if op := b.resources[res].op; op != 0 {
		b.completed(op)
	}
	b.states[res].settled = point{node: b.segment(), ordinal: ordinal}
	b.ending = b.ending || b.resources[res].cutSettle
}

// reaction chooses the group in which a PROMISE scope runs.
func (b *builder) reaction(ordinal, res uint32) {
	r, st := &b.resources[res], &b.states[res]
	again := st.ran // a second scope of a reaction is its thenable job (H6)
	st.ran = true
	parent := r.trigger
	if again || parent == r.exec || b.resources[parent].class != promise || b.states[parent].settled.node == 0 {
		b.contained(ordinal, st)
		return
	}
	if c := b.resources[parent].combo; c != 0 && b.combos[c].race && !b.won(&b.combos[c]) {
		// H7: another contender may win, so only the subscription is sure.
		b.float(ordinal, []NodeID{st.made.node}, false)
		return
	}
	causes := append([]NodeID{st.made.node}, b.settles(parent)...)
	last := causes[0]
	for _, n := range causes {
		last = max(last, n)
	}
	for _, n := range causes {
		if n != last && !b.Ordered(n, last) {
			b.float(ordinal, causes, true)
			return
		}
	}
	b.active = b.enqueued(ordinal, b.nodes[last].group)
}

// settles returns the nodes whose settle enqueues a reaction of promise p.
func (b *builder) settles(p uint32) []NodeID {
	own := []NodeID{b.states[p].settled.node}
	if b.resources[p].combo == 0 {
		return own
	}
	c := &b.combos[b.resources[p].combo]
	if c.race {
		return own
	}
	var all []NodeID
	for _, m := range c.members {
		switch n := b.states[m].settled.node; {
		case n != 0:
			all = append(all, n)
		case b.resources[m].class == promise:
			return own // rejected before this member settled
		}
	}
	if len(all) == 0 {
		return own
	}
	return all
}

// won reports whether the recorded winner of a race wins in every execution.
func (b *builder) won(c *combo) bool {
	winner := b.resources[c.winner].settleOrdinal
	for _, m := range c.members {
		other := b.resources[m].settleOrdinal
		if m == c.winner || other == 0 {
			continue
		}
		if b.earlier == nil {
			b.asked = true
			return false
		}
		if !b.earlier.atOrBefore(b.earlier.pointAt(winner), b.earlier.pointAt(other)) {
			return false
		}
	}
	return winner != 0
}

// enqueued returns the group in which a microtask or tick runs that group by
// enqueued. If that group's turn is over, an exception left its
// queues undrained: it runs in whichever turn comes next (H9).
func (b *builder) enqueued(ordinal, by uint32) uint32 {
	if b.Groups[by].Host == b.turn {
		return by
	}
	if made, ok := b.leftover[by]; ok && b.Groups[made].Host == b.turn {
		return made
	}
	b.float(ordinal, []NodeID{b.Groups[by].Tail}, false)
	b.leftover[by] = b.active
	return b.active
}

// contained places a reaction whose causes the hooks do not show (H6, H8): it
// runs in the turn that enqueued it, so it comes after the head of this turn.
func (b *builder) contained(ordinal uint32, st *state) {
	by := st.by
	if b.Groups[by].Host == b.turn {
		b.active = by
		return
	}
	if !b.floated {
		b.active = b.turn
		b.enter("R1", b.Groups[by].Tail)
		return
	}
	b.float(ordinal, []NodeID{b.Groups[by].Tail, b.Groups[b.turn].Head}, false)
}

// float opens a float with these causes and makes it the active group.
func (b *builder) float(ordinal uint32, causes []NodeID, join bool) {
	j := &joiner{g: b.Graph}
	last := causes[0]
	for _, n := range causes {
		j.add("H5", n)
		last = max(last, n)
	}
	b.active = b.open(Group{
		Kind: Float, Host: b.turn, Start: ordinal,
		Op: b.OpOf(last), Parent: b.nodes[last].group,
	}, j)
	b.floated = true
	if join {
		b.joins = append(b.joins, joining{group: b.active, causes: causes})
		if len(b.joins) > maxJoins {
			b.joins = b.joins[1:]
		}
	}
}

// joining is a float that comes before every turn that all its causes precede.
type joining struct {
	group  uint32
	causes []NodeID
}

// maxJoins bounds the floats that a new turn is compared with. An older float
// only loses edges: more candidates, never a hidden one.
const maxJoins = 256

// andJoin applies H5a: all causes of a float come before the new turn, so the
// float does. It reports whether it added an edge.
func (b *builder) andJoin(j *joiner) bool {
	added := false
	for i := len(b.joins) - 1; i >= 0; i-- {
		tail := b.Groups[b.joins[i].group].Tail
		if j.covers(tail) || slices.ContainsFunc(b.joins[i].causes, func(n NodeID) bool { return !j.covers(n) }) {
			continue
		}
		added = j.add("H5a", tail) || added
	}
	return added
}
