package hb

import (
	"fmt"
	"io"
	"testing"

	"pgregory.net/rapid"

	"github.com/raceseed/raceseed/trace"
)

// records is a source of ready-made records.
type records struct {
	list []trace.Record
	err  error // at the end; io.EOF if nil
}

func (r *records) Next() (trace.Record, error) {
	if len(r.list) == 0 {
		if r.err != nil {
			return trace.Record{}, r.err
		}
		return trace.Record{}, io.EOF
	}
	next := r.list[0]
	r.list = r.list[1:]
	return next, nil
}

// program draws records of an event loop that knows no rules: any resource may
// be called at any time, which is more than Node does.
type program struct {
	t       *rapid.T
	out     []trace.Record
	types   []string // by id
	depth   int
	ops     uint64
	running []uint64
	sockets uint64
}

var drawnTypes = []string{
	"PROMISE", "PROMISE", "PROMISE", "TickObject", "Microtask", "Timeout", "Immediate", "FSREQCALLBACK", "FSREQPROMISE",
	"TCPWRAP", "TCPSERVERWRAP", "HTTPINCOMINGMESSAGE", "Unheard",
}

func drawProgram(t *rapid.T) []trace.Record {
	p := &program{t: t, types: []string{"", "main"}, running: []uint64{1}}
	p.add(trace.Record{Kind: trace.KindProcess, UV: rapid.SampledFrom([]string{"1.46.0", "1.51.0"}).Draw(t, "uv")})
	for range rapid.IntRange(5, 120).Draw(t, "steps") {
		p.step()
	}
	if rapid.Bool().Draw(t, "end") {
		p.add(trace.Record{Kind: trace.KindEnd})
	}
	return p.out
}

func (p *program) add(r trace.Record) { p.out = append(p.out, r) }

func (p *program) id(what string) uint64 {
	return uint64(rapid.IntRange(1, len(p.types)-1).Draw(p.t, what))
}

func (p *program) exec() uint64 { return p.running[len(p.running)-1] }

func (p *program) step() {
	switch rapid.IntRange(0, 13).Draw(p.t, "step") {
	case 0, 1, 2:
		p.init(rapid.SampledFrom(drawnTypes).Draw(p.t, "type"))
	case 3, 4, 5:
		id := p.id("before")
		p.add(trace.Record{Kind: trace.KindBefore, ID: id})
		p.running = append(p.running, id)
	case 6, 7:
		if len(p.running) > 1 {
			p.add(trace.Record{Kind: trace.KindAfter})
			p.running = p.running[:len(p.running)-1]
		}
	case 8:
		p.add(trace.Record{Kind: trace.KindResolve, ID: p.id("resolve"), Exec: p.exec()})
	case 9:
		p.ops++
		p.add(trace.Record{Kind: trace.KindOp, Op: p.ops, Name: "fs.x", Flags: uint64(rapid.IntRange(0, 31).Draw(p.t, "flags")), Promise: p.id("promise")})
		p.add(trace.Record{Kind: trace.KindFile, Op: p.ops, Access: trace.FileWrite, Path: "f"})
	case 10:
		if p.ops > 0 {
			p.add(trace.Record{Kind: trace.KindDone, Op: uint64(rapid.IntRange(1, int(p.ops)).Draw(p.t, "done"))})
		}
	case 11:
		p.combine()
	case 12:
		p.bytes()
	case 13:
		kind := rapid.SampledFrom([]trace.Kind{trace.KindClear, trace.KindRefresh, trace.KindTest, trace.KindWrite}).Draw(p.t, "kind")
		p.add(trace.Record{Kind: kind, ID: p.id("timer"), Object: 1, Key: "x", Back: uint64(rapid.IntRange(0, 3).Draw(p.t, "back")), Phase: uint64(rapid.IntRange(0, 1).Draw(p.t, "phase"))})
	}
}

func (p *program) init(kind string) {
	p.types = append(p.types, kind)
	id := uint64(len(p.types) - 1)
	exec := p.exec()
	if rapid.IntRange(0, 9).Draw(p.t, "zero") == 0 {
		exec = 0
	}
	p.add(trace.Record{Kind: trace.KindInit, ID: id, Type: kind, Trigger: p.id("trigger"), Exec: exec})
	if kind == "Timeout" {
		p.add(trace.Record{Kind: trace.KindTimer, ID: id, Delay: uint64(rapid.IntRange(1, 3).Draw(p.t, "delay")), Repeat: uint64(rapid.IntRange(0, 1).Draw(p.t, "repeat"))})
	}
}

func (p *program) combine() {
	p.add(trace.Record{Kind: trace.KindCombine, Type: rapid.SampledFrom([]string{"all", "race"}).Draw(p.t, "combinator")})
	first := uint64(len(p.types))
	for range rapid.IntRange(1, 4).Draw(p.t, "members") {
		p.init("PROMISE")
	}
	if rapid.Bool().Draw(p.t, "returns") {
		p.add(trace.Record{Kind: trace.KindCombined, ID: first})
	}
}

func (p *program) bytes() {
	if p.sockets < 2 {
		p.sockets++
		ends := []string{"a:1", "b:2"}
		p.add(trace.Record{Kind: trace.KindSocket, ID: p.sockets, Key: ends[p.sockets-1], Remote: ends[2-p.sockets]})
		return
	}
	kind := rapid.SampledFrom([]trace.Kind{trace.KindWrote, trace.KindGot}).Draw(p.t, "bytes")
	from := uint64(rapid.IntRange(0, 4).Draw(p.t, "from"))
	p.add(trace.Record{Kind: kind, ID: uint64(rapid.IntRange(1, 2).Draw(p.t, "socket")), From: from, To: from + uint64(rapid.IntRange(0, 2).Draw(p.t, "length"))})
}

// TestOrderedIsTheClosure compares Ordered with the transitive closure of the
// edges, made by the textbook, on random records.
func TestOrderedIsTheClosure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log, err := Load(&records{list: drawProgram(t)})
		if err != nil {
			t.Fatal(err)
		}
		g := build(log, true)
		n := g.Nodes() + 1
		reach := make([][]bool, n)
		for b := 1; b < n; b++ {
			reach[b] = make([]bool, n)
			for _, a := range g.before[b] {
				if a == 0 || int(a) >= b {
					t.Fatalf("edge from %d to %d does not go forward", a, b)
				}
				reach[b][a] = true
				for c := range reach[a] {
					reach[b][c] = reach[b][c] || reach[a][c]
				}
			}
		}
		for a := 1; a < n; a++ {
			for b := 1; b < n; b++ {
				want := reach[b][a]
				if got := g.Ordered(NodeID(a), NodeID(b)); got != want {
					t.Fatalf("Ordered(%d, %d) = %v, the closure says %v", a, b, got, want)
				}
			}
		}
		checkGroups(t, g)
	})
}

// checkGroups demands that the nodes of a group are a chain, that every access
// has a node, and that causes lead to the main script.
func checkGroups(t *rapid.T, g *Graph) {
	last := map[uint32]NodeID{}
	for n := NodeID(1); int(n) <= g.Nodes(); n++ {
		group := g.GroupOf(n)
		if was, ok := last[group]; ok && !g.Ordered(was, n) {
			t.Fatalf("nodes %d and %d of group %d are not ordered", was, n, group)
		}
		last[group] = n
	}
	for _, a := range g.Accesses {
		if a.Node == 0 || int(a.Node) > g.Nodes() {
			t.Fatalf("access %+v has no node", a)
		}
	}
	for group := range g.Groups {
		steps := 0
		for at := uint32(group); at != 0; steps++ {
			_, parent := g.Up(at)
			if parent >= at || steps > len(g.Groups) {
				t.Fatalf("group %d: the parent of %d is %d", group, at, parent)
			}
			at = parent
		}
	}
}

func TestClockJoin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newClocks()
		all := []clock{{}}
		want := []map[uint32]uint32{{}}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			i := rapid.IntRange(0, len(all)-1).Draw(t, "i")
			made := map[uint32]uint32{}
			for k, v := range want[i] {
				made[k] = v
			}
			if rapid.Bool().Draw(t, "join") {
				j := rapid.IntRange(0, len(all)-1).Draw(t, "j")
				for k, v := range want[j] {
					made[k] = max(made[k], v)
				}
				all = append(all, c.join(all[i], all[j]))
			} else {
				chain := rapid.SampledFrom([]uint32{0, 1, 15, 16, 17, 255, 256, 70_000}).Draw(t, "chain")
				position := uint32(rapid.IntRange(1, 5).Draw(t, "position"))
				made[chain] = max(made[chain], position)
				all = append(all, c.with(all[i], chain, position))
			}
			want = append(want, made)
		}
		for i, k := range all {
			for _, chain := range []uint32{0, 1, 2, 15, 16, 17, 255, 256, 4096, 70_000, 1 << 30} {
				if got := c.get(k, chain); got != want[i][chain] {
					t.Fatalf("clock %d chain %d: got %d, want %d", i, chain, got, want[i][chain])
				}
			}
		}
	})
}

func TestLoadKeepsATruncatedTrace(t *testing.T) {
	init := trace.Record{Kind: trace.KindInit, ID: 2, Type: "Timeout", Exec: 1}
	log, err := Load(&records{list: []trace.Record{init, {Kind: trace.KindLost, Name: "net", Text: "x"}}, err: trace.ErrTruncated})
	if err != nil || !log.Truncated || len(log.Lost) != 1 || len(log.entries) != 2 {
		t.Errorf("got %v, truncated %v, lost %v, %d entries", err, log.Truncated, log.Lost, len(log.entries))
	}
	broken := fmt.Errorf("disk")
	if _, err := Load(&records{err: broken}); err == nil {
		t.Error("another error of the source is lost")
	}
}
