package pipeline

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/internal/config"
	"github.com/raceseed/raceseed/internal/diag"
	"github.com/raceseed/raceseed/report"
	"github.com/raceseed/raceseed/trace"
)

// Analyze prints the predictions of a stored recording, likeliest first.
func Analyze(_ context.Context, cfg config.Config, out *Output) (int, error) {
	prediction, err := analyzeFolder(inDir(cfg, cfg.Args[0]))
	if err != nil {
		return 0, err
	}
	findings := []finding.Finding{}
	for _, c := range prediction.Candidates {
		findings = append(findings, named(c.Finding))
	}
	return diag.ExitClean, out.predictions(findings, cfg)
}

// Explain prints the text of a rule, or a witness in words.
func Explain(_ context.Context, cfg config.Config, out *Output) (int, error) {
	what := cfg.Args[0]
	if !strings.HasPrefix(what, "rs1") {
		text, ok := report.Explain(what)
		if !ok {
			var known []string
			for _, rule := range report.Rules() {
				known = append(known, rule.ID)
			}
			return 0, diag.Errorf("%q is neither a rule nor a witness", what).
				Hint("rules: %s", strings.Join(known, ", ")).
				Hint("a witness starts with rs1")
		}
		_, err := io.WriteString(out.Results(), text)
		return diag.ExitClean, err
	}
	schedule, err := parseWitness(what)
	if err != nil {
		return 0, err
	}
	for _, line := range holdsInWords(what, schedule, cfg, out) {
		fmt.Fprintln(out.Results(), printable(line))
	}
	return diag.ExitClean, nil
}

// holdsInWords describes a witness, one line a hold. Names of hold points are
// not part of it: they come from the results of the last check if it found this
// very witness, else from its recording.
func holdsInWords(text string, schedule trace.Schedule, cfg config.Config, out *Output) []string {
	if findings, err := lastFindings(cfg); err == nil {
		for _, f := range findings {
			if f.Witness == text && len(f.Holds) > 0 {
				return f.Holds
			}
		}
	}
	names := pointNames(filepath.Join(cfg.Out, recordingName))
	if len(names) == 0 {
		out.Note("names of hold points come from the recording of the last check, and there is none in %s", cfg.Out)
	}
	var lines []string
	for _, hold := range schedule.Holds {
		lines = append(lines, hold.Describe(func(hash uint32) string { return names[hash] }))
	}
	return lines
}

// pointNames gives the names of the hold points of a recording, none if there
// is no readable one: a witness can be explained without.
func pointNames(dir string) map[uint32]string {
	prediction, err := analyzeFolder(dir)
	if err != nil {
		return nil
	}
	names := map[uint32]string{}
	for _, p := range prediction.Points {
		names[p.Hash] = p.Name
	}
	return names
}
