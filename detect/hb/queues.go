package hb

import (
	"math"
	"sort"
	"strconv"
	"strings"
)

// Bounds of the searches below. A search that stops early loses edges: more
// candidates, never a hidden one.
const (
	maxLines  = 64 // chains looked at per queue, the ones used last first
	maxBack   = 4  // items of one chain
	maxArming = 64 // timers of one delay that T2 compares
)

// queue holds the callbacks of one first-in-first-out queue that have run. They
// are laid out by the chain on which they were registered: on one chain the
// last one comes after all before it, so one edge a chain is enough.
type queue struct {
	lines []line // the one used last first
}

type line struct {
	chain uint32
	items []item // by position and ordinal
}

type item struct {
	position uint32
	ordinal  uint32
	group    uint32 // the turn
	resource uint32
}

// delayed is the timer list of one effective delay.
type delayed struct {
	delay uint32
	queue queue
}

// add puts a turn whose registration is at p into the queue.
func (q *queue) add(g *Graph, p point, it item) {
	chain, position := g.Chain(p.node)
	it.position, it.ordinal = position, p.ordinal
	at := -1
	for i := range q.lines {
		if q.lines[i].chain == chain {
			at = i
			break
		}
	}
	var l line
	if at < 0 {
		l = line{chain: chain}
		q.lines = append(q.lines, l)
		at = len(q.lines) - 1
		if at >= 2*maxLines {
			q.lines = q.lines[:maxLines]
			at = maxLines - 1
		}
	} else {
		l = q.lines[at]
	}
	l.items = append(l.items, it)
	for i := len(l.items) - 1; i > 0 && l.items[i].before(l.items[i-1]); i-- {
		l.items[i], l.items[i-1] = l.items[i-1], l.items[i]
	}
	copy(q.lines[1:at+1], q.lines[:at])
	q.lines[0] = l
}

func (a item) before(b item) bool {
	return a.position < b.position || a.position == b.position && a.ordinal < b.ordinal
}

// upTo calls visit with the items of each chain that were registered at or
// before p, the last one first, until visit returns false.
func (q *queue) upTo(g *Graph, p point, visit func(item) bool) {
	if p.node == 0 {
		return
	}
	own, _ := g.Chain(p.node)
	for i := range q.lines[:min(len(q.lines), maxLines)] {
		l := &q.lines[i]
		limit := item{position: g.Seen(p.node, l.chain), ordinal: math.MaxUint32}
		if l.chain == own {
			limit.ordinal = p.ordinal
		}
		l.visit(limit, visit)
	}
}

// below is upTo for a node that is being made.
func (q *queue) below(j *joiner, visit func(item) bool) {
	for i := range q.lines[:min(len(q.lines), maxLines)] {
		l := &q.lines[i]
		l.visit(item{position: j.g.clocks.get(j.clock, l.chain), ordinal: math.MaxUint32}, visit)
	}
}

func (l *line) visit(limit item, visit func(item) bool) {
	end := sort.Search(len(l.items), func(i int) bool { return !l.items[i].before(limit) })
	for i := end - 1; i >= max(0, end-maxBack); i-- {
		if !visit(l.items[i]) {
			return
		}
	}
}

// ordered adds the edges of the queue and phase rules.
func (b *builder) ordered(j *joiner, r *resource, st *state) {
	fifo := func(rule string) func(item) bool {
		return func(it item) bool { return !b.states[it.resource].late && j.add(rule, b.Groups[it.group].Tail) }
	}
	low := b.low(r, st)
	if r.class == immediate {
		b.immediates.upTo(b.Graph, st.made, fifo("Q3"))
	}
	if r.class == timeout && r.timer != 0 {
		delay := b.timers[r.timer].delay
		b.list(delay).upTo(b.Graph, low, fifo("T1"))
		b.shorter(j, r, low)
	}
	for again := true; again; {
		again = b.andJoin(j)
		if r.class == timeout {
			again = b.phases(j, low) || again
		}
	}
}

// low is the point at which a timer counts as armed at the earliest: an interval
// is armed again by its own callback.
func (b *builder) low(r *resource, st *state) point {
	if r.class == timeout && st.last != 0 {
		return point{node: b.Groups[st.last].Head, ordinal: b.Groups[st.last].Start}
	}
	return st.made
}

// list returns the queue of one delay, shorter delays first.
func (b *builder) list(delay uint32) *queue {
	at := sort.Search(len(b.fired), func(i int) bool { return b.fired[i].delay >= delay })
	if at == len(b.fired) || b.fired[at].delay != delay {
		b.fired = append(b.fired, delayed{})
		copy(b.fired[at+1:], b.fired[at:])
		b.fired[at] = delayed{delay: delay}
	}
	return &b.fired[at].queue
}

// shorter is T2: a timer with a smaller delay that was armed earlier fires
// earlier if no other timer of the larger delay can have renewed that list.
func (b *builder) shorter(j *joiner, r *resource, low point) {
	delay := b.timers[r.timer].delay
	for i := range b.fired {
		if b.fired[i].delay >= delay {
			return
		}
		b.fired[i].queue.upTo(b.Graph, low, func(it item) bool {
			tail := b.Groups[it.group].Tail
			if b.states[it.resource].late || j.covers(tail) {
				return false
			}
			if b.earlier == nil {
				b.asked = true
				return false
			}
			return b.alone(r, it.ordinal) && j.add("T2", tail)
		})
	}
}

// alone reports whether every other arming of the delay of timer r comes after
// the ordinal at which the shorter timer was armed, or was gone by then.
func (b *builder) alone(r *resource, armed uint32) bool {
	own := &b.timers[r.timer]
	others := b.byDelay[own.delay]
	if len(others) > maxArming || own.touched || armed == math.MaxUint32 {
		return false
	}
	at := b.earlier.pointAt(armed)
	for _, n := range others {
		t := &b.timers[n]
		if n == r.timer {
			continue
		}
		switch {
		case t.repeat || t.touched:
			return false
		case b.earlier.atOrBefore(at, b.earlier.pointAt(t.made)):
		case t.fired != 0 && b.earlier.atOrBefore(b.earlier.pointAt(t.fired), at):
		case t.cleared != 0 && !t.unref && b.earlier.atOrBefore(b.earlier.pointAt(t.cleared), at):
		default:
			return false
		}
	}
	return true
}

// phases is P1 and, from libuv 1.48 on, P2: an immediate that is pending in a
// poll (timers) turn runs before every timer that comes after that turn (that is
// armed in or after it). Older libuv may run the timers twice.
func (b *builder) phases(j *joiner, low point) bool {
	if len(b.immediates.lines) == 0 {
		return false
	}
	added := false
	through := func(rule string) func(item) bool {
		return func(e item) bool {
			turn := point{node: b.Groups[e.group].Tail, ordinal: math.MaxUint32}
			b.immediates.upTo(b.Graph, turn, func(it item) bool {
				ok := j.add(rule, b.Groups[it.group].Tail)
				added = added || ok
				return ok
			})
			return false
		}
	}
	b.polls.below(j, through("P1"))
	if b.timersOnce {
		b.timerTurns.upTo(b.Graph, point{low.node, math.MaxUint32}, through("P2"))
	}
	return added
}

// enqueue notes a new turn in the queues.
func (b *builder) enqueue(ordinal, res uint32) {
	r, st := &b.resources[res], &b.states[res]
	gr := &b.Groups[b.turn]
	it := item{group: b.turn, resource: res}
	head := point{node: gr.Head, ordinal: ordinal}
	switch gr.phase {
	case pollPhase:
		b.polls.add(b.Graph, head, it)
	case timersPhase:
		b.timerTurns.add(b.Graph, head, it)
	}
	switch {
	case r.class == immediate && st.made.node != 0:
		b.immediates.add(b.Graph, st.made, it)
	case r.class == timeout && r.timer != 0:
		high := st.high
		if st.last != 0 {
			high = point{node: b.Groups[st.last].Tail, ordinal: math.MaxUint32}
		}
		if high.node != 0 {
			b.list(b.timers[r.timer].delay).add(b.Graph, high, it)
		}
	}
}

// refreshed is a refresh: the timer counts as armed here at the latest. One that
// comes after the firing without being ordered after it could have come before:
// then no rule may conclude from when this timer fired.
func (b *builder) refreshed(ordinal, res uint32) {
	st := &b.states[res]
	st.high = point{node: b.segment(), ordinal: ordinal}
	if st.last != 0 && !b.Ordered(b.Groups[st.last].Head, st.high.node) {
		st.late = true
	}
}

// runsTimersOnce reports whether this libuv runs the timers once a loop turn:
// 1.48 and later. An unknown version gets no rule.
func runsTimersOnce(uv string) bool {
	major, rest, _ := strings.Cut(uv, ".")
	minor, _, _ := strings.Cut(rest, ".")
	a, err := strconv.Atoi(major)
	if err != nil {
		return false
	}
	b, err := strconv.Atoi(minor)
	return err == nil && (a > 1 || a == 1 && b >= 48)
}
