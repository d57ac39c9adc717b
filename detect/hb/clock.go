package hb

// A clock maps chains to positions: all nodes of a chain up to that position
// come before the clock's owner. It is a persistent radix tree of small shared
// pages, so a clock that differs from its predecessor's in one entry costs one
// path (facts/analysis-performance.md section 2). The zero clock is empty.
type clock struct {
	root   uint32 // page number; 0 is the empty page
	height uint8  // levels: 16^height chains fit
}

const (
	pageBits  = 4
	pageSize  = 1 << pageBits
	chunkBits = 12
	memoBits  = 16
)

// page holds positions (lowest level) or page numbers (the levels above).
type page [pageSize]uint32

// clocks owns the pages of all clocks of one graph.
type clocks struct {
	chunks []*[1 << chunkBits]page
	next   uint32 // number of the next new page; page 0 is the empty one
	memo   []merged
}

// merged remembers the join of two pages of one level.
type merged struct {
	a, b, result uint32
	height       uint8
}

func newClocks() *clocks {
	c := &clocks{memo: make([]merged, 1<<memoBits)}
	c.alloc()
	return c
}

func (c *clocks) page(n uint32) *page {
	return &c.chunks[n>>chunkBits][n&(1<<chunkBits-1)]
}

func (c *clocks) alloc() uint32 {
	if int(c.next>>chunkBits) == len(c.chunks) {
		c.chunks = append(c.chunks, new([1 << chunkBits]page))
	}
	c.next++
	return c.next - 1
}

// get returns the position of chain in k, 0 if there is none.
func (c *clocks) get(k clock, chain uint32) uint32 {
	if k.height == 0 || uint64(chain)>>(pageBits*uint(k.height)) != 0 {
		return 0
	}
	n := k.root
	for level := uint(k.height) - 1; n != 0; level-- {
		n = c.page(n)[chain>>(pageBits*level)&(pageSize-1)]
		if level == 0 {
			return n
		}
	}
	return 0
}

// raise makes k at least as high as needed for chain.
func (c *clocks) raise(k clock, height uint8) clock {
	for k.height < height {
		if k.root != 0 {
			n := c.alloc()
			c.page(n)[0] = k.root
			k.root = n
		}
		k.height++
	}
	return k
}

func heightFor(chain uint32) uint8 {
	height := uint8(1)
	for chain >>= pageBits; chain != 0; chain >>= pageBits {
		height++
	}
	return height
}

// with returns k with the entry of chain raised to position.
func (c *clocks) with(k clock, chain, position uint32) clock {
	if c.get(k, chain) >= position {
		return k
	}
	k = c.raise(k, max(k.height, heightFor(chain)))
	k.root = c.set(k.root, k.height, chain, position)
	return k
}

func (c *clocks) set(n uint32, height uint8, chain, position uint32) uint32 {
	copied := c.alloc()
	*c.page(copied) = *c.page(n)
	slot := chain >> (pageBits * uint(height-1)) & (pageSize - 1)
	if height == 1 {
		c.page(copied)[slot] = position
	} else {
		child := c.set(c.page(n)[slot], height-1, chain, position)
		c.page(copied)[slot] = child
	}
	return copied
}

// join returns the entry-wise maximum of a and b.
func (c *clocks) join(a, b clock) clock {
	switch {
	case b.root == 0 || a == b:
		return a
	case a.root == 0:
		return b
	}
	height := max(a.height, b.height)
	a, b = c.raise(a, height), c.raise(b, height)
	return clock{root: c.merge(a.root, b.root, height), height: height}
}

// merge joins two pages of one level. A page that dominates is returned itself,
// so joins along one flow of causes make no garbage; the memo table takes
// repeated joins of shared parts.
func (c *clocks) merge(a, b uint32, height uint8) uint32 {
	switch {
	case a == b || b == 0:
		return a
	case a == 0:
		return b
	}
	slot := &c.memo[(a*0x9e3779b1^b*0x85ebca6b)>>(32-memoBits)]
	if slot.a == a && slot.b == b && slot.height == height {
		return slot.result
	}
	pa, pb := c.page(a), c.page(b)
	out := *pa
	likeA, likeB := true, true
	for i := range out {
		if height == 1 {
			out[i] = max(pa[i], pb[i])
		} else {
			out[i] = c.merge(pa[i], pb[i], height-1)
		}
		likeA = likeA && out[i] == pa[i]
		likeB = likeB && out[i] == pb[i]
	}
	result := a
	switch {
	case likeA:
	case likeB:
		result = b
	default:
		result = c.alloc()
		*c.page(result) = out
	}
	*slot = merged{a: a, b: b, result: result, height: height}
	return result
}
