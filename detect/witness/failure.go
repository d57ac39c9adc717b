package witness

import (
	"regexp"
	"slices"
	"strings"

	"github.com/raceseed/raceseed/trace"
)

// hungMessage stands for the failure of a run that was killed at its deadline:
// what it had printed until then says nothing.
const hungMessage = "the run did not end before its deadline"

// normalisers replace, one after the other, what differs between two showings
// of one failure.
var normalisers = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]"), ""},                       // colours
	{regexp.MustCompile(`[^\s"'()]*[/\\][^\s"'():]*`), "<path>"},             // and addresses of the web
	{regexp.MustCompile(`\b\d+(?:\.\d+)? ?(?:ms|s|m)\b`), "<n>"},             // durations
	{regexp.MustCompile(`(?i)\b(?:0x)?[0-9a-f-]*[0-9][0-9a-f.-]*\b`), "<n>"}, // hexadecimal words, numbers
	{regexp.MustCompile(`\d+`), "<n>"},                                       // numbers inside words
	{regexp.MustCompile(`\s+`), " "},
}

// failureKey is equal for two observations that show the same failure: same
// outcome, same message but for numbers, hexadecimal digits, paths and space.
func failureKey(o trace.Observation) string {
	if o.Outcome == trace.Hung {
		return string(trace.Hung)
	}
	message := o.Failure
	for _, n := range normalisers {
		message = n.pattern.ReplaceAllString(message, n.with)
	}
	return string(o.Outcome) + " " + strings.TrimSpace(message)
}

// failureMessage is the failure for people.
func failureMessage(o trace.Observation) string {
	if o.Failure == "" && o.Outcome == trace.Hung {
		return hungMessage
	}
	return o.Failure
}

// isHit reports whether o is a failure that its holds may have caused: feasible,
// and at least one hold came up. How it ended does not matter: an order that
// could not be had to the end can still be the one that fails.
func isHit(o trace.Observation) bool {
	return o.Infeasible == "" && o.Outcome != trace.Passed && len(o.Releases) > 0
}

func reached(r trace.Release) bool { return r.Reason == "reached" }

// endsOf counts for every hold of s that came up in o whether one of its
// showings lasted until the horizon.
func endsOf(s trace.Schedule, o trace.Observation) map[pair]bool {
	ends := map[pair]bool{}
	for _, h := range s.Holds {
		for _, r := range o.Releases {
			if p := pairOf(r.Hold); p == pairOf(h) {
				ends[p] = ends[p] || reached(r)
			}
		}
	}
	return ends
}

// allReached reports whether every hold of s lasted until its horizon.
func allReached(s trace.Schedule, o trace.Observation) bool {
	ends := endsOf(s, o)
	for _, h := range s.Holds {
		if !ends[pairOf(h)] {
			return false
		}
	}
	return true
}

// allIdle reports whether holds came up in o and all ended because nothing
// else could happen: their order cannot be had.
func allIdle(o trace.Observation) bool {
	other := func(r trace.Release) bool { return r.Reason != "idle" }
	return len(o.Releases) > 0 && !slices.ContainsFunc(o.Releases, other)
}
