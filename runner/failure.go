package runner

import (
	"regexp"
	"strings"
)

// A failure message is shown in a report and compared between replays: these
// many lines tell it apart and stay readable.
const (
	maxFailureLines = 8
	maxFailureBytes = 2000
)

// extractors find the failure message in the output of a test runner, most
// specific first: an application that logs errors must not hide the failure.
// Each gives nil if it does not know the output.
var extractors = []struct {
	runner string
	find   func(lines []string) []string
}{
	{"node:test, TAP reporter", tapError},
	{"node:test, spec reporter; mocha", summaryError},
	{"uncaught in plain Node", uncaughtError},
	{"anything that prints an error", errorLine},
	{"anything", lastLine},
}

// FailureMessage gives the first failure message in the output of a failed test
// command: node:test (TAP and spec reporter), mocha, uncaught errors of plain
// Node; of anything else the first error or the last line. Stack frames, colours and indentation
// are left out.
func FailureMessage(output string) string {
	lines := strings.Split(escapes.ReplaceAllString(strings.ReplaceAll(output, "\r\n", "\n"), ""), "\n")
	for _, e := range extractors {
		if found := e.find(lines); found != nil {
			return tidy(found)
		}
	}
	return ""
}

var (
	escapes = regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]")
	// An error as Node and mocha print it: `AssertionError [ERR_ASSERTION]: text`.
	thrown = regexp.MustCompile(`^\s*(?:Uncaught )?(?:[A-Z][A-Za-z0-9_$]*)?(?:Error|Exception)(?: \[[A-Z0-9_]+\])?(?:: |:?$)`)
	frame  = regexp.MustCompile(`^\s+at .*(?::\d+\)?|<anonymous>\)?|native\))(?: \{)?$`)
	// The line before the list of failures.
	summary = regexp.MustCompile(`^\s*(?:✖ failing tests:|\d+ failing)$`)
	// The mark under the source line that threw.
	caret = regexp.MustCompile(`^\s*\^+$`)

	tapKey = regexp.MustCompile(`^\s+error: (.*)$`)
	// What stands behind `error` in a block of node:test's TAP.
	tapNext = regexp.MustCompile(`^\s+(?:code|name|expected|actual|operator|stack|cause|\.\.\.)(?::.*)?$`)
	// What a parent says of its failed children.
	subtests = regexp.MustCompile(`^(?:\d+ subtests? failed|test failed)$`)
)

// tapError reads the `error:` of the first `not ok` whose cause is the test's
// own: node:test repeats it as "1 subtest failed" in every parent.
func tapError(lines []string) []string {
	for i, line := range lines {
		match := tapKey.FindStringSubmatch(line)
		if match == nil || !insideTAP(lines[:i]) {
			continue
		}
		text := strings.TrimSpace(match[1])
		if strings.HasPrefix(text, "'") {
			text = strings.ReplaceAll(strings.Trim(text, "'"), "''", "'")
		} else if strings.HasPrefix(text, `"`) {
			text = strings.Trim(text, `"`)
		}
		if subtests.MatchString(text) {
			continue
		}
		if !strings.HasPrefix(text, "|") && !strings.HasPrefix(text, ">") {
			return []string{text}
		}
		return until(lines[i+1:], tapNext)
	}
	return nil
}

// insideTAP looks back for the `---` that opens the block of a failed test.
func insideTAP(before []string) bool {
	for i := len(before) - 1; i >= 0 && i >= len(before)-12; i-- {
		if strings.TrimSpace(before[i]) == "---" {
			return i > 0 && strings.HasPrefix(strings.TrimSpace(before[i-1]), "not ok")
		}
	}
	return false
}

func summaryError(lines []string) []string { return errorLine(after(lines, summary)) }

func uncaughtError(lines []string) []string {
	rest := after(lines, caret)
	for i, line := range rest {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if thrown.MatchString(line) {
			return until(rest[i:], frame)
		}
		return rest[i : i+1] // `throw "text"` has no stack
	}
	return nil
}

// errorLine takes the first line that names an error, and what follows up to its stack.
func errorLine(lines []string) []string {
	for i, line := range lines {
		if thrown.MatchString(line) {
			return until(lines[i:], frame)
		}
	}
	return nil
}

func after(lines []string, mark *regexp.Regexp) []string {
	for i, line := range lines {
		if mark.MatchString(line) {
			return lines[i+1:]
		}
	}
	return nil
}

func lastLine(lines []string) []string {
	for i := len(lines) - 1; i >= 0; i-- {
		if strings.TrimSpace(lines[i]) != "" {
			return lines[i : i+1]
		}
	}
	return nil
}

func until(lines []string, stop *regexp.Regexp) []string {
	for i, line := range lines {
		if stop.MatchString(line) {
			return lines[:i]
		}
	}
	return lines
}

func tidy(lines []string) string {
	var kept []string
	for _, line := range lines {
		if line = strings.TrimSpace(line); line != "" {
			kept = append(kept, line)
		}
		if len(kept) == maxFailureLines {
			break
		}
	}
	text := strings.Join(kept, "\n")
	if len(text) > maxFailureBytes {
		text = strings.ToValidUTF8(text[:maxFailureBytes], "") + " …"
	}
	return text
}
