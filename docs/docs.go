// Package docs carries the documents of this folder inside the binary: explain,
// SARIF help and the tests read the very text that people read. It takes a file
// name and gives its text; it interprets nothing but headings.
package docs

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed *.md
var files embed.FS

// Text gives a document, such as "rules.md".
func Text(name string) (string, error) {
	data, err := fs.ReadFile(files, name)
	return string(data), err
}

// Section is one second-level section of a document.
type Section struct {
	Heading string // without "## "
	Body    string // up to the next section, without blank lines around it
}

// Sections splits a document at its second-level headings; what stands before
// the first one is left out. A line inside a code fence is no heading.
func Sections(text string) []Section {
	var sections []Section
	var body []string
	fenced := false
	end := func() {
		if len(sections) > 0 {
			sections[len(sections)-1].Body = strings.TrimSpace(strings.Join(body, "\n"))
		}
		body = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if heading, ok := strings.CutPrefix(line, "## "); ok && !fenced {
			end()
			sections = append(sections, Section{Heading: heading})
			continue
		}
		body = append(body, line)
	}
	end()
	return sections
}

// Rows gives the cells of all table rows in a text, without header and ruler.
// An escaped bar (\|) stays inside its cell.
func Rows(text string) [][]string {
	var rows [][]string
	header := true
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			header = true
			continue
		}
		if header || strings.HasPrefix(line, "|---") {
			header = false
			continue
		}
		const bar = "\x00"
		line = strings.ReplaceAll(strings.Trim(line, "|"), `\|`, bar)
		cells := strings.Split(line, "|")
		for i, cell := range cells {
			cells[i] = strings.ReplaceAll(strings.TrimSpace(cell), bar, "|")
		}
		rows = append(rows, cells)
	}
	return rows
}
