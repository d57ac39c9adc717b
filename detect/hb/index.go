package hb

// index gives the ids of a trace dense numbers from 1 in the order they come
// up; id 0 ("none") stays 0. Node's ids are nearly dense, so most live in a
// slice; a damaged or hand-written trace with huge ids falls back to a map.
type index struct {
	near []uint32
	far  map[uint64]uint32
	last uint32
}

// of returns the number of id and makes one if there is none yet.
func (x *index) of(id uint64) uint32 {
	if id == 0 {
		return 0
	}
	if n := x.known(id); n != 0 {
		return n
	}
	x.last++
	if id < uint64(4*len(x.near)+1<<14) {
		for uint64(len(x.near)) <= id {
			x.near = append(x.near, 0)
		}
		x.near[id] = x.last
		return x.last
	}
	if x.far == nil {
		x.far = map[uint64]uint32{}
	}
	x.far[id] = x.last
	return x.last
}

// known returns the number of id, 0 if it never came up.
func (x *index) known(id uint64) uint32 {
	if id < uint64(len(x.near)) && x.near[id] != 0 {
		return x.near[id]
	}
	return x.far[id]
}
