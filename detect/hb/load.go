package hb

import (
	"errors"
	"fmt"
	"io"

	"github.com/raceseed/raceseed/trace"
)

// loader fills a Log in one pass.
type loader struct {
	*Log
	ids, ops, sites, objects, socks index
	locations                       map[Location]uint32
	types                           map[string]uint16

	turn      uint32 // raw number of the running turn
	scopes    []uint32
	open      []uint32 // combinators whose call runs
	openTests []uint32
}

// Load reads a whole trace. A truncated trace is kept up to its last complete
// record; any other error of the source is returned.
func Load(src trace.Source) (*Log, error) {
	l := &loader{
		Log: &Log{
			Sites: make([]Site, 1), Objects: make([]Object, 1), Locations: make([]Location, 1),
			byDelay: map[uint32][]uint32{}, Ops: make([]Op, 1), Tests: make([]Test, 1), Types: make([]string, 1), entries: make([]entry, 1),
			resources: make([]resource, 1), timers: make([]timer, 1), combos: make([]combo, 1),
			spans: make([]span, 1), sockets: make([]socket, 1),
		},
		locations: map[Location]uint32{}, types: map[string]uint16{"": 0},
	}
	for {
		record, err := src.Next()
		switch {
		case err == nil:
			l.record(record)
			continue
		case errors.Is(err, io.EOF):
		case errors.Is(err, trace.ErrTruncated):
			l.Truncated = true
		default:
			return nil, fmt.Errorf("read trace: %w", err)
		}
		break
	}
	l.matchSockets()
	l.markCuts()
	return l.Log, nil
}

func (l *loader) record(r trace.Record) {
	switch r.Kind {
	case trace.KindProcess:
		l.Process = Process{PID: r.PID, Thread: r.Thread, UV: r.UV}
	case trace.KindSite:
		*at(&l.Sites, l.sites.of(r.ID)) = Site{
			File: r.Path, Line: int(r.Line), Column: int(r.Column), Function: r.Function, Name: r.Name, Flags: r.Flags,
		}
	case trace.KindLost:
		l.Lost = append(l.Lost, r.Name+": "+r.Text)
	case trace.KindEnd:
		l.Ended = true
	case trace.KindObject:
		*at(&l.Objects, l.objects.of(r.ID)) = Object{Kind: r.Type, Label: r.Name}
	case trace.KindRead, trace.KindWrite:
		l.memory(r)
	default:
		if r.Kind >= trace.KindInit && r.Kind <= trace.KindTest {
			l.entries = append(l.entries, l.order(r))
		}
	}
}

// order keeps one order record: its meaning in the tables, the rest in an entry.
func (l *loader) order(r trace.Record) entry {
	e := entry{kind: r.Kind}
	switch r.Kind {
	case trace.KindInit:
		return l.init(r)
	case trace.KindBefore:
		e.a = l.resource(r.ID)
		l.before(e.a)
	case trace.KindAfter:
		if len(l.scopes) > 0 {
			l.scopes = l.scopes[:len(l.scopes)-1]
		}
		l.open = l.open[:0]
		l.lastAfter = l.ordinal()
	case trace.KindResolve:
		e.a = l.resource(r.ID)
		l.settle(e.a)
	case trace.KindCombine:
		l.combos = append(l.combos, combo{race: r.Type == "race" || r.Type == "any"})
		l.open = append(l.open, uint32(len(l.combos)-1))
	case trace.KindCombined:
		e.a = l.resource(r.ID)
		l.combined(e.a)
	case trace.KindTimer:
		e.a = l.resource(r.ID)
		l.timers = append(l.timers, timer{
			delay: uint32(r.Delay), repeat: r.Repeat != 0, unref: r.Unref != 0, made: l.ordinal(),
		})
		l.resources[e.a].timer = uint32(len(l.timers) - 1)
		l.byDelay[uint32(r.Delay)] = append(l.byDelay[uint32(r.Delay)], uint32(len(l.timers)-1))
	case trace.KindClear, trace.KindRefresh:
		e.a = l.resource(r.ID)
		l.touch(r.Kind, e.a)
	case trace.KindOp:
		e.a = l.op(r)
	case trace.KindDone:
		e.a = l.opNumber(r.Op)
	case trace.KindFile:
		e.a = l.opNumber(r.Op)
		l.Accesses = append(l.Accesses, Access{
			Number: uint32(len(l.Accesses)), Ordinal: l.ordinal(), Location: l.location(Location{Kind: File, Key: r.Path}), Site: l.site(r.Site),
			Op: e.a, Kind: AccessKind(r.Access),
		})
	case trace.KindSocket:
		e.a = l.socket(r.ID)
		l.sockets[e.a] = socket{local: r.Key, remote: r.Remote, op: l.opNumber(r.Op), ordinal: l.ordinal()}
	case trace.KindWrote, trace.KindGot:
		l.spans = append(l.spans, span{socket: l.socket(r.ID), from: r.From, to: r.To})
		e.a = uint32(len(l.spans) - 1)
	case trace.KindTest:
		e.a, e.b = l.test(r), uint32(r.Phase)
	}
	return e
}

// ordinal of the order record that is being read.
func (l *loader) ordinal() uint32 { return uint32(len(l.entries)) }

func (l *loader) init(r trace.Record) entry {
	n := l.resource(r.ID)
	trigger, exec := l.resource(r.Trigger), l.resource(r.Exec)
	e := entry{kind: r.Kind, a: n, b: exec}
	res := &l.resources[n]
	*res = resource{class: classes[r.Type], kind: l.kind(r.Type), trigger: trigger, exec: exec, initOrdinal: l.ordinal(), initTurn: l.turn}
	if res.class != promise || len(l.open) == 0 {
		return e
	}
	c := &l.combos[l.open[len(l.open)-1]]
	if c.result == 0 {
		c.result = n
	} else if res.trigger != res.exec {
		c.members = append(c.members, res.trigger)
	}
	return e
}

// kind numbers a resource type; a trace with absurdly many keeps the first ones.
func (l *loader) kind(name string) uint16 {
	n, ok := l.types[name]
	if !ok && len(l.Types) < 1<<16 {
		n = uint16(len(l.Types))
		l.Types = append(l.Types, name)
		l.types[name] = n
	}
	return n
}

func (l *loader) before(n uint32) {
	l.Events++
	res := &l.resources[n]
	if len(l.scopes) == 0 && !res.class.micro() {
		l.turn++
	}
	l.scopes = append(l.scopes, n)
	l.open = l.open[:0] // one that threw
	l.lastAfter = 0
	if t := &l.timers[res.timer]; res.timer != 0 && t.fired == 0 {
		t.fired = l.ordinal()
	}
}

func (l *loader) settle(n uint32) {
	res := &l.resources[n]
	res.settleOrdinal, res.settleTurn = l.ordinal(), l.turn
	if res.combo != 0 && len(l.scopes) > 0 {
		l.combos[res.combo].winner = l.resources[l.scopes[len(l.scopes)-1]].trigger
	}
}

func (l *loader) combined(result uint32) {
	if len(l.open) == 0 {
		return
	}
	n := l.open[len(l.open)-1]
	l.open = l.open[:len(l.open)-1]
	if result != 0 {
		l.combos[n].result = result
	}
	l.resources[l.combos[n].result].combo = n
	l.resources[0] = resource{}
}

func (l *loader) touch(kind trace.Kind, n uint32) {
	if l.resources[n].timer == 0 {
		return
	}
	t := &l.timers[l.resources[n].timer]
	if kind == trace.KindRefresh {
		t.touched = true
	} else if t.cleared == 0 {
		t.cleared = l.ordinal()
	}
}

func (l *loader) op(r trace.Record) uint32 {
	n := l.opNumber(r.Op)
	op := Op{
		API: r.Name, Point: r.Point, Hash: r.Hash, Site: l.site(r.Site), Promise: l.resource(r.Promise),
		Flags: r.Flags, Ordinal: l.ordinal(),
	}
	if len(l.openTests) > 0 {
		op.Test = l.openTests[len(l.openTests)-1]
	}
	// The record of a timer's op follows that of the timer at once.
	if last := l.entries[len(l.entries)-1]; op.Flags&trace.OpTimer != 0 && last.kind == trace.KindTimer {
		t := &l.timers[l.resources[last.a].timer]
		op.DelayMs, t.op = int(t.delay), n
	}
	if op.Promise != 0 {
		l.resources[op.Promise].op = n
	}
	l.Ops[n] = op
	return n
}

func (l *loader) test(r trace.Record) uint32 {
	if r.Phase == 0 {
		l.Tests = append(l.Tests, Test{Name: r.Name, File: r.Path})
		l.openTests = append(l.openTests, uint32(len(l.Tests)-1))
		l.noteTest()
		return uint32(len(l.Tests) - 1)
	}
	for i := len(l.openTests) - 1; i >= 0; i-- {
		n := l.openTests[i]
		if t := l.Tests[n]; t.Name == r.Name && (r.Path == "" || t.File == r.Path) {
			l.openTests = append(l.openTests[:i], l.openTests[i+1:]...)
			l.noteTest()
			return n
		}
	}
	return 0
}

func (l *loader) noteTest() {
	change := testChange{ordinal: l.ordinal()}
	if len(l.openTests) > 0 {
		change.test = l.openTests[len(l.openTests)-1]
	}
	l.testAt = append(l.testAt, change)
}

func (l *loader) memory(r trace.Record) {
	now := uint64(len(l.entries) - 1)
	if r.Back > now {
		r.Back = now
	}
	object := l.objects.of(r.Object)
	at(&l.Objects, object)
	kind := Memory
	if l.Objects[object].Kind == "listeners" {
		kind = Listener
	}
	a := Access{
		Number: uint32(len(l.Accesses)), Ordinal: uint32(now - r.Back), Location: l.location(Location{Kind: kind, Object: object, Key: r.Key}),
		Site: l.site(r.Site), Digest: uint32(r.Digest), Kind: Read,
	}
	if r.Kind == trace.KindWrite {
		a.Kind = Write
	}
	l.Accesses = append(l.Accesses, a)
}

func (l *loader) location(key Location) uint32 {
	n, ok := l.locations[key]
	if !ok {
		n = uint32(len(l.Locations))
		l.Locations = append(l.Locations, key)
		l.locations[key] = n
	}
	return n
}

func (l *loader) resource(id uint64) uint32 {
	n := l.ids.of(id)
	at(&l.resources, n)
	return n
}

func (l *loader) opNumber(id uint64) uint32 {
	n := l.ops.of(id)
	at(&l.Ops, n)
	return n
}

func (l *loader) site(id uint64) uint32 {
	n := l.sites.of(id)
	at(&l.Sites, n)
	return n
}

func (l *loader) socket(id uint64) uint32 {
	n := l.socks.of(id)
	at(&l.sockets, n)
	return n
}

// at returns a place of the table, which grows as needed.
func at[T any](table *[]T, n uint32) *T {
	for uint32(len(*table)) <= n {
		var zero T
		*table = append(*table, zero)
	}
	return &(*table)[n]
}

// markCuts finds the promises whose subscription and settle lie in different
// turns: only their reactions can be floats, so only there must a segment end.
func (l *loader) markCuts() {
	for i := range l.resources {
		res := &l.resources[i]
		parent := &l.resources[res.trigger]
		if res.class != promise || res.trigger == res.exec || parent.class != promise {
			continue
		}
		if parent.settleOrdinal != 0 && parent.settleTurn != res.initTurn {
			res.cutInit, parent.cutSettle = true, true
		}
	}
	for _, c := range l.combos[1:] {
		for _, m := range c.members {
			l.resources[m].cutSettle = true
		}
	}
}
