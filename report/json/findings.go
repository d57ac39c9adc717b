package json

import (
	"io"

	"github.com/raceseed/raceseed/finding"
)

// WriteFindings writes findings as a list, in the form and order that they have
// in results.json.
func WriteFindings(w io.Writer, findings []finding.Finding) error {
	return write(w, normal(finding.Results{Findings: findings}).Findings)
}
