package direct

import (
	"github.com/raceseed/raceseed/detect/hb"
	"github.com/raceseed/raceseed/trace"
)

// maxSteps bounds a walk up a chain of causes.
const maxSteps = 100_000

// up returns the operation whose completion led to node and the node that
// started it; without such an operation op is 0 and parent is the cause's head.
// For what arrives from outside the parent is who sent it, if that is known.
func up(g *hb.Graph, node hb.NodeID) (op uint32, parent hb.NodeID) {
	gr := &g.Groups[g.GroupOf(node)]
	op = g.OpOf(node)
	if op != 0 {
		o := &g.Ops[op]
		if o.Flags&trace.OpArrival == 0 && o.Node != 0 && o.Node < gr.Head {
			return op, o.Node
		}
	}
	return op, g.Groups[gr.Parent].Head
}

// fork walks up from two nodes to the group that caused both, and returns the
// operations on each side behind it, the last one first.
func fork(g *hb.Graph, x, y hb.NodeID) (left, right []uint32) {
	for range maxSteps {
		gx, gy := g.GroupOf(x), g.GroupOf(y)
		if gx == gy {
			break
		}
		if gx > gy {
			left, x = climb(g, left, x)
		} else {
			right, y = climb(g, right, y)
		}
	}
	return left, right
}

func climb(g *hb.Graph, ops []uint32, node hb.NodeID) ([]uint32, hb.NodeID) {
	op, parent := up(g, node)
	if op != 0 && (len(ops) == 0 || ops[len(ops)-1] != op) {
		ops = append(ops, op)
	}
	return ops, parent
}

// between returns the operations on the chain of causes from e up to u, the last
// one first. It includes the operation whose task is e or u itself.
func between(g *hb.Graph, e, u hb.NodeID) []uint32 {
	var ops []uint32
	stop := g.GroupOf(e)
	for range maxSteps {
		group := g.GroupOf(u)
		if group <= stop {
			break
		}
		ops, u = climb(g, ops, u)
	}
	if own := g.Groups[stop]; own.Kind == hb.Task && (len(ops) == 0 || ops[len(ops)-1] != own.Op) {
		ops = append(ops, own.Op)
	}
	return ops
}
