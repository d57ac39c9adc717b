package baseline

import (
	"fmt"
	"regexp"
	"slices"
	"time"
)

var fingerprintForm = regexp.MustCompile(`^[0-9a-f]{16}$`)

// Check gives the problems of a baseline that could be read, one line each, in
// the order of the entries: malformed fingerprints, missing rules, duplicates,
// expired or unreadable dates, entries out of order and, if requireReason,
// missing reasons. today is the current time.
func (b *Baseline) Check(today time.Time, requireReason bool) []string {
	var problems []string
	first := map[string]int{}
	for i, e := range b.Entries {
		report := func(format string, args ...any) {
			name := fmt.Sprintf("entry %d (%q): ", i+1, e.Fingerprint)
			problems = append(problems, name+fmt.Sprintf(format, args...))
		}
		if !fingerprintForm.MatchString(e.Fingerprint) {
			report("the fingerprint is not 16 hex digits")
		}
		if e.Rule == "" {
			report("there is no rule")
		}
		if earlier, twice := first[e.Fingerprint]; twice {
			report("the same fingerprint as entry %d; keep one of them", earlier)
		} else {
			first[e.Fingerprint] = i + 1
		}
		if problem := e.dateProblem(today); problem != "" {
			report("%s", problem)
		}
		if requireReason && e.Reason == "" {
			report("there is no reason")
		}
	}
	if !slices.IsSortedFunc(b.Entries, byFingerprint) {
		problems = append(problems, "the entries are not sorted by fingerprint: raceseed baseline update sorts them")
	}
	return problems
}

func (e Entry) dateProblem(today time.Time) string {
	if !e.expired(today) {
		return ""
	}
	if _, err := time.Parse(time.DateOnly, e.Expires); err != nil {
		return fmt.Sprintf("expires %q is no date like 2027-03-01, so the entry counts as expired", e.Expires)
	}
	return fmt.Sprintf("expired on %s: the finding is new again", e.Expires)
}
