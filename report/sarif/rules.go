package sarif

import (
	"github.com/owenrumney/go-sarif/v2/sarif"

	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/report"
)

// Levels of SARIF.
const (
	levelError   = "error"
	levelWarning = "warning"
	levelNote    = "note"
)

// trait is what GitHub wants to know of a rule beside its texts.
type trait struct {
	level     string // of a result that says none
	precision string // how often a result is a true one: very-high, high, medium, low
	tags      []string
}

// traits by rule id. Results of unseen orders are replayed before they are
// reported, hence the high precision; a prediction says so by its own level.
// There is no security-severity: it would make every race a security alert.
var traits = map[string]trait{
	finding.RuleEventRace:       {levelWarning, "high", []string{"concurrency", "correctness", "memory"}},
	finding.RuleFileRace:        {levelWarning, "high", []string{"concurrency", "correctness", "files"}},
	finding.RuleAtomicity:       {levelWarning, "high", []string{"concurrency", "correctness", "atomicity"}},
	finding.RuleLateListener:    {levelWarning, "medium", []string{"concurrency", "correctness", "events"}},
	finding.RuleScheduleFailure: {levelWarning, "high", []string{"concurrency", "correctness", "tests"}},
	finding.RuleScheduleHang:    {levelWarning, "medium", []string{"concurrency", "correctness", "tests"}},
	finding.RuleFlakyTest:       {levelWarning, "very-high", []string{"correctness", "tests"}},
}

// descriptors gives the rules with the texts of docs/rules.md.
func descriptors(rules []report.Rule) []*sarif.ReportingDescriptor {
	all := make([]*sarif.ReportingDescriptor, 0, len(rules))
	for _, rule := range rules {
		t := traits[rule.ID]
		descriptor := sarif.NewRule(rule.ID).
			WithShortDescription(sarif.NewMultiformatMessageString(rule.Title)).
			WithFullDescription(sarif.NewMultiformatMessageString(rule.Description)).
			WithHelp(sarif.NewMarkdownMultiformatMessageString(rule.Help).WithText(rule.Help)).
			WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(t.level)).
			WithProperties(sarif.Properties{"precision": t.precision, "problem.severity": t.level, "tags": t.tags})
		all = append(all, descriptor)
	}
	return all
}

func ruleIndex(driver *sarif.ToolComponent) map[string]uint {
	index := map[string]uint{}
	for i, rule := range driver.Rules {
		index[rule.ID] = uint(i)
	}
	return index
}

// level is what one result weighs: proven, possible, guessed.
func level(f finding.Finding) string {
	switch f.Verdict {
	case finding.Confirmed:
		return levelError
	case finding.Feasible:
		return levelWarning
	}
	return levelNote
}
