// Package report holds what all formats say alike: the rules with their texts,
// the one-line headline of a finding, the place that stands for it and the
// command that replays it. It takes findings and gives words; it writes nothing
// and does not know how a race was found.
package report

import (
	"strings"

	"github.com/raceseed/raceseed/docs"
	"github.com/raceseed/raceseed/finding"
)

// Rule is one rule as people read it.
type Rule struct {
	ID          string
	Title       string // a few words, without a full stop
	Description string // one sentence
	Help        string // Markdown: the whole section, without its heading
}

// ruleIDs are the rules that exist, in the order of docs/rules.md.
var ruleIDs = [...]string{
	finding.RuleEventRace,
	finding.RuleFileRace,
	finding.RuleAtomicity,
	finding.RuleLateListener,
	finding.RuleScheduleFailure,
	finding.RuleScheduleHang,
	finding.RuleFlakyTest,
}

// Rules gives all rules, in the order of docs/rules.md, which is the only source
// of their texts.
func Rules() []Rule {
	sections := ruleSections()
	rules := make([]Rule, 0, len(ruleIDs))
	for _, id := range ruleIDs {
		section := sections[id]
		description, _, _ := strings.Cut(section.Body, "\n")
		rules = append(rules, Rule{ID: id, Title: section.Heading, Description: description, Help: section.Body})
	}
	return rules
}

// Explain gives the section of docs/rules.md about a rule, or about "score" or
// "marks", as Markdown with its heading. ok is false if there is none.
func Explain(rule string) (text string, ok bool) {
	section, ok := ruleSections()[rule]
	if !ok {
		return "", false
	}
	return "# " + rule + ": " + section.Heading + "\n\n" + section.Body + "\n", true
}

// ruleSections gives the sections of docs/rules.md by the word before the colon
// of their heading; what remains of the heading is the title.
func ruleSections() map[string]docs.Section {
	// The document is part of the binary; a test proves that it is there.
	text, _ := docs.Text("rules.md")
	sections := map[string]docs.Section{}
	for _, section := range docs.Sections(text) {
		if id, title, found := strings.Cut(section.Heading, ": "); found {
			sections[id] = docs.Section{Heading: title, Body: section.Body}
		}
	}
	return sections
}
