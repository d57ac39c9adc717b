// Package race finds pairs of unordered, conflicting accesses of one location.
// It takes the accesses of a location and their order, gives one candidate per
// static pair with a bounded number of examples, and never judges whether a race
// does harm.
package race

import (
	"github.com/raceseed/raceseed/detect/hb"
	"github.com/raceseed/raceseed/finding"
)

// MaxExamples bounds the dynamic examples that a candidate keeps.
const MaxExamples = 8

// Example is one occurrence of a candidate in the recorded run: a pair in the
// order seen, or a triple e, t, u whose t may fall between e and u.
type Example []Touch

// Candidate is one static pair or triple of places on one location.
type Candidate struct {
	Rule     string // rule id of package finding
	Pattern  string // write-read, RWR, check-act, …
	Location uint32
	Examples []Example // the closest accesses first; at least one
	Count    int       // dynamic occurrences that were seen
	Marks    []finding.Mark
	Score    float64
}

// Touch is what one node did to a location at one site: one memory access, or
// all kinds of file accesses of one operation.
type Touch struct {
	hb.Access
	Kinds Kinds
}

// Kinds is a set of access kinds.
type Kinds uint16

// Of makes a set of one kind.
func Of(kind hb.AccessKind) Kinds { return 1 << kind }

// Has reports whether the set has the kind.
func (k Kinds) Has(kind hb.AccessKind) bool { return k&Of(kind) != 0 }

// Changes reports whether the set has a kind that changes the location.
func (k Kinds) Changes() bool { return k&(Of(hb.Create)|Of(hb.Delete)|Of(hb.Write)) != 0 }

const (
	allKinds = 1<<hb.Create | 1<<hb.Delete | 1<<hb.Read | 1<<hb.Write | 1<<hb.Open | 1<<hb.Close | 1<<hb.Stat
	entering = 1<<hb.Create | 1<<hb.Delete
)

// conflicts is table I of NRace (ASE 2021): which kinds of file accesses
// conflict with a kind. Reads and writes of memory have its rows Read and Write.
var conflicts = [8]Kinds{
	hb.Create: allKinds,
	hb.Delete: allKinds,
	hb.Read:   entering | 1<<hb.Write | 1<<hb.Close,
	hb.Write:  entering | 1<<hb.Read | 1<<hb.Write | 1<<hb.Open | 1<<hb.Close,
	hb.Open:   entering | 1<<hb.Write | 1<<hb.Close,
	hb.Close:  entering | 1<<hb.Read | 1<<hb.Write | 1<<hb.Open | 1<<hb.Close,
	hb.Stat:   entering,
}

// severity orders kinds by how much a conflict of theirs matters to people.
var severity = [...]hb.AccessKind{hb.Delete, hb.Write, hb.Create, hb.Read, hb.Stat, hb.Open, hb.Close}

// Conflict returns the most telling pair of kinds of two touches that conflict.
func Conflict(location hb.LocationKind, a, b Kinds) (ka, kb hb.AccessKind, ok bool) {
	if location == hb.Listener {
		// Attaching (write) conflicts with emitting (read), nothing else does.
		switch {
		case a.Has(hb.Write) && b.Has(hb.Read):
			return hb.Write, hb.Read, true
		case a.Has(hb.Read) && b.Has(hb.Write):
			return hb.Read, hb.Write, true
		}
		return 0, 0, false
	}
	for _, ka = range severity {
		if !a.Has(ka) || conflicts[ka]&b == 0 {
			continue
		}
		for _, kb = range severity {
			if conflicts[ka].Has(kb) && b.Has(kb) {
				return ka, kb, true
			}
		}
	}
	return 0, 0, false
}

// Main returns the most telling kind of a set.
func (k Kinds) Main() hb.AccessKind {
	for _, kind := range severity {
		if k.Has(kind) {
			return kind
		}
	}
	return 0
}

// Name returns the word for a kind of access: as in finding.Place.Access.
func Name(location hb.LocationKind, kind hb.AccessKind) string {
	if location == hb.Listener {
		return [...]string{hb.Read: "emit", hb.Write: "listen"}[kind]
	}
	return [...]string{
		hb.Create: "create", hb.Delete: "delete", hb.Read: "read", hb.Write: "write",
		hb.Open: "open", hb.Close: "close", hb.Stat: "stat",
	}[kind]
}
