package sarif

import (
	"net/url"
	"strings"

	"github.com/owenrumney/go-sarif/v2/sarif"

	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/internal/term"
	"github.com/raceseed/raceseed/report"
)

// manifest stands for a finding without a place in the repository, such as a
// flaky test: GitHub demands a file that exists.
const manifest = "package.json"

// primary gives the one place that GitHub shows. If it lies outside of the
// repository, the nearest application frame or starting point stands for it.
func primary(f finding.Finding) finding.Place {
	place, ok := report.Primary(f)
	if ok && report.InProject(place.Path) {
		return place
	}
	for _, p := range f.Places {
		frames := p.Frames
		if p.Origin != nil {
			frames = append(frames[:len(frames):len(frames)], *p.Origin)
		}
		for _, frame := range frames {
			if report.InProject(frame.Path) {
				return finding.Place{Path: frame.Path, Line: frame.Line, Column: frame.Column, Function: frame.Function, Access: p.Access}
			}
		}
	}
	return finding.Place{Path: manifest, Line: 1, Column: 1}
}

// location gives a place with the four numbers that GitHub marks as required.
// The access is marked by one character: its length is not known.
func location(place finding.Place) *sarif.Location {
	line, column := max(place.Line, 1), max(place.Column, 1)
	region := sarif.NewRegion().WithStartLine(line).WithStartColumn(column).WithEndLine(line).WithEndColumn(column + 1)
	where := sarif.NewLocationWithPhysicalLocation(sarif.NewPhysicalLocation().
		WithArtifactLocation(sarif.NewSimpleArtifactLocation(uri(place.Path))).
		WithRegion(region))
	if place.Function != "" {
		function := sarif.NewLogicalLocation().WithName(printable(place.Function)).WithKind("function")
		where.LogicalLocations = []*sarif.LogicalLocation{function}
	}
	return where
}

// uri writes a repository-relative path as a relative reference.
func uri(path string) string { return (&url.URL{Path: path}).String() }

// printable keeps control characters out of viewers that print to a terminal.
func printable(text string) string { return term.Escape(text) }

// escape makes foreign text safe inside a message, where brackets make links.
// Braces stay: they are placeholders only in messages that have arguments.
func escape(text string) string { return brackets.Replace(printable(text)) }

var brackets = strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`)
