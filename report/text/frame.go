package text

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf16"

	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/internal/term"
)

const (
	tabWidth      = 4
	contextLines  = 1       // before and after the line of the access
	maxSource     = 4 << 20 // bytes; a larger file is no source that a person wrote
	plainWidth    = 100     // columns of a source line where nothing else limits it
	gutterColumns = 12      // indent, line number and bar, at most
)

// frame writes the source lines around a place with a caret below its column.
// Without the file, or if the file does not have that place, it writes nothing:
// the position above says enough.
func (p *printer) frame(place finding.Place) {
	lines := p.source(place.Path)
	if place.Line < 1 || place.Line > len(lines) {
		return
	}
	from, to := max(place.Line-contextLines, 1), min(place.Line+contextLines, len(lines))
	numbers := len(fmt.Sprint(to))
	width := plainWidth
	if p.options.Width > 0 {
		width = max(p.options.Width-gutterColumns, minText)
	}
	mark, caret, caretFits := cropped(lines[place.Line-1], place.Column, width)
	c := p.colors
	p.line("")
	for number := from; number <= to; number++ {
		if number == place.Line {
			p.line(fmt.Sprintf("  %s>%s %s%*d |%s %s", c.Access, c.Reset, c.Dim, numbers, number, c.Reset, mark))
			if caretFits {
				p.line(fmt.Sprintf("    %s%*s |%s %s%s^%s", c.Dim, numbers, "", c.Reset, strings.Repeat(" ", caret), c.Access, c.Reset))
			}
			continue
		}
		text, _, _ := cropped(lines[number-1], 1, width)
		p.line(strings.TrimRight(fmt.Sprintf("    %s%*d |%s %s", c.Dim, numbers, number, c.Reset, text), " "))
	}
}

// source gives the lines of a file, nil if it cannot be read.
func (p *printer) source(path string) []string {
	lines, known := p.files[path]
	if known || p.options.Source == nil {
		return lines
	}
	p.files[path] = nil
	file, err := p.options.Source.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxSource+1))
	if err != nil || len(data) > maxSource {
		return nil
	}
	lines = strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	p.files[path] = lines
	return lines
}

// cropped prepares a source line: tabs expanded, control characters escaped and,
// if it is wider than width, cut to a window around column (1-based, UTF-16).
// caret is the number of cells before that column; fits is false if the line
// does not reach it.
func cropped(line string, column, width int) (text string, caret int, fits bool) {
	before, after, fits := splitUTF16(line, column-1)
	left := safe(before, 0)
	right := safe(after, term.TextColumns(left))
	const margin = 10 // cells kept before the caret when the left side is cut
	if term.TextColumns(left)+min(term.TextColumns(right), margin) > width {
		left = "…" + lastColumns(left, max(width/2, margin))
	}
	caret = term.TextColumns(left)
	if room := width - caret; term.TextColumns(right) > room {
		right = firstColumns(right, max(room-1, 0)) + "…"
	}
	return strings.TrimRight(left+right, " "), caret, fits
}

// splitUTF16 splits a line after the given number of UTF-16 code units, which is
// how JavaScript counts columns.
func splitUTF16(line string, units int) (before, after string, ok bool) {
	if units < 0 {
		return "", line, false
	}
	for i, r := range line {
		if units <= 0 {
			return line[:i], line[i:], true
		}
		units -= max(utf16.RuneLen(r), 1)
	}
	return line, "", units <= 0
}

// safe expands tabs, counted from the given column, and escapes what a terminal
// would obey.
func safe(s string, from int) string {
	var out strings.Builder
	used := from
	for i, part := range strings.Split(s, "\t") {
		if i > 0 {
			gap := tabWidth - used%tabWidth
			out.WriteString(strings.Repeat(" ", gap))
			used += gap
		}
		part = term.Escape(part)
		out.WriteString(part)
		used += term.TextColumns(part)
	}
	return out.String()
}

// firstColumns gives the beginning of s that fits into n cells.
func firstColumns(s string, n int) string {
	for i, r := range s {
		if n -= term.Columns(r); n < 0 {
			return s[:i]
		}
	}
	return s
}

// lastColumns gives the end of s that fits into n cells.
func lastColumns(s string, n int) string {
	runes := []rune(s)
	start := len(runes)
	for start > 0 && n >= term.Columns(runes[start-1]) {
		start--
		n -= term.Columns(runes[start])
	}
	return string(runes[start:])
}
