package classify

import (
	"github.com/raceseed/raceseed/detect/hb"
	"github.com/raceseed/raceseed/trace"
)

// Facts is what the marks need to know of all accesses of one location.
type Facts struct {
	kind      hb.LocationKind
	object    hb.Object
	readLater bool // read after a write
	asked     bool // every read is in a condition
	writes    int
	values    int  // distinct digests written, counted up to 3
	same      bool // every write after the first leaves the digest as it was
	groups    int  // that touch it
	atomic    bool // each of them reads and writes, read first
	nullable  bool // null or undefined is written
	guarded   bool // every read is a condition, or behind one in its group

	polledSites map[uint32]bool // that poll the location
}

// Least numbers that make a read a polling one: turns of timers or immediates
// that read at the site, and how many of them before the value changed.
const (
	polls       = 3
	pollsBefore = 2
)

// Collect makes the facts of a location from its accesses in the order of the
// trace.
func Collect(g *hb.Graph, accesses []hb.Access) Facts {
	location := g.Locations[accesses[0].Location]
	f := Facts{kind: location.Kind, object: g.Objects[location.Object], asked: true, same: true, atomic: true, guarded: true}
	type touch struct{ read, wrote, asked bool }
	touches := map[uint32]*touch{}
	asks, changed := map[uint32]int{}, map[uint32]bool{}
	var digests []uint32
	last := uint32(0)
	for i := range accesses {
		a := &accesses[i]
		flags := g.Sites[a.Site].Flags
		group := g.GroupOf(a.Node)
		t := touches[group]
		if t == nil {
			t = &touch{}
			touches[group] = t
		}
		asked := flags&(trace.SiteCondition|trace.SiteLogical) != 0
		switch a.Kind {
		case hb.Read, hb.Stat, hb.Open:
			f.readLater = f.readLater || f.writes > 0
			f.asked = f.asked && asked
			f.guarded = f.guarded && (asked || t.asked)
			t.asked = t.asked || asked
			t.read = true
			if kind := g.Types[g.Groups[group].Type]; kind == "Timeout" || kind == "Immediate" {
				asks[a.Site]++
			}
		case hb.Write, hb.Create, hb.Delete:
			f.atomic = f.atomic && t.read
			f.nullable = f.nullable || flags&trace.SiteNullWrite != 0
			f.same = f.same && (f.writes == 0 || a.Digest == last)
			last = a.Digest
			f.writes++
			t.wrote = true
			for site, n := range asks {
				changed[site] = changed[site] || n >= pollsBefore
			}
			digests = distinct(digests, a.Digest)
		}
	}
	for _, t := range touches {
		f.atomic = f.atomic && t.read && t.wrote
	}
	f.groups, f.values = len(touches), len(digests)
	f.polledSites = map[uint32]bool{}
	for site, n := range asks {
		f.polledSites[site] = n >= polls && changed[site]
	}
	return f
}

// distinct adds a digest that is new; three are as good as many.
func distinct(digests []uint32, d uint32) []uint32 {
	for _, known := range digests {
		if known == d {
			return digests
		}
	}
	if len(digests) == 3 {
		return digests
	}
	return append(digests, d)
}
