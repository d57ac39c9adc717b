package text

import (
	"strings"

	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/internal/term"
)

// Colors are the escape sequences of one rendering; the zero value is plain.
type Colors struct {
	Reset, Bold, Dim string
	Access           string // the kind of an access, the caret
	Bad, Doubt, Good string // verdicts and the summary
}

// ANSI gives the colours of a terminal if on, else none. They are of the first
// eight, which people's own themes keep readable on a light and a dark ground.
func ANSI(on bool) Colors {
	if !on {
		return Colors{}
	}
	return Colors{
		Reset: "\x1b[0m", Bold: "\x1b[1m", Dim: "\x1b[2m",
		Access: "\x1b[36m",
		Bad:    "\x1b[31m", Doubt: "\x1b[33m", Good: "\x1b[32m",
	}
}

func (c Colors) verdict(verdict string) string {
	if verdict == finding.Confirmed {
		return c.Bad
	}
	return c.Doubt
}

const (
	fieldIndent = "  "
	fieldWidth  = len("witness") + 2
	// minText is the narrowest column that text is still wrapped to.
	minText = 20
)

// first gives the label for the first of several lines, "" for the others.
func first(i int, label string) string {
	if i == 0 {
		return label
	}
	return ""
}

// field writes a labelled line, wrapped below itself.
func (p *printer) field(label, text, color string) {
	if color != "" {
		text = color + text + p.colors.Reset
	}
	p.wrapped(p.label(label), text)
}

// exact writes a labelled line that is pasted into a shell: never wrapped.
func (p *printer) exact(label, command string) {
	p.line(p.label(label) + command)
}

func (p *printer) label(label string) string {
	gap := strings.Repeat(" ", fieldWidth-len(label))
	if label == "" {
		return fieldIndent + gap
	}
	return fieldIndent + p.colors.Dim + label + p.colors.Reset + gap
}

// wrapped writes head and text; where the text is too long for the width it goes
// on in the next line, indented as deep as the head and two columns more. Only
// blanks break lines: a path or a name stays whole.
func (p *printer) wrapped(head, text string) {
	indent := columns(head)
	if p.options.Width == 0 || p.options.Width-indent < minText {
		p.line(head + text)
		return
	}
	line, used := head, indent
	empty := true
	for word := range strings.SplitSeq(text, " ") {
		size := columns(word)
		if !empty && used+1+size > p.options.Width {
			p.line(line)
			line, used, empty = strings.Repeat(" ", indent+2), indent+2, true
		}
		if !empty {
			line, used = line+" ", used+1
		}
		line, used, empty = line+word, used+size, false
	}
	p.line(line)
}

// columns gives the cells of a text that may hold our own colours.
func columns(s string) int {
	n := 0
	for {
		start := strings.Index(s, "\x1b[")
		if start < 0 {
			return n + term.TextColumns(s)
		}
		n += term.TextColumns(s[:start])
		_, s, _ = strings.Cut(s[start:], "m")
	}
}
