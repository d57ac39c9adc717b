// Package classify judges candidates: it marks those that have the shape of
// harmless races and scores all of them. It takes candidates and the accesses of
// their location, changes nothing but Marks and Score, and never drops one: no
// mark was right for all true races (docs/rules.md).
package classify

import (
	"strings"

	"github.com/raceseed/raceseed/detect/hb"
	"github.com/raceseed/raceseed/detect/race"
	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/trace"
)

// subject is a candidate with what the conditions look at.
type subject struct {
	*race.Candidate
	g     *hb.Graph
	facts *Facts
	parts race.Example // the best example
}

// mark is one row of the table of marks.
type mark struct {
	name   string
	weight float64
	why    string
	holds  func(s *subject) bool
}

// Teardown is the mark of what a test does to clean up; it is not steered.
const Teardown = "teardown"

// marks is the table: name, weight in the score, reason, condition.
var marks = []mark{
	{"counter", -5, "all accesses count up or down, and sums do not depend on the order", (*subject).counter},
	{"same-value", -5, "the writes leave the same value in either order", (*subject).sameValue},
	{"no-change", -5, "no write in the recorded run changed the value", (*subject).noChange},
	{"atomic-rmw", -4, "whoever touches the location reads and writes it within one turn", (*subject).atomic},
	{"append", -4, "both accesses append, so nothing is overwritten", (*subject).appends},
	{"never-read", -4, "nothing reads the location after it was written", (*subject).neverRead},
	{Teardown, -4, "a synchronous deletion at the end of the run", (*subject).teardown},
	{"ad-hoc-sync", -4, "a two-valued location that many turns ask only in conditions: a hand-made lock", (*subject).lock},
	{"polled", -3, "a timer or immediate asks the location again and again until it changes", (*subject).polled},
	{"exclusive", -3, "both make the entry exclusively, so one of them fails on purpose", (*subject).exclusive},
	{"flag", -1, "a two-valued location that is asked only in conditions", (*subject).flag},
	{"guarded", -1, "every read of this nullable location stands behind a check", (*subject).guardedReads},
}

// counter: all sites are ++, -- or the like, reads only those of the update
// itself, and no await separates the two.
func (s *subject) counter() bool {
	for _, t := range s.parts {
		flags := s.g.Sites[t.Site].Flags
		if flags&trace.SiteArithmetic == 0 || flags&trace.SiteSplit != 0 {
			return false
		}
		if t.Kind == hb.Read && flags&trace.SiteUpdateRead == 0 {
			return false
		}
	}
	return s.facts.kind == hb.Memory
}

// sameValue: every example has two writes, all of one digest.
func (s *subject) sameValue() bool {
	for _, example := range s.Examples {
		writes, digest := 0, uint32(0)
		for _, t := range example {
			if t.Kind != hb.Write {
				continue
			}
			if writes > 0 && t.Digest != digest {
				return false
			}
			writes, digest = writes+1, t.Digest
		}
		if writes < 2 {
			return false
		}
	}
	return s.facts.kind == hb.Memory
}

func (s *subject) noChange() bool {
	return s.facts.kind == hb.Memory && s.facts.same && s.facts.writes > 1
}

func (s *subject) atomic() bool { return s.facts.kind == hb.Memory && s.facts.atomic }

// neverRead: only writes take part; a read that takes part could come later.
func (s *subject) neverRead() bool {
	for _, t := range s.parts {
		if !t.Kinds.Changes() {
			return false
		}
	}
	return s.facts.kind != hb.Listener && s.facts.writes > 0 && !s.facts.readLater
}

func (s *subject) appends() bool {
	for _, t := range s.parts {
		if t.Op == 0 || !strings.Contains(strings.ToLower(s.g.Ops[t.Op].API), "append") {
			return false
		}
	}
	return s.facts.kind == hb.File
}

// lastTurns is the least number of turns that count as the end of a run.
const lastTurns = 3

// teardown: an access is a synchronous deletion by application code in the last
// 12 % of the groups.
func (s *subject) teardown() bool {
	late := uint32(len(s.g.Groups) - max(len(s.g.Groups)*12/100, min(lastTurns, len(s.g.Groups))))
	for _, t := range s.parts {
		if t.Kind == hb.Delete && t.Op == 0 && InApplication(s.g.Sites[t.Site]) && s.g.GroupOf(t.Node) >= late {
			return s.facts.kind == hb.File
		}
	}
	return false
}

// lockGroups is how many turns must touch a flag before it counts as a lock.
const lockGroups = 4

func (s *subject) twoValued() bool {
	return s.facts.kind == hb.Memory && s.facts.asked && s.facts.readLater && s.facts.values <= 2
}

func (s *subject) lock() bool { return s.twoValued() && s.facts.groups >= lockGroups }

func (s *subject) flag() bool { return s.twoValued() && s.facts.groups < lockGroups }

func (s *subject) guardedReads() bool {
	return s.facts.kind == hb.Memory && s.facts.nullable && s.facts.guarded && s.facts.readLater && !s.facts.asked
}

func (s *subject) polled() bool {
	for _, t := range s.parts {
		if t.Kind == hb.Read && s.facts.polledSites[t.Site] {
			return s.facts.kind == hb.Memory
		}
	}
	return false
}

// exclusive: link and symlink fail if the entry is there. Other calls that do so
// (wx, mkdir that is not recursive) have options which the trace does not show.
func (s *subject) exclusive() bool {
	for _, t := range s.parts {
		if t.Op == 0 || t.Kind != hb.Create {
			return false
		}
		api := s.g.Ops[t.Op].API
		if name := api[strings.LastIndex(api, ".")+1:]; name != "link" && name != "symlink" {
			return false
		}
	}
	return s.facts.kind == hb.File
}

// Apply marks and scores a candidate of the location that x indexes.
func Apply(c *race.Candidate, x *race.Index, facts *Facts) {
	s := &subject{Candidate: c, g: x.Graph, facts: facts, parts: c.Examples[0]}
	c.Marks = []finding.Mark{}
	c.Score = s.base(x)
	for _, m := range marks {
		if m.holds(s) {
			c.Marks = append(c.Marks, finding.Mark{Name: m.name, Why: m.why})
			c.Score += m.weight
		}
	}
}
