// Package text renders results for a terminal. It takes findings and a view of
// the user's source files and writes lines: new findings in full, known ones in
// a line each, predictions as a number, a summary last. It opens no files by
// itself, and prints nothing of the tested project without escaping it.
package text

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/internal/term"
	"github.com/raceseed/raceseed/report"
)

// Options say how and what to render. The zero value gives plain, unwrapped text
// without source lines.
type Options struct {
	Colors    Colors
	Width     int      // columns to wrap at; 0: never
	Source    fs.FS    // the project's files, by the paths of places; nil: no source lines
	All       bool     // show feasible and predicted findings in full
	Recording string   // folder of the recording, for the hint how to list predictions
	Notes     []string // lines to print before the summary, such as those of the baseline
}

// Render writes the results. Lines have no trailing blanks.
func Render(w io.Writer, r finding.Results, o Options) error {
	findings := slices.Clone(r.Findings)
	finding.Sort(findings)
	p := &printer{options: o, colors: o.Colors, files: map[string][]string{}}
	for _, f := range findings {
		if inFull(f, o.All) {
			p.finding(f, r.Command)
		}
	}
	p.brief(findings)
	p.predicted(findings)
	for _, note := range o.Notes {
		p.wrapped("note: ", term.Escape(note))
	}
	p.line(p.summary(r))
	_, err := w.Write(p.out.Bytes())
	return err
}

// inFull reports whether a finding gets its block of lines. Only what is new
// does: the rest must not push it off the screen.
func inFull(f finding.Finding, all bool) bool {
	return isNew(f) && (all || f.Verdict == finding.Confirmed)
}

func isNew(f finding.Finding) bool { return f.Baseline == finding.New || f.Baseline == "" }

// printer collects the output of one Render.
type printer struct {
	options Options
	colors  Colors
	out     bytes.Buffer
	files   map[string][]string // lines of source files read so far; nil: no frame
}

// line writes one line; blanks at its end are dropped.
func (p *printer) line(text string) {
	p.out.WriteString(strings.TrimRight(text, " "))
	p.out.WriteByte('\n')
}

// finding writes the block of one finding, from the headline to the commands.
func (p *printer) finding(f finding.Finding, command []string) {
	p.headline(f)
	shown := map[string]bool{}
	for _, place := range f.Places {
		p.place(place, shown)
	}
	p.line("")
	p.field("verdict", verdict(f), p.colors.verdict(f.Verdict))
	for i, message := range failureLines(f.Failure) {
		p.field(first(i, "failure"), message, "")
	}
	for i, test := range f.Tests {
		p.field(first(i, "test"), term.Escape(test), "")
	}
	for i, hold := range f.Holds {
		p.field(first(i, "witness"), term.Escape(hold), "")
	}
	for i, mark := range f.Marks {
		p.field(first(i, "marks"), term.Escape(mark.Name)+": "+term.Escape(mark.Why), "")
	}
	if len(f.Related) > 0 {
		p.field("also", related(f.Related), "")
	}
	if line := report.ReplayCommand(f, command); line != "" {
		p.exact("replay", line)
	}
	p.exact("explain", "raceseed explain "+report.Quote(f.Rule))
	if f.Verdict == finding.Confirmed && f.ID != "" {
		p.exact("accept", "raceseed baseline update --add "+report.Quote(f.ID))
	}
	p.line("")
}

func (p *printer) headline(f finding.Finding) {
	c := p.colors
	p.wrapped("", c.Bold+position(f)+term.Escape(report.Headline(f))+c.Reset+" "+c.Dim+"["+term.Escape(f.Rule)+"]"+c.Reset)
}

// position gives "path:line:col: " of the place that stands for a finding.
func position(f finding.Finding) string {
	place, ok := report.Primary(f)
	if !ok {
		return ""
	}
	return spot(place.Path, place.Line, place.Column) + ": "
}

// spot writes a position as editors and terminals recognise it; a line that is
// not known is left out.
func spot(path string, line, column int) string {
	text := term.Escape(path)
	if line > 0 {
		text += ":" + strconv.Itoa(line)
		if column > 0 {
			text += ":" + strconv.Itoa(column)
		}
	}
	return text
}

// place writes one access: what, where, what ran it, where that was started,
// and the source lines around it, once per position.
func (p *printer) place(place finding.Place, shown map[string]bool) {
	p.line("")
	c := p.colors
	where := spot(place.Path, place.Line, place.Column)
	p.wrapped("  ", c.Access+term.Escape(place.Access)+c.Reset+" "+where+inFunction(place.Function))
	if by := runBy(place); by != "" {
		p.wrapped("    ", by)
	}
	if !shown[where] {
		shown[where] = true
		p.frame(place)
	}
}

func inFunction(name string) string {
	if name == "" {
		return ""
	}
	return " in " + term.Escape(name)
}

func runBy(place finding.Place) string {
	var parts []string
	if place.Event != "" {
		parts = append(parts, "by "+term.Escape(report.Article(place.Event)))
	}
	if o := place.Origin; o != nil {
		parts = append(parts, "started at "+spot(o.Path, o.Line, o.Column)+inFunction(o.Function))
	}
	return strings.Join(parts, ", ")
}

// verdict says what is known, in words.
func verdict(f finding.Finding) string {
	switch f.Verdict {
	case finding.Confirmed:
		if f.Replay == nil {
			return "confirmed"
		}
		if f.Rule == finding.RuleFlakyTest {
			return fmt.Sprintf("confirmed: failed in %d of %d runs without steering", f.Replay.Shown, f.Replay.Of)
		}
		return fmt.Sprintf("confirmed: shown %d of %d replays, control runs pass", f.Replay.Shown, f.Replay.Of)
	case finding.Timing:
		return "timing: the tests fail after a pause that keeps the order, too: they are sensitive to time, not to order"
	case finding.Feasible:
		return "feasible: the other order was observed, nothing broke"
	case finding.Predicted:
		return "predicted: not confirmed by a run"
	}
	return term.Escape(f.Verdict)
}

// maxFailureLines keeps a long diff or stack from hiding the rest; the replay
// shows it whole.
const maxFailureLines = 6

func failureLines(message string) []string {
	message = strings.Trim(message, "\r\n")
	if message == "" {
		return nil
	}
	lines := strings.Split(message, "\n")
	if len(lines) > maxFailureLines {
		lines = append(lines[:maxFailureLines], "…")
	}
	for i, line := range lines {
		lines[i] = safe(strings.TrimRight(line, " \r"), 0)
	}
	return lines
}

const maxRelated = 4

func related(places []finding.Place) string {
	var spots []string
	for i, place := range places {
		if i == maxRelated {
			spots = append(spots, fmt.Sprintf("and %d more", len(places)-i))
			break
		}
		spots = append(spots, term.Escape(place.Access)+" "+spot(place.Path, place.Line, place.Column))
	}
	return strings.Join(spots, ", ")
}
