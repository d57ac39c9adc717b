package witness

import (
	"fmt"
	"slices"
	"strings"

	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/trace"
)

// Marks that the search leaves on candidates it did not confirm.
const (
	markNotFlipped = "not-flipped" // the holds ended idle: the other order cannot be had this way
	markPassed     = "passed"      // the other order was observed and nothing broke
	markUnstable   = "unstable"    // a steered run failed, its replays did not show it
	markUnjudged   = "unjudged"    // a steered run failed too late to be judged
	markFlaky      = "flaky"       // a steered run failed as runs without holds do
	markSameHold   = "same-hold"   // not tried: its hold is the witness of another finding
)

// unstable notes that the failure of h could not be shown again.
func (b *book) unstable(h *hit, replay finding.Replay) {
	b.doubt(h, markUnstable, fmt.Sprintf("steered run %d failed, but only %d of %d replays showed it: %s",
		h.found.Run, replay.Shown, replay.Of, firstLine(failureMessage(h.last))))
}

// timing writes a failure that a pause shows as well. The candidate stays open:
// another schedule may break it by order.
func (b *book) timing(h *hit, replay finding.Replay) {
	i := h.owner
	if i < 0 {
		i = b.explainedBy(h.schedule)
	}
	if i < 0 {
		i = b.entryOf(b.unpredicted(h))
	}
	e := b.entries[i]
	if e.confirmed {
		return
	}
	e.slow = true
	e.finding.Verdict = finding.Timing
	e.finding.Replay = &replay
	e.finding.Failure = failureMessage(h.last)
	e.finding.FoundBy = h.found
	e.finding.Holds = b.describe(h.schedule, h.last)
	b.paused = append(b.paused, pairsOf(h.schedule))
}

// unjudged notes that there was no time to judge h.
func (b *book) unjudged(h *hit) {
	b.doubt(h, markUnjudged, fmt.Sprintf("steered run %d failed when the budget was used up, so it was not judged: %s",
		h.found.Run, firstLine(failureMessage(h.last))))
}

// flaky notes that the last of the control runs failed. The failure gets a
// finding of its own; the candidate stays predicted, for what its holds do is
// not known.
func (b *book) flaky(h *hit, control trace.Observation, replay finding.Replay) {
	f := finding.Finding{
		Rule: finding.RuleFlakyTest, Verdict: finding.Predicted,
		Places: []finding.Place{}, Tests: []string{}, Marks: []finding.Mark{},
		Replay: &replay, Failure: failureMessage(control), FoundBy: h.found,
	}
	key := failureKey(control)
	if key == h.failure { // else it may be another test that failed
		f.Tests = b.testsOf(h)
	}
	f.ID = finding.Fingerprint(f)
	b.entryOf(f)
	b.flakyKeys[key] = true
	b.flakyHit(h)
}

func (b *book) flakyHit(h *hit) {
	b.doubt(h, markFlaky, fmt.Sprintf("steered run %d failed, but a control run without holds failed too", h.found.Run))
}

func (b *book) doubt(h *hit, name, why string) {
	if h.owner >= 0 {
		b.entries[h.owner].doubt = &finding.Mark{Name: name, Why: why}
	}
}

// unpredicted is the finding of a hit that no candidate explains: its places
// are those of the held operations.
func (b *book) unpredicted(h *hit) finding.Finding {
	f := finding.Finding{
		Rule: finding.RuleScheduleFailure, Verdict: finding.Predicted,
		Places: []finding.Place{}, Tests: b.testsOf(h), Marks: []finding.Mark{}, Failure: failureMessage(h.last),
	}
	if h.outcome == trace.Hung {
		f.Rule = finding.RuleScheduleHang
	}
	var apis []string
	for _, hold := range h.schedule.Holds {
		point := b.points[hold.Point]
		if point.Site.Path != "" {
			f.Places = append(f.Places, point.Site)
		}
		if point.API != "" && !slices.Contains(apis, point.API) {
			apis = append(apis, point.API)
		}
	}
	if len(apis) > 0 {
		f.Resource = "order of " + strings.Join(apis, ", ")
	}
	f.ID = finding.Fingerprint(f)
	return f
}

// testsOf gives the tests of the candidate that h was meant for and of the
// operations that it holds.
func (b *book) testsOf(h *hit) []string {
	tests := []string{}
	if h.owner >= 0 {
		tests = b.entries[h.owner].finding.Tests
	}
	for _, hold := range h.schedule.Holds {
		if test := b.points[hold.Point].Test; test != "" {
			tests = union(tests, []string{test})
		}
	}
	return tests
}

// describe puts s into words, one line a hold. Names come from the recording,
// else from the run that showed the failure.
func (b *book) describe(s trace.Schedule, o trace.Observation) []string {
	name := func(hash uint32) string {
		if p, known := b.points[hash]; known {
			return p.Name
		}
		for _, r := range o.Releases {
			if r.Hold.Point == hash {
				return r.Name
			}
		}
		return ""
	}
	var lines []string
	for _, h := range s.Holds {
		lines = append(lines, h.Describe(name))
	}
	return lines
}

// findings closes the book: verdicts and marks of what was not confirmed, ranks
// of what has no candidate.
func (b *book) findings() []finding.Finding {
	findings := []finding.Finding{}
	for i, e := range b.entries {
		if e.merged {
			continue
		}
		if i >= b.candidates {
			e.finding.Rank = i + 1
		} else if !e.confirmed && !e.slow {
			b.judgeTried(e)
		}
		findings = append(findings, e.finding)
	}
	return findings
}

// judgeTried gives a candidate without a witness its verdict and at most two marks.
func (b *book) judgeTried(e *entry) {
	mark := func(name, why string) {
		e.finding.Marks = append(e.finding.Marks, finding.Mark{Name: name, Why: why})
	}
	switch {
	case e.reached > 0:
		e.finding.Verdict = finding.Feasible
		mark(markPassed, fmt.Sprintf("the other order was observed in %d of %d steered runs, and the tests passed", e.reached, e.tried))
	case e.idle > 0 && e.idle == e.tried:
		mark(markNotFlipped, "every hold ended because nothing else could happen: the other order was not reached")
	case e.tried == 0:
		if witness, all := b.heldBy(e.schedules); all {
			mark(markSameHold, fmt.Sprintf("not tried: it holds the same operation as the witness %s", witness))
		}
	}
	if e.doubt != nil {
		e.finding.Marks = append(e.finding.Marks, *e.doubt)
	}
}

// heldBy gives the witness of the first schedule if a confirmed witness makes
// every one of them needless.
func (b *book) heldBy(schedules []trace.Schedule) (string, bool) {
	first := ""
	for _, s := range schedules {
		if len(s.Holds) == 0 {
			continue
		}
		witness, held := b.witnessOf(pairOf(s.Holds[0]))
		if !held {
			return "", false
		}
		if first == "" {
			first = witness
		}
	}
	return first, first != ""
}

// union gives all names, sorted, each once.
func union(a, b []string) []string {
	all := append(append([]string{}, a...), b...)
	slices.Sort(all)
	return slices.Compact(all)
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
