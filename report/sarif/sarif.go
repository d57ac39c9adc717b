// Package sarif writes results as SARIF 2.1.0, in the subset that GitHub code
// scanning reads and without what it refuses. It takes findings and writes one
// run; it opens no files and knows no network. The same findings give the same
// bytes: no seeds, times, run numbers or absolute paths outside of messages.
package sarif

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/owenrumney/go-sarif/v2/sarif"

	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/report"
)

// Options of one file.
type Options struct {
	Suite     string            // names the category raceseed/<suite>; "" is tests. A changed one strands old alerts
	Version   string            // of raceseed, such as 1.2.3; "" leaves it out
	Predicted bool              // also write what no run confirmed: another recording predicts other things
	Upload    bool              // for code scanning: leave out known and gone findings, which would become open alerts
	Reasons   map[string]string // why a known finding stays, by fingerprint
}

const (
	toolName       = "raceseed"
	informationURI = "https://github.com/raceseed/raceseed"
	defaultSuite   = "tests"

	maxResults = 5000 // GitHub shows no more
)

// Write writes the SARIF log of results.
func Write(w io.Writer, r finding.Results, o Options) error {
	log, err := sarif.New(sarif.Version210)
	if err != nil {
		return fmt.Errorf("make SARIF log: %w", err)
	}
	log.AddRun(newRun(r, o))
	data, err := encode(log)
	if err != nil {
		return fmt.Errorf("encode SARIF: %w", err)
	}
	if _, err := io.Copy(w, bytes.NewReader(data)); err != nil {
		return fmt.Errorf("write SARIF: %w", err)
	}
	return nil
}

func newRun(r finding.Results, o Options) *sarif.Run {
	driver := sarif.NewDriver(toolName).WithInformationURI(informationURI).WithRules(descriptors(report.Rules()))
	if o.Version != "" {
		driver.WithSemanticVersion(o.Version)
	}
	suite := cmp.Or(o.Suite, defaultSuite)
	run := sarif.NewRun(*sarif.NewTool(driver)).
		// Without the slash at the end GitHub sees no category.
		WithAutomationDetails(sarif.NewRunAutomationDetails().WithID(toolName + "/" + suite + "/")).
		WithColumnKind("utf16CodeUnits")

	findings := selected(r.Findings, o)
	cut := max(len(findings)-maxResults, 0)
	findings = findings[:len(findings)-cut]
	slices.SortStableFunc(findings, byPlace)
	index := ruleIndex(driver)
	for _, f := range findings {
		run.Results = append(run.Results, newResult(f, r.Command, index, o))
	}
	run.AddInvocations(invocation(r, cut))
	return run
}

// selected gives the findings to write, most important first, with rules that
// have a description: GitHub refuses a result of an unknown rule.
func selected(all []finding.Finding, o Options) []finding.Finding {
	known := map[string]bool{}
	for _, rule := range report.Rules() {
		known[rule.ID] = true
	}
	seen := map[string]bool{}
	findings := slices.Clone(all)
	finding.Sort(findings)
	return slices.DeleteFunc(findings, func(f finding.Finding) bool {
		old := f.Baseline == finding.Known || f.Baseline == finding.Gone
		unwanted := !known[f.Rule] || seen[f.ID] || o.Upload && old || !o.Predicted && !old && f.Verdict == finding.Predicted
		if !unwanted {
			seen[f.ID] = true // two results of one fingerprint are one alert
		}
		return unwanted
	})
}

// byPlace sorts results as a reader of the file expects them; the rank would
// reorder the file with every recording.
func byPlace(a, b finding.Finding) int {
	x, y := primary(a), primary(b)
	return cmp.Or(
		cmp.Compare(x.Path, y.Path),
		cmp.Compare(x.Line, y.Line),
		cmp.Compare(x.Column, y.Column),
		cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.ID, b.ID),
	)
}

// invocation says whether the run saw everything: a degraded run must not look
// like a clean one.
func invocation(r finding.Results, cut int) *sarif.Invocation {
	in := sarif.NewInvocation().WithExecutionSuccess(r.Complete)
	warn := func(text string) {
		note := sarif.NewNotification().WithTextMessage(text).WithLevel("warning")
		in.ToolExecutionNotifications = append(in.ToolExecutionNotifications, note)
	}
	if !r.Complete {
		warn("The run is incomplete: what it does not show is not repaired.")
	}
	if r.Stats.Lost > 0 {
		warn(fmt.Sprintf("The recording has %d lost records: something was not seen.", r.Stats.Lost))
	}
	if cut > 0 {
		warn(fmt.Sprintf("%d findings of lower rank were left out: the limit is %d.", cut, maxResults))
	}
	return in
}
