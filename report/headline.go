package report

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/raceseed/raceseed/finding"
)

// Headline says in one line, without a full stop, what a finding is and who
// takes part. It holds names of the tested project: every format escapes it for
// itself.
func Headline(f finding.Finding) string {
	switch f.Rule {
	case finding.RuleEventRace, finding.RuleFileRace:
		return Subject(f) + between(f.Places)
	}
	return Subject(f)
}

// Subject is the short form of Headline, for lists: what a finding is.
func Subject(f finding.Finding) string {
	switch f.Rule {
	case finding.RuleEventRace, finding.RuleFileRace:
		return "race on " + f.Resource
	case finding.RuleAtomicity:
		return atomicity(f.Pattern, f.Resource)
	case finding.RuleLateListener:
		return "an event can come before its listener: " + f.Resource
	case finding.RuleScheduleFailure:
		return testName(f, "the suite") + " fails under a feasible schedule"
	case finding.RuleScheduleHang:
		return testName(f, "the run") + " does not end under a feasible schedule"
	case finding.RuleFlakyTest:
		return testName(f, "the suite") + " fails without any steering"
	}
	return strings.TrimSpace(f.Rule + " " + f.Resource)
}

// between names the two accesses and, if both are known, what ran them.
func between(places []finding.Place) string {
	if len(places) != 2 {
		return ""
	}
	words := make([]string, 2)
	for i, p := range places {
		words[i] = Article(p.Access)
		if p.Event != "" {
			words[i] += " by " + Article(p.Event)
		}
	}
	return ": " + words[0] + " and " + words[1] + " come in either order"
}

func atomicity(pattern, resource string) string {
	switch pattern {
	case "check-act":
		return "two callers can both pass the check of " + resource + " before either acts"
	case "RWR":
		return resource + " can change between two reads that belong together"
	case "WWR":
		return resource + " can be overwritten between a write and the read that expects it"
	case "WRW":
		return resource + " can be read between two writes that belong together"
	case "RWW":
		return "an update of " + resource + " can be lost between its read and its write"
	}
	return resource + " can change between two steps that belong together"
}

func testName(f finding.Finding, none string) string {
	if len(f.Tests) == 0 {
		return none
	}
	return "test \"" + f.Tests[0] + "\""
}

// Article puts "a" or "an" before a word, unless it has one already.
func Article(word string) string {
	if word == "" || strings.HasPrefix(word, "a ") || strings.HasPrefix(word, "an ") || strings.HasPrefix(word, "the ") {
		return word
	}
	if strings.ContainsRune("aeiou", rune(word[0])) || strings.HasPrefix(word, "fs") || strings.HasPrefix(word, "http") {
		return "an " + word
	}
	return "a " + word
}

// Primary gives the place that stands for a finding wherever only one can be
// named: of the places in the project (not in its packages, if possible) the
// first writing one by path, line and column, else the first one. It depends
// neither on the order in which a recording saw them nor on a diff, because a
// place that moves makes a new alert. ok is false if there is no place.
func Primary(f finding.Finding) (place finding.Place, ok bool) {
	if len(f.Places) == 0 {
		return finding.Place{}, false
	}
	return slices.MinFunc(f.Places, func(a, b finding.Place) int {
		return cmp.Or(
			cmp.Compare(distance(a.Path), distance(b.Path)),
			cmp.Compare(reads(a), reads(b)),
			cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column),
		)
	}), true
}

// InProject reports whether a path lies below the project root.
func InProject(name string) bool { return distance(name) < 2 }

// distance is 0 for a file of the project, 1 for one of its packages, 2 for a
// file outside.
func distance(name string) int {
	switch {
	case name == "", path.IsAbs(name), name == "..", strings.HasPrefix(name, "../"), hasDrive(name), path.Clean(name) != name:
		return 2
	case strings.HasPrefix(name, "node_modules/"), strings.Contains(name, "/node_modules/"):
		return 1
	}
	return 0
}

// hasDrive recognises "C:/…" and schemes such as "node:fs".
func hasDrive(name string) bool {
	colon := strings.IndexByte(name, ':')
	return colon > 0 && !strings.Contains(name[:colon], "/") && !strings.Contains(name[:colon], ".")
}

// reads is 0 for an access that changes something, 1 for one that looks only.
func reads(p finding.Place) int {
	switch p.Access {
	case "read", "stat":
		return 1
	}
	return 0
}
