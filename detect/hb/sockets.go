package hb

import (
	"sort"
	"strings"
)

// write is one run of bytes that a group put into a socket.
type write struct {
	from, to uint64
	group    uint32
	node     NodeID
}

// lastRead is the last turn that received bytes of a socket.
type lastRead struct {
	group  uint32
	writes []write // that it carried
}

// matchSockets finds the two ends of each loopback connection: TCP by reversed
// addresses, unix sockets as k-th connected and k-th accepted of a path. Ends of
// one key meet in the order they came up, because ports are used again.
func (l *loader) matchSockets() {
	waiting := map[string][]uint32{}
	for n := range l.sockets {
		s := &l.sockets[n]
		if s.ordinal == 0 {
			continue
		}
		own, other := s.keys()
		if ends := waiting[other]; len(ends) > 0 {
			s.peer, l.sockets[ends[0]].peer = ends[0], uint32(n)
			waiting[other] = ends[1:]
			continue
		}
		waiting[own] = append(waiting[own], uint32(n))
	}
}

// keys names this end and the one it is connected to.
func (s *socket) keys() (own, other string) {
	local, remote := strings.TrimPrefix(s.local, "::ffff:"), strings.TrimPrefix(s.remote, "::ffff:")
	if strings.Contains(local, ":") && strings.Contains(remote, ":") {
		return local + " " + remote, remote + " " + local
	}
	path := local + remote // a unix client has no address of its own
	if s.op != 0 {
		return "connected " + path, "accepted " + path
	}
	return "accepted " + path, "connected " + path
}

func (b *builder) wrote(n uint32) {
	s := &b.spans[n]
	b.sent[s.socket] = append(b.sent[s.socket], write{from: s.from, to: s.to, group: b.active, node: b.segment()})
}

// carried returns the writes whose bytes arrived with a span, and whether the
// other end is in this process. Of bytes of unordered writes in one chunk only
// the first write counts: another run may group them otherwise (N2). The end of
// a stream carries its last write (N4).
func (b *builder) carried(n uint32) (writes []write, traced bool) {
	s := &b.spans[n]
	peer := b.sockets[s.socket].peer
	if peer == 0 {
		return nil, false
	}
	sent := b.sent[peer]
	if s.from == s.to {
		return sent[max(0, len(sent)-1):], true
	}
	first := sort.Search(len(sent), func(i int) bool { return sent[i].to > s.from })
	for _, w := range sent[first:] {
		if w.from >= s.to {
			break
		}
		if len(writes) == 0 || b.follows(writes[0], w) {
			writes = append(writes, w)
		}
	}
	return writes, true
}

// follows reports whether write w comes at or after v in every execution.
func (b *builder) follows(v, w write) bool {
	return v.node == w.node || b.Ordered(v.node, w.node)
}

// received adds the edges of bytes that arrive at the head of a turn (N2–N4).
func (b *builder) received(j *joiner, in *entered, n uint32) {
	writes, traced := b.carried(n)
	in.traced = in.traced || traced
	last := &b.reads[b.spans[n].socket]
	inOrder := len(last.writes) > 0 && len(writes) > 0
	for _, w := range writes {
		j.add("N2", b.Groups[w.group].Tail)
		in.writer = w.group
		for _, v := range last.writes {
			inOrder = inOrder && b.follows(v, w)
		}
	}
	if inOrder {
		j.add("N3", b.Groups[last.group].Tail)
	}
}

// got notes what a read turn received. Bytes that arrive elsewhere than at the
// head of a turn enter here.
func (b *builder) got(n uint32) {
	writes, _ := b.carried(n)
	for _, w := range writes {
		b.enter("N2", b.Groups[w.group].Tail)
	}
	if len(writes) > 0 {
		b.reads[b.spans[n].socket] = lastRead{group: b.active, writes: writes}
	}
}
