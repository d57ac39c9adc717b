package text

import (
	"fmt"
	"math"
	"strings"

	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/internal/term"
	"github.com/raceseed/raceseed/report"
)

// brief writes one line for each finding that is known or gone, or was only
// seen to be feasible.
func (p *printer) brief(findings []finding.Finding) {
	wrote := false
	for _, f := range findings {
		label := briefLabel(f)
		if label == "" || inFull(f, p.options.All) {
			continue
		}
		wrote = true
		text := position(f) + term.Escape(report.Subject(f)) + " [" + term.Escape(f.Rule) + "]"
		p.wrapped(p.colors.Dim+label+p.colors.Reset+strings.Repeat(" ", len("feasible")+2-len(label)), text)
	}
	if wrote {
		p.line("")
	}
}

// briefLabel is "" for a finding that is no line of its own.
func briefLabel(f finding.Finding) string {
	switch {
	case f.Baseline == finding.Known, f.Baseline == finding.Gone:
		return f.Baseline
	case f.Verdict == finding.Feasible, f.Verdict == finding.Timing:
		return f.Verdict
	}
	return ""
}

// predicted writes how many predictions are not shown, and how to list them.
func (p *printer) predicted(findings []finding.Finding) {
	n := 0
	for _, f := range findings {
		if isNew(f) && f.Verdict == finding.Predicted {
			n++
		}
	}
	if n == 0 || p.options.All {
		return
	}
	line := fmt.Sprintf("%d predicted, not confirmed", n)
	if p.options.Recording != "" {
		line += ": raceseed analyze " + report.Quote(p.options.Recording)
	}
	p.line(line)
}

// counts are the figures of the summary.
type counts struct {
	confirmed, timing, feasible, predicted, known, gone int
	others                                              bool // a new confirmed finding is no race between two places
}

func count(findings []finding.Finding) counts {
	var n counts
	for _, f := range findings {
		switch {
		case f.Baseline == finding.Known:
			n.known++
		case f.Baseline == finding.Gone:
			n.gone++
		case f.Verdict == finding.Confirmed:
			n.confirmed++
			n.others = n.others || len(f.Places) == 0
		case f.Verdict == finding.Timing:
			n.timing++
		case f.Verdict == finding.Feasible:
			n.feasible++
		default:
			n.predicted++
		}
	}
	return n
}

// summary is the last line: what is new, what is known, what it took. A run that
// saw less than it should says so here, because it looks like a clean one.
func (p *printer) summary(r finding.Results) string {
	n := count(r.Findings)
	what := "race"
	if n.others {
		what = "finding"
	}
	verdict, color := "no new races", p.colors.Good
	if n.confirmed > 0 {
		verdict, color = fmt.Sprintf("%d new %s confirmed", n.confirmed, plural(n.confirmed, what)), p.colors.Bad
	}
	var parts []string
	if n.confirmed > 0 || n.predicted == 0 || r.Stats.Runs > 0 { // a recording that was only analyzed can confirm nothing
		parts = append(parts, color+verdict+p.colors.Reset)
	}
	add := func(count int, text string) {
		if count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count, text))
		}
	}
	add(n.known, "known")
	add(n.gone, "gone")
	add(n.timing, "timing")
	add(n.feasible, "feasible")
	add(n.predicted, "predicted")
	add(r.Stats.Runs, plural(r.Stats.Runs, "run"))
	if total := r.Stats.Seconds["total"]; total > 0 {
		parts = append(parts, duration(total))
	}
	if r.Stats.Lost > 0 {
		parts = append(parts, fmt.Sprintf("%s%d lost %s%s", p.colors.Doubt, r.Stats.Lost, plural(r.Stats.Lost, "record"), p.colors.Reset))
	}
	// Stored predictions come without figures of a run: nothing was left undone.
	if !r.Complete && r.Stats.Runs > 0 {
		parts = append(parts, p.colors.Doubt+"incomplete"+p.colors.Reset)
	}
	return strings.Join(parts, ", ")
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// duration writes seconds for people: 0.4s, 41s, 2m05s, 1h02m.
func duration(seconds float64) string {
	if seconds < 9.95 {
		return fmt.Sprintf("%.1fs", seconds)
	}
	s := int(math.Round(seconds))
	switch {
	case s < 60:
		return fmt.Sprintf("%ds", s)
	case s < 3600:
		return fmt.Sprintf("%dm%02ds", s/60, s%60)
	}
	return fmt.Sprintf("%dh%02dm", s/3600, s%3600/60)
}
