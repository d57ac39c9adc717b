package pipeline

import (
	"bytes"
	"os"
	"path/filepath"

	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/internal/config"
	"github.com/raceseed/raceseed/internal/diag"
	"github.com/raceseed/raceseed/internal/term"
	"github.com/raceseed/raceseed/internal/wholefile"
	"github.com/raceseed/raceseed/report/json"
	"github.com/raceseed/raceseed/report/sarif"
	"github.com/raceseed/raceseed/report/text"
	"github.com/raceseed/raceseed/trace"
)

// named gives a finding its fingerprint if it has none yet.
func named(f finding.Finding) finding.Finding {
	if f.ID == "" {
		f.ID = finding.Fingerprint(f)
	}
	return f
}

// flaky is the finding of a run that failed although nothing was held.
func flaky(seen *trace.Observation) finding.Finding {
	return named(finding.Finding{
		Rule:     finding.RuleFlakyTest,
		Verdict:  finding.Confirmed,
		Baseline: finding.New,
		Failure:  seen.Failure,
		Rank:     1,
		Replay:   &finding.Replay{Shown: 1, Of: 1},
	})
}

// write stores results.json and the SARIF file, each whole or not at all.
// reasons says why known findings stay, by fingerprint.
func (c *check) write(reasons map[string]string) error {
	var results, log bytes.Buffer
	if err := json.Write(&results, c.results); err != nil {
		return err
	}
	if err := sarif.Write(&log, c.results, sarif.Options{Reasons: reasons}); err != nil {
		return err
	}
	for _, file := range []struct {
		name string
		data []byte
	}{{resultsName, results.Bytes()}, {sarifName, log.Bytes()}} {
		if err := wholefile.Write(filepath.Join(c.cfg.Out, file.name), file.data); err != nil {
			return diag.Errorf("%w", err).Hint("name another folder: --out DIR").Code(diag.ExitIncomplete)
		}
	}
	return nil
}

// Report prints the results and notes about them for people.
func (o *Output) Report(r finding.Results, notes []string, cfg config.Config) error {
	recording := filepath.Join(cfg.Out, recordingName)
	if short, err := filepath.Rel(cfg.Dir, recording); err == nil && filepath.IsLocal(short) {
		recording = short
	}
	out := o.Results()
	return text.Render(out, r, text.Options{
		Colors:    text.ANSI(o.Color),
		Width:     width(out),
		Source:    os.DirFS(cfg.Root),
		Recording: recording,
		Notes:     notes,
	})
}

// predictions prints findings of the analysis alone.
func (o *Output) predictions(findings []finding.Finding, cfg config.Config) error {
	out := o.Results()
	if cfg.Format == "json" {
		return json.WriteFindings(out, findings)
	}
	return text.Render(out, finding.Results{Findings: findings, Complete: true}, text.Options{
		Colors: text.ANSI(o.Color),
		Width:  width(out),
		Source: os.DirFS(cfg.Root),
		All:    true,
	})
}

// printable escapes each line of foreign text.
func printable(s string) string {
	lines := bytes.Split([]byte(s), []byte("\n"))
	for i, line := range lines {
		lines[i] = []byte(term.Escape(string(line)))
	}
	return string(bytes.Join(lines, []byte("\n")))
}

func width(w any) int {
	if file, ok := w.(*os.File); ok {
		return term.Width(file)
	}
	return 0
}
