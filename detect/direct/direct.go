// Package direct turns candidates into schedules that should bring the other
// order about. It takes a candidate and the order of the recorded run, gives
// schedules that hold only operations which the agent can hold, and runs
// nothing. The cases are those of docs/search.md.
package direct

import (
	"github.com/raceseed/raceseed/detect/hb"
	"github.com/raceseed/raceseed/detect/race"
	"github.com/raceseed/raceseed/trace"
)

// checkAct is the pattern whose e is kept from being answered.
const checkAct = "check-act"

// maxDelay is the largest delay in ms that a late-armed horizon can name.
const maxDelay = 4095

// Schedules returns the schedules for one example of a candidate, the most
// promising first; none if nothing on its chains can be held.
func Schedules(g *hb.Graph, example race.Example, pattern string) []trace.Schedule {
	p := planner{g: g}
	if len(example) == 2 {
		p.pair(&example[0], &example[1])
	} else {
		p.triple(&example[0], &example[1], &example[2], pattern)
	}
	return p.schedules
}

type planner struct {
	g         *hb.Graph
	schedules []trace.Schedule
}

// pair: x was seen first, y is wanted first.
func (p *planner) pair(x, y *race.Touch) {
	left, right := fork(p.g, x.Node, y.Node)
	held, ok := p.holdable(left, x)
	b := p.target(right, y)
	if !ok {
		return
	}
	if held.side == trace.Completion && p.timer(held.op) && p.timer(b) {
		p.add(p.hold(held, trace.UntilTimers, 0))
		p.add(p.hold(held, trace.UntilPoint, b))
		p.lateArming(left, held.op, b)
		return
	}
	p.add(p.hold(held, trace.UntilPoint, b))
	if x.Op != 0 {
		// A task that should fall between y and what follows from it cannot wait
		// until all of that has happened.
		p.add(p.hold(held, trace.UntilPointNow, b))
	}
	p.add(p.hold(held, trace.UntilTimers, 0))
	if x.Op == 0 {
		p.add(p.hold(held, trace.UntilPointNow, b))
	}
	p.further(left, held.op, b)
}

// further offers the operation above the held one, in case that one is started
// too late to matter.
func (p *planner) further(left []uint32, held, b uint32) {
	for i, op := range left {
		if op == held && i+1 < len(left) {
			if next, ok := p.first(left[i+1:], trace.Completion); ok {
				p.add(p.hold(next, trace.UntilPoint, b))
			}
			return
		}
	}
}

// lateArming swaps two timers for real: the operation in whose turn timer a is
// armed is held until timer b is due within a's delay.
func (p *planner) lateArming(left []uint32, a, b uint32) {
	for i, op := range left {
		if op != a || i+1 == len(left) {
			continue
		}
		if arming, ok := p.first(left[i+1:], trace.Completion); ok {
			h := p.hold(arming, trace.UntilLateArmed, b)
			for j := range h {
				h[j].Horizon.DelayMs = min(p.g.Ops[a].DelayMs, maxDelay)
			}
			p.add(h)
		}
	}
}

// triple: t is wanted between e and u.
func (p *planner) triple(e, t, u *race.Touch, pattern string) {
	ops := between(p.g, e.Node, u.Node)
	if len(ops) > 0 && ops[0] == u.Op {
		ops = ops[1:] // its completion comes after u
	}
	_, right := fork(p.g, u.Node, t.Node)
	b := p.target(right, t)
	// The first keeps back what u does, the second the answer to e.
	var act, answer []trace.Hold
	if u.Op != 0 {
		act = p.hold(p.side(u.Op, trace.Start), trace.UntilPoint, b)
	}
	if held, ok := p.first(ops, trace.Completion); ok {
		answer = p.hold(held, trace.UntilPoint, b)
	}
	if asked := p.side(e.Op, trace.Completion); pattern == checkAct && asked.op != 0 {
		answer = p.hold(asked, trace.UntilPoint, b)
	}
	best, other := act, answer
	if pattern == checkAct || len(act) == 0 {
		best, other = answer, act
	}
	if t.Ordinal < e.Ordinal {
		p.early(e, t, act)
	}
	p.add(best)
	p.add(other)
}

// early handles a t that was seen before e: it waits for e, then u waits for t.
// If u can only follow e, the first hold alone does it.
func (p *planner) early(e, t *race.Touch, act []trace.Hold) {
	left, _ := fork(p.g, t.Node, e.Node)
	held, ok := p.holdable(left, t)
	if !ok {
		return
	}
	after := p.hold(held, trace.UntilPointNow, p.opOf(e))
	if len(after) > 0 && len(act) > 0 {
		p.add([]trace.Hold{after[0], act[0]})
	}
	p.add(after)
}

// sided is one end of an operation; op 0 is none.
type sided struct {
	op   uint32
	side trace.Side
}

// holdable returns what to hold to keep back touch x, whose chain behind the
// fork is left: the start of its own operation if x is a task, else the last
// completion that can be held, else the last start.
func (p *planner) holdable(left []uint32, x *race.Touch) (sided, bool) {
	if x.Op != 0 {
		if s := p.side(x.Op, trace.Start); s.op != 0 {
			return s, true
		}
	}
	return p.first(left, trace.Completion)
}

// first returns the first operation of the list that can be held, on the wanted
// side if that can be.
func (p *planner) first(ops []uint32, want trace.Side) (sided, bool) {
	for _, op := range ops {
		if s := p.side(op, want); s.op != 0 {
			return s, true
		}
		if s := p.side(op, 1-want); s.op != 0 {
			return s, true
		}
	}
	return sided{}, false
}

// side returns that side of op if it may be held.
func (p *planner) side(op uint32, side trace.Side) sided {
	flag := uint64(trace.OpStart)
	if side == trace.Completion {
		flag = trace.OpCompletion
	}
	if op == 0 || p.g.Ops[op].Hash == 0 || p.g.Ops[op].Flags&flag == 0 {
		return sided{}
	}
	return sided{op, side}
}

// target returns the operation whose completion says that y has happened: its
// own if y is a task, the head of its turn, or the nearest one above.
func (p *planner) target(right []uint32, y *race.Touch) uint32 {
	if y.Op != 0 {
		return y.Op
	}
	if len(right) > 0 {
		return right[0]
	}
	return 0
}

// opOf returns the operation that makes touch e, or whose completion runs it.
func (p *planner) opOf(e *race.Touch) uint32 {
	if e.Op != 0 {
		return e.Op
	}
	return p.g.OpOf(e.Node)
}

func (p *planner) timer(op uint32) bool { return op != 0 && p.g.Ops[op].Flags&trace.OpTimer != 0 }

// hold makes the list of one hold; empty if it would wait for nothing or itself.
func (p *planner) hold(s sided, until byte, target uint32) []trace.Hold {
	if s.op == 0 {
		return nil
	}
	h := trace.Hold{Point: p.g.Ops[s.op].Hash, Side: s.side, Horizon: trace.Horizon{Kind: until}}
	if until == trace.UntilTimers {
		h.Horizon.N = 1
		return []trace.Hold{h}
	}
	if target == 0 || p.g.Ops[target].Hash == 0 || p.g.Ops[target].Hash == h.Point {
		return nil
	}
	h.Horizon.Point = p.g.Ops[target].Hash
	return []trace.Hold{h}
}

// add keeps a schedule; an empty one says that its case cannot be had.
func (p *planner) add(holds []trace.Hold) {
	if len(holds) > 0 {
		p.schedules = append(p.schedules, trace.Schedule{Holds: holds})
	}
}
