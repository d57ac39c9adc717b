package fixturetest

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/raceseed/raceseed/finding"
)

// TestRacy demands that the race of each fixture is found where it is, proved,
// and shown again by its witness.
func TestRacy(t *testing.T) {
	bin := raceseed(t)
	for _, f := range append(fixturesOf(t, "racy"), fixturesOf(t, "real")...) {
		t.Run(f.name(), func(t *testing.T) {
			dir := copyOf(t, f)
			code, results, out := bin.check(t, dir, f.Cmd, "--runs", "40", "--budget", "60s", "--seed", "1")
			if code != 1 {
				t.Errorf("check: exit code %d, want 1 (new confirmed findings)", code)
			}
			found := f.race(t, results)
			if found == nil {
				t.Fatalf("no confirmed finding of %v with two places of %v:\n%s\n%s", f.Rules, f.places(t), describe(results), out)
			}
			if !regexp.MustCompile(f.FailureRegex).MatchString(found.Failure) {
				t.Errorf("failure %q does not match %q", found.Failure, f.FailureRegex)
			}
			args := append([]string{"replay", found.Witness, "--"}, f.Cmd...)
			if code, out := bin.run(t, dir, args...); code != 1 {
				t.Errorf("replay %s: exit code %d, want 1 (shown)\n%s", found.Witness, code, out)
			}
		})
	}
}

// race is the confirmed finding of the fixture's own race, nil if there is none.
func (f fixture) race(t *testing.T, results finding.Results) *finding.Finding {
	t.Helper()
	known := f.places(t)
	for i, found := range results.Findings {
		if found.Verdict != finding.Confirmed || !slices.Contains(f.Rules, found.Rule) {
			continue
		}
		at := 0
		for _, place := range found.Places {
			if slices.Contains(known, fmt.Sprintf("%s:%d", place.Path, place.Line)) {
				at++
			}
		}
		if at >= 2 {
			return &results.Findings[i]
		}
	}
	return nil
}

// TestFixed demands that no steered run of a test without a race fails: such a
// failure would be a false alarm.
func TestFixed(t *testing.T) {
	bin := raceseed(t)
	for _, f := range append(fixturesOf(t, "fixed"), fixturesOf(t, "real")...) {
		if f.group == "real" {
			f.Cmd = f.FixedCmd
		}
		t.Run(f.name(), func(t *testing.T) {
			dir := copyOf(t, f)
			bin.silent(t, dir, f, "--runs", "20", "--budget", "5m", "--seed", "1")
			if full() {
				bin.silent(t, dir, f, "--runs", strconv.Itoa(f.Seeds), "--budget", "1h", "--seed", "2", "--strategy", "random")
			}
		})
	}
}

// silent demands that a check finds nothing, and that it did look.
func (r tool) silent(t *testing.T, dir string, f fixture, flags ...string) {
	t.Helper()
	code, results, out := r.check(t, dir, f.Cmd, flags...)
	if code != 0 {
		t.Errorf("check %v: exit code %d, want 0\n%s", flags, code, out)
	}
	for _, found := range results.Findings {
		if found.Verdict == finding.Confirmed {
			t.Errorf("check %v: false alarm:\n%s\n%s", flags, line(found), found.Failure)
		}
	}
	if first := results.Stats.First; first != nil {
		t.Errorf("check %v: steered run %d (%s) failed", flags, first.Run, first.Strategy)
	}
	if results.Stats.Steered == 0 {
		t.Errorf("check %v: no steered run", flags)
	}
}

// describe lists findings, one a line.
func describe(results finding.Results) string {
	var lines []string
	for _, found := range results.Findings {
		lines = append(lines, line(found))
	}
	return strings.Join(lines, "\n")
}

func line(f finding.Finding) string {
	var places []string
	for _, place := range f.Places {
		places = append(places, fmt.Sprintf("%s:%d", place.Path, place.Line))
	}
	return fmt.Sprintf("%d. %s %s %s %s %s", f.Rank, f.Verdict, f.Rule, f.Resource, strings.Join(places, " "), f.Witness)
}
