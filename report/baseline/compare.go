package baseline

import (
	"fmt"
	"slices"
	"time"

	"github.com/raceseed/raceseed/finding"
)

// Compare gives the findings with their state against the baseline, sorted, and
// notes for people. A finding is known if an entry that has not expired names
// it, else new. An entry without a finding is gone only if replayed says that
// its witness ran in this run, stayed silent, and both places were executed;
// otherwise nothing is said about it. b may be nil: then all findings are new.
// today is the current time; the findings given are left as they are.
func Compare(b *Baseline, findings []finding.Finding, replayed func(fingerprint string) bool, today time.Time) ([]finding.Finding, []string) {
	if b == nil {
		b = &Baseline{}
	}
	var notes []string
	entries := map[string]Entry{}
	for _, e := range b.Entries {
		entries[e.Fingerprint] = e
	}
	found := map[string]bool{}
	out := slices.Clone(findings)
	for i := range out {
		f := &out[i]
		found[f.ID] = true
		e, listed := entries[f.ID]
		f.Baseline = finding.New
		switch {
		case listed && e.expired(today):
			notes = append(notes, fmt.Sprintf("%s is new again: its baseline entry expired (%s)", f.ID, e.Expires))
		case listed:
			f.Baseline = finding.Known
		}
	}
	for _, e := range b.Entries {
		if !found[e.Fingerprint] && replayed(e.Fingerprint) {
			found[e.Fingerprint] = true
			out = append(out, e.gone())
		}
	}
	finding.Sort(out)
	slices.Sort(notes)
	return out, notes
}

// gone makes the finding that stands for an entry whose race is gone: it has no
// verdict and no lines, because this run did not see it.
func (e Entry) gone() finding.Finding {
	f := finding.Finding{
		ID: e.Fingerprint, Rule: e.Rule, Baseline: finding.Gone, Witness: e.Witness,
		Places: []finding.Place{}, Tests: []string{}, Marks: []finding.Mark{},
	}
	for _, side := range []Side{e.A, e.B} {
		place := finding.Place{Path: side.Path, Function: side.Function}
		if side != (Side{}) && !(len(f.Places) == 1 && side == e.A) {
			f.Places = append(f.Places, place)
		}
	}
	if e.Test != "" {
		f.Tests = []string{e.Test}
	}
	return f
}

// Reasons gives the hand-written reasons by fingerprint, for reports that show
// why a finding stays.
func (b *Baseline) Reasons() map[string]string {
	reasons := map[string]string{}
	for _, e := range b.Entries {
		if e.Reason != "" {
			reasons[e.Fingerprint] = e.Reason
		}
	}
	return reasons
}
