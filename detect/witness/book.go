package witness

import (
	"slices"

	"github.com/raceseed/raceseed/detect/candidate"
	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/trace"
)

// book keeps what the search knows: the state of every candidate, the confirmed
// witnesses and the failures that need no hold. What it once skips it skips for
// ever, so that a run started ahead is needless only by an earlier result.
type book struct {
	entries    []*entry // the candidates, then findings without one
	candidates int
	owners     map[string][]int // candidates by key of their schedules, by rank
	points     map[uint32]candidate.Point
	shown      []shownWitness
	flakyKeys  map[string]bool
	paused     [][]pair // holds of failures that a pause shows as well
}

// entry is one finding in the making.
type entry struct {
	finding   finding.Finding
	schedules []trace.Schedule
	confirmed bool
	slow      bool // it failed, and a pause shows the failure as well
	merged    bool // into another entry: not listed
	into      int  // that entry
	tried     int  // schedules that passed
	reached   int  // of these, with all holds until their horizons
	idle      int  // of these, with none: the order cannot be had
	doubt     *finding.Mark
}

func (e *entry) settled() bool { return e.confirmed || e.merged }

// shownWitness is a confirmed witness, by what later hits are compared with.
type shownWitness struct {
	entry   int
	pairs   []pair
	points  []uint32
	failure string
	witness string
}

func newBook(p Plan) *book {
	b := &book{
		candidates: len(p.Candidates),
		owners:     map[string][]int{},
		points:     map[uint32]candidate.Point{},
		flakyKeys:  map[string]bool{},
	}
	for i, c := range p.Candidates {
		f := c.Finding
		f.Verdict = finding.Predicted
		f.Related = slices.Clone(f.Related) // the plan stays as it is
		f.Marks = slices.Clone(f.Marks)
		f.Tests = slices.Clone(f.Tests)
		b.entries = append(b.entries, &entry{finding: f, schedules: c.Schedules})
		for _, s := range c.Schedules {
			if key := scheduleKey(s); len(s.Holds) > 0 && !slices.Contains(b.owners[key], i) {
				b.owners[key] = append(b.owners[key], i)
			}
		}
	}
	for _, point := range p.Points {
		if _, known := b.points[point.Hash]; !known {
			b.points[point.Hash] = point
		}
	}
	return b
}

// skips reports whether s would tell nothing new: all its candidates are
// settled, or its first hold alone is a confirmed witness.
func (b *book) skips(s step) bool {
	if len(s.steering.Schedule.Holds) == 0 {
		return false
	}
	if s.candidate >= 0 && b.owner(s) < 0 {
		return true
	}
	_, held := b.witnessOf(pairOf(s.steering.Schedule.Holds[0]))
	return held
}

// witnessOf gives the confirmed witness that holds p and nothing else.
func (b *book) witnessOf(p pair) (string, bool) {
	for _, w := range b.shown {
		if slices.Equal(w.pairs, []pair{p}) {
			return w.witness, true
		}
	}
	return "", false
}

// owner is the best candidate with the schedule of s that is not settled, -1 if
// there is none. Equal schedules of several candidates are run once.
func (b *book) owner(s step) int {
	if s.candidate < 0 {
		return -1
	}
	for _, i := range b.owners[scheduleKey(s.steering.Schedule)] {
		if !b.entries[i].settled() {
			return i
		}
	}
	return -1
}

// explainedBy is the best candidate one of whose schedules holds all that s
// holds, else the best one all of whose held operations stand at its places or
// where its callbacks were started; -1 if there is none.
func (b *book) explainedBy(s trace.Schedule) int {
	held := pairsOf(s)
	for i, e := range b.entries[:b.candidates] {
		for _, schedule := range e.schedules {
			if contains(pairsOf(schedule), held) {
				return b.intoOf(i)
			}
		}
	}
	for i, e := range b.entries[:b.candidates] {
		if len(s.Holds) > 0 && !slices.ContainsFunc(s.Holds, func(h trace.Hold) bool { return !e.touches(b.points[h.Point].Site) }) {
			return b.intoOf(i)
		}
	}
	return -1
}

// intoOf follows an entry to the one that it was merged into.
func (b *book) intoOf(i int) int {
	for b.entries[i].merged {
		i = b.entries[i].into
	}
	return i
}

// touches reports whether the operation started at site makes an access of the
// entry, or ends in the callback that does.
func (e *entry) touches(site finding.Place) bool {
	if site.Path == "" {
		return false
	}
	at := func(p finding.Place) bool {
		return p.Path == site.Path && p.Line == site.Line ||
			p.Origin != nil && p.Origin.Path == site.Path && p.Origin.Line == site.Line
	}
	return slices.ContainsFunc(e.finding.Places, at) || slices.ContainsFunc(e.finding.Related, at)
}

// passed notes a run that passed for all candidates with its schedule.
func (b *book) passed(s trace.Schedule, o trace.Observation) {
	for _, i := range b.owners[scheduleKey(s)] {
		e := b.entries[i]
		e.tried++
		if allReached(s, o) {
			e.reached++
		} else if allIdle(o) {
			e.idle++
		}
	}
}

// knows reports whether h is nothing new, and merges it if it is not: a failure
// that needs no hold, a hit of a confirmed witness, or another witness of a
// confirmed candidate.
func (b *book) knows(h *hit) bool {
	if b.flakyKeys[h.failure] {
		b.flakyHit(h)
		return true
	}
	held := pairsOf(h.schedule)
	if slices.ContainsFunc(b.paused, func(pairs []pair) bool { return slices.Equal(pairs, held) }) {
		return true
	}
	for _, w := range b.shown {
		if w.explains(h) || h.owner < 0 && w.failure == h.failure && b.sameTests(h, w) {
			b.merge(h, w.entry)
			return true
		}
	}
	if h.owner >= 0 {
		return false
	}
	i := b.explainedBy(h.schedule)
	return i >= 0 && b.entries[i].confirmed
}

// sameTests reports whether the failure of h can be that of w again: without a
// prediction, one message of one test is one finding.
func (b *book) sameTests(h *hit, w shownWitness) bool {
	theirs, ours := b.entries[w.entry].finding.Tests, b.testsOf(h)
	return len(theirs) == 0 || len(ours) == 0 ||
		slices.ContainsFunc(ours, func(test string) bool { return slices.Contains(theirs, test) })
}

// explains reports whether h is this witness again: the same pairs, or the same
// failure with the same points. The explicit schedule of a draw counts before
// it is shrunk if it holds these pairs among others: it would shrink to them.
func (w shownWitness) explains(h *hit) bool {
	held := pairsOf(h.schedule)
	if slices.Equal(w.pairs, held) {
		return true
	}
	if w.failure != h.failure {
		return false
	}
	return slices.Equal(w.points, pointsOf(h.schedule)) || h.drawn && contains(held, w.pairs)
}

// merge gives the places of the candidate of h to the entry that shows it.
func (b *book) merge(h *hit, into int) {
	if h.owner < 0 || h.owner == into {
		return
	}
	from, to := b.entries[h.owner], b.entries[into]
	from.merged, from.into = true, into
	for _, p := range append(slices.Clone(from.finding.Places), from.finding.Related...) {
		to.relate(p)
	}
	to.finding.Tests = union(to.finding.Tests, from.finding.Tests)
}

// relate adds p unless the finding has that access already.
func (e *entry) relate(p finding.Place) {
	same := func(q finding.Place) bool {
		return p.Path == q.Path && p.Line == q.Line && p.Column == q.Column && p.Access == q.Access
	}
	if !slices.ContainsFunc(e.finding.Places, same) && !slices.ContainsFunc(e.finding.Related, same) {
		e.finding.Related = append(e.finding.Related, p)
	}
}

// confirm writes h into the finding of its candidate, or of the best one that
// explains it, or into a new one.
func (b *book) confirm(h *hit, replay finding.Replay) error {
	i := h.owner
	if i < 0 {
		i = b.explainedBy(h.schedule)
	}
	if i < 0 {
		i = b.entryOf(b.unpredicted(h))
	}
	if err := b.show(i, h, replay); err != nil {
		return err
	}
	// candidates with the very schedule, before or after shrinking, would show the same
	for _, s := range []trace.Schedule{h.planned, h.schedule} {
		for _, other := range b.owners[scheduleKey(s)] {
			if !b.entries[other].settled() {
				b.merge(&hit{owner: other}, i)
			}
		}
	}
	return nil
}

// known writes a witness of the baseline that showed again into the candidate
// of that ID. Without one it gets a finding of its own: giving it to a
// candidate with another ID would make a known finding look new.
func (b *book) known(k KnownWitness, o trace.Observation, replay finding.Replay) error {
	h := &hit{owner: -1, schedule: k.Schedule, outcome: o.Outcome, failure: failureKey(o), last: o}
	f := b.unpredicted(h)
	f.ID = k.ID
	if k.Rule != "" {
		f.Rule = k.Rule
	}
	return b.show(b.entryOf(f), h, replay)
}

// show makes entry i a confirmed finding with the witness of h. An entry that
// has a witness keeps it: h is another one of the same finding.
func (b *book) show(i int, h *hit, replay finding.Replay) error {
	witness, err := h.schedule.Witness()
	if err != nil {
		return err
	}
	if e := b.entries[i]; !e.confirmed {
		e.confirmed = true
		e.finding.Verdict = finding.Confirmed
		e.finding.Witness = witness
		e.finding.Holds = b.describe(h.schedule, h.last)
		e.finding.Replay = &replay
		e.finding.Failure = failureMessage(h.last)
		e.finding.FoundBy = h.found
	}
	b.shown = append(b.shown, shownWitness{
		entry: i, pairs: pairsOf(h.schedule), points: pointsOf(h.schedule), failure: h.failure, witness: witness,
	})
	return nil
}

// confirmedAnew counts the confirmed findings that no known witness showed.
func (b *book) confirmedAnew() int {
	n := 0
	for _, e := range b.entries {
		if e.confirmed && e.finding.FoundBy != nil {
			n++
		}
	}
	return n
}

// entryOf is the entry with the ID of f, a new one with f if there is none.
func (b *book) entryOf(f finding.Finding) int {
	if i := slices.IndexFunc(b.entries, func(e *entry) bool { return e.finding.ID == f.ID }); i >= 0 {
		return i
	}
	b.entries = append(b.entries, &entry{finding: f})
	return len(b.entries) - 1
}
