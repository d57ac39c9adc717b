// Package json writes and reads results.json, the complete record of a run that
// docs/results.md describes. It takes and gives finding.Results; the same
// results give the same bytes. It opens no files.
package json

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/internal/diag"
)

// Version is the version of results.json that is written and the only one read.
const Version = 1

// Write writes results sorted, indented and with a newline at the end. Lists
// that a reader relies on are written as [] and never as null; r stays as it is.
func Write(w io.Writer, r finding.Results) error { return write(w, normal(r)) }

func write(w io.Writer, value any) error {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return fmt.Errorf("encode results: %w", err)
	}
	if _, err := w.Write(out.Bytes()); err != nil {
		return fmt.Errorf("write results: %w", err)
	}
	return nil
}

// normal is a copy of r that has only one form on disk.
func normal(r finding.Results) finding.Results {
	r.Version = Version
	r.Command = list(r.Command)
	r.Findings = slices.Clone(list(r.Findings))
	for i := range r.Findings {
		f := &r.Findings[i]
		f.Places, f.Tests, f.Marks = list(f.Places), list(f.Tests), list(f.Marks)
	}
	finding.Sort(r.Findings)
	r.Stats.Seconds, r.Stats.CPU = table(r.Stats.Seconds), table(r.Stats.CPU)
	return r
}

func list[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

func table(figures map[string]float64) map[string]float64 {
	if figures == nil {
		return map[string]float64{}
	}
	return figures
}

// Read reads what Write wrote. Another version, an unknown field, an unknown
// verdict or state, or anything after the results is an error for people:
// results.json also comes from other machines.
func Read(in io.Reader) (finding.Results, error) {
	data, err := io.ReadAll(in)
	if err != nil {
		return finding.Results{}, fmt.Errorf("read results: %w", err)
	}
	if err := checkVersion(data); err != nil {
		return finding.Results{}, err
	}
	var r finding.Results
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&r); err != nil {
		return finding.Results{}, malformed(err)
	}
	for _, f := range r.Findings {
		if err := checkFinding(f); err != nil {
			return finding.Results{}, err
		}
	}
	return normal(r), nil
}

// checkVersion looks at the version before anything else: a later format fails
// for its version and not for the first field that this one does not know.
func checkVersion(data []byte) error {
	var header struct {
		Version *int `json:"version"`
	}
	if err := json.Unmarshal(data, &header); err != nil {
		return malformed(err)
	}
	if header.Version == nil {
		return diag.Errorf("these are no results of raceseed: there is no version").
			Hint("give the results.json that raceseed check wrote, usually .raceseed/results.json")
	}
	if *header.Version != Version {
		return diag.Errorf("results have version %d, this raceseed reads version %d", *header.Version, Version).
			Hint("read them with the raceseed that wrote them, or run raceseed check again")
	}
	return nil
}

func checkFinding(f finding.Finding) error {
	verdicts := []string{finding.Confirmed, finding.Timing, finding.Feasible, finding.Predicted}
	if !slices.Contains(verdicts, f.Verdict) && !(f.Verdict == "" && f.Baseline == finding.Gone) {
		return malformed(fmt.Errorf("finding %q has the unknown verdict %q", f.ID, f.Verdict))
	}
	if !slices.Contains([]string{"", finding.New, finding.Known, finding.Gone}, f.Baseline) {
		return malformed(fmt.Errorf("finding %q has the unknown baseline state %q", f.ID, f.Baseline))
	}
	return nil
}

func malformed(err error) error {
	return diag.Errorf("malformed results: %w", err).Hint("run raceseed check again to write them anew")
}
