// Package baseline keeps raceseed-baseline.json, the list of findings that a
// project lives with for now. It takes findings and says which are new, known
// and gone; it writes the file byte-stable and never loses what people put into
// it. It does not run anything: the caller says which witnesses were replayed.
package baseline

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/internal/diag"
)

const (
	// File is the usual name, at the root of the repository.
	File = "raceseed-baseline.json"
	// Version is the version of the format that is written and the only one read.
	Version = 1
)

// Side is one of the two places of an entry, for people.
type Side struct {
	Path     string `json:"path"`
	Function string `json:"function"`
}

// Entry is one finding of the baseline. The first six fields are kept by
// raceseed, the other four and all that it does not know by people.
type Entry struct {
	Fingerprint string `json:"fingerprint"`
	Rule        string `json:"rule"`
	A           Side   `json:"a"`
	B           Side   `json:"b"`
	Test        string `json:"test"`
	Witness     string `json:"witness"`
	Reason      string `json:"reason"`
	Issue       string `json:"issue"`
	Expires     string `json:"expires"` // 2027-03-01
	AddedBy     string `json:"added-by"`

	extra map[string]json.RawMessage // fields of people's own
}

// Baseline is a baseline in memory, its entries in the order of the file.
type Baseline struct {
	Entries []Entry

	extra map[string]json.RawMessage
}

// Create makes a baseline of all confirmed findings.
func Create(findings []finding.Finding) *Baseline {
	b := &Baseline{}
	for _, f := range findings {
		if f.Verdict == finding.Confirmed {
			b.put(f)
		}
	}
	b.sort()
	return b
}

// Update adds the findings with the given fingerprints and, if allNew, all new
// confirmed ones. What raceseed keeps of an entry that is there already is
// refreshed only if its fingerprint is given: another run finds another witness
// for the same race, and an unchanged refresh must not change the file. With
// nothing to add it only sorts. An unknown fingerprint changes nothing.
func (b *Baseline) Update(findings []finding.Finding, fingerprints []string, allNew bool) error {
	byID := map[string]finding.Finding{}
	for _, f := range findings {
		byID[f.ID] = f
	}
	for _, id := range fingerprints {
		if f, found := byID[id]; !found || f.Baseline == finding.Gone {
			return diag.Errorf("no finding %q in the results", id).
				Hint("the ids stand in .raceseed/results.json and behind \"accept\" in the report of the last check")
		}
	}
	for _, id := range fingerprints {
		b.put(byID[id])
	}
	for _, f := range findings {
		if allNew && f.Baseline == finding.New && f.Verdict == finding.Confirmed && b.find(f.ID) < 0 {
			b.put(f)
		}
	}
	b.sort()
	return nil
}

// put adds the entry of a finding, or refreshes the fields of raceseed in it.
func (b *Baseline) put(f finding.Finding) {
	i := b.find(f.ID)
	if i < 0 {
		b.Entries = append(b.Entries, Entry{Fingerprint: f.ID})
		i = len(b.Entries) - 1
	}
	e := &b.Entries[i]
	e.Rule, e.Witness, e.Test = f.Rule, f.Witness, ""
	if len(f.Tests) > 0 {
		e.Test = slices.Min(f.Tests)
	}
	e.A, e.B = sides(f.Places)
}

// sides gives the first two distinct places in a fixed order; a place that races
// with itself stands on both sides.
func sides(places []finding.Place) (a, b Side) {
	all := make([]Side, len(places))
	for i, p := range places {
		all[i] = Side{p.Path, p.Function}
	}
	slices.SortFunc(all, func(x, y Side) int {
		return cmp.Or(strings.Compare(x.Path, y.Path), strings.Compare(x.Function, y.Function))
	})
	all = slices.Compact(all)
	if len(all) == 0 {
		return Side{}, Side{}
	}
	return all[0], all[min(1, len(all)-1)]
}

func (b *Baseline) find(fingerprint string) int {
	return slices.IndexFunc(b.Entries, func(e Entry) bool { return e.Fingerprint == fingerprint })
}

func (b *Baseline) sort() {
	slices.SortStableFunc(b.Entries, byFingerprint)
}

func byFingerprint(x, y Entry) int { return strings.Compare(x.Fingerprint, y.Fingerprint) }

// expired reports whether an entry counts no longer: on and after its date, or
// if the date cannot be read. today is the current time.
func (e Entry) expired(today time.Time) bool {
	if e.Expires == "" {
		return false
	}
	day, err := time.Parse(time.DateOnly, e.Expires)
	return err != nil || !today.UTC().Before(day)
}
