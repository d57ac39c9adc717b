package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/internal/diag"
)

// readmeFixture is a racy project that needs no npm package.
const readmeFixture = "../../fixtures/racy/log-rotation"

var seed = regexp.MustCompile(`\brs1\S*`)

// The examples of README.md that call raceseed are run in their order in a copy
// of a racy fixture; a witness in them stands for the one that check found.
func TestReadmeExamples(t *testing.T) {
	examples := readmeExamples(t)
	if len(examples) < 10 {
		t.Fatalf("found only %d examples in README.md", len(examples))
	}
	fixture, err := filepath.Abs(readmeFixture)
	if err != nil {
		t.Fatal(err)
	}
	project := t.TempDir()
	if err := os.CopyFS(project, os.DirFS(fixture)); err != nil {
		t.Fatal(err)
	}
	t.Chdir(project)
	for _, example := range examples {
		if seed.MatchString(example) {
			example = seed.ReplaceAllLiteralString(example, foundWitness(t))
		}
		// As written they would search for a minute each.
		example = strings.Replace(example, " -- ", checkLimit(example)+" -- ", 1)
		var out, errs bytes.Buffer
		code := Main(strings.Fields(example)[1:], Stdio{Out: &out, Err: &errs})
		if want := readmeExit(example); code != want {
			t.Fatalf("%s: exit code %d, want %d\n%s%s", example, code, want, &out, &errs)
		}
	}
}

func checkLimit(example string) string {
	if strings.HasPrefix(example, "raceseed check ") {
		return " --runs 6"
	}
	return ""
}

// readmeExit is what the examples give in the racy fixture: check and replay
// show its race until the baseline knows it.
func readmeExit(example string) int {
	if strings.Contains(example, "--help") {
		return diag.ExitClean
	}
	if strings.HasPrefix(example, "raceseed check ") || strings.HasPrefix(example, "raceseed replay ") {
		return diag.ExitFindings
	}
	return diag.ExitClean
}

func readmeExamples(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var examples []string
	shell := false
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			shell = line == "```sh" || line == "```console"
			continue
		}
		line, _, _ = strings.Cut(strings.TrimPrefix(line, "$ "), " #")
		if shell && strings.HasPrefix(line, "raceseed ") {
			examples = append(examples, strings.TrimSpace(line))
		}
	}
	return examples
}

func foundWitness(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(".raceseed/results.json")
	if err != nil {
		t.Fatal(err)
	}
	var results finding.Results
	if err := json.Unmarshal(data, &results); err != nil {
		t.Fatal(err)
	}
	for _, f := range results.Findings {
		if f.Witness != "" {
			return f.Witness
		}
	}
	t.Fatal("check found no witness in the fixture")
	return ""
}
