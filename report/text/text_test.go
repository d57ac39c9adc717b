package text_test

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"

	"pgregory.net/rapid"

	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/internal/golden"
	"github.com/raceseed/raceseed/internal/term"
	"github.com/raceseed/raceseed/report/text"
)

const dbSource = `'use strict';
const fs = require('node:fs');

let pool;

function open(file) {
	fs.readFile(file, 'utf8', connect);
	setTimeout(() => get(), 50);
}

function connect(error, text) {
	/* 漢字 🚀 */ pool = JSON.parse(text);
}

function get() {
	return pool.size;
}
`

func source() fstest.MapFS {
	return fstest.MapFS{"src/db.js": {Data: []byte(dbSource)}}
}

func poolRace() finding.Finding {
	return finding.Finding{
		ID: "0e314c2b2e1ac85b", Rule: finding.RuleEventRace, Verdict: finding.Confirmed, Baseline: finding.New,
		Places: []finding.Place{
			{Path: "src/db.js", Line: 12, Column: 16, Function: "connect", Access: "write", Event: "fs.readFile callback",
				Origin: &finding.Frame{Path: "src/db.js", Line: 7, Column: 2, Function: "open"}},
			{Path: "src/db.js", Line: 16, Column: 9, Function: "get", Access: "read", Event: "timer callback",
				Origin: &finding.Frame{Path: "src/db.js", Line: 8, Column: 2, Function: "open"}},
		},
		Related:  []finding.Place{{Path: "src/db.js", Line: 4, Column: 5, Access: "write"}},
		Resource: "variable `pool`", Tests: []string{"pool > opens once"},
		Marks:   []finding.Mark{{Name: "guarded", Why: "every read of this nullable location stands behind a check that src/db.js:11 makes"}},
		Rank:    1,
		Witness: "rs111066qme0dcfq83w0y0", Holds: []string{"hold the completion of fs.readFile at src/db.js:7 until the next timer has fired"},
		Replay:  &finding.Replay{Shown: 5, Of: 5},
		Failure: "TypeError: Cannot read properties of undefined (reading 'size')\n    at get (src/db.js:16:15)\n",
	}
}

func allKinds() finding.Results {
	flaky := finding.Finding{ID: "1111111111111111", Rule: finding.RuleFlakyTest, Verdict: finding.Confirmed, Baseline: finding.New, Rank: 2,
		Tests: []string{"ids > differ"}, Replay: &finding.Replay{Shown: 1, Of: 3}, Failure: "a\nb\nc\nd\ne\nf\ng\nh"}
	gone := finding.Finding{ID: "2222222222222222", Rule: finding.RuleFileRace, Baseline: finding.Gone,
		Places: []finding.Place{{Path: "src/save.js", Function: "save"}}, Resource: "file"}
	known := poolRace()
	known.ID, known.Baseline, known.Resource = "3333333333333333", finding.Known, "variable `cache`"
	feasible := poolRace()
	feasible.ID, feasible.Verdict, feasible.Resource = "4444444444444444", finding.Feasible, "property `Store.count`"
	predicted := poolRace()
	predicted.ID, predicted.Verdict, predicted.Witness, predicted.Replay = "5555555555555555", finding.Predicted, "", nil
	predicted.Failure, predicted.Holds = "", nil
	return finding.Results{
		Complete: true, Command: []string{"npm", "test", "--", "-g", "opens once"},
		Findings: []finding.Finding{gone, predicted, known, feasible, flaky, poolRace()},
		Stats:    finding.Stats{Runs: 34, Seconds: map[string]float64{"total": 41.2}},
	}
}

func render(t interface {
	Helper()
	Fatal(...any)
}, r finding.Results, o text.Options) string {
	t.Helper()
	var out bytes.Buffer
	if err := text.Render(&out, r, o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestRender(t *testing.T) {
	tests := map[string]text.Options{
		"plain":  {Source: source(), Recording: ".raceseed/recording", Notes: []string{"baseline entry 6666666666666666 expired on 2026-01-01"}},
		"all":    {All: true},
		"narrow": {Source: source(), Width: 60, Recording: "my recording"},
		"color":  {Source: source(), Width: 100, Colors: text.ANSI(true)},
	}
	for name, options := range tests {
		golden.Check(t, "testdata/"+name+".txt", []byte(render(t, allKinds(), options)))
	}
}

func TestSummary(t *testing.T) {
	tests := []struct {
		name string
		r    finding.Results
		want string
	}{
		{"nothing", finding.Results{Complete: true, Stats: finding.Stats{Runs: 1, Seconds: map[string]float64{"total": 0.42}}}, "no new races, 1 run, 0.4s"},
		{"one", finding.Results{Complete: true, Findings: []finding.Finding{poolRace()}, Stats: finding.Stats{Runs: 9, Seconds: map[string]float64{"total": 125}}}, "1 new race confirmed, 9 runs, 2m05s"},
		{"hours", finding.Results{Complete: true, Stats: finding.Stats{Runs: 2, Seconds: map[string]float64{"total": 3725}}}, "no new races, 2 runs, 1h02m"},
		{"degraded", finding.Results{Stats: finding.Stats{Runs: 2, Lost: 1}}, "no new races, 2 runs, 1 lost record, incomplete"},
		{"stored predictions", finding.Results{Findings: []finding.Finding{{Rule: "file-race", Verdict: finding.Predicted}}}, "1 predicted"},
	}
	for _, test := range tests {
		lines := strings.Split(strings.TrimSuffix(render(t, test.r, text.Options{}), "\n"), "\n")
		if got := lines[len(lines)-1]; got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

func TestCaretStandsBelowTheAccess(t *testing.T) {
	long := strings.Repeat("x();", 100)
	tests := []struct {
		name, line string
		column     int    // UTF-16, from 1
		under      string // what the caret points at, "": no caret
	}{
		{"first column", "pool = 1", 1, "p"},
		{"behind a tab", "\tpool = 1", 2, "p"},
		{"behind wide characters", "/* 漢字 */ pool", 10, "p"},
		{"behind a surrogate pair", "'🚀' + pool", 8, "p"},
		{"behind a control character", "'\x1b' + pool", 7, "p"},
		{"behind the end", "pool", 9, ""},
		{"column 0", "pool", 0, ""},
		{"in a minified line", long + "pool=1;" + long, 401, "p"},
	}
	for _, test := range tests {
		f := finding.Finding{Rule: "event-race", Verdict: finding.Confirmed,
			Places: []finding.Place{{Path: "a.js", Line: 1, Column: test.column, Access: "read"}}}
		out := render(t, finding.Results{Findings: []finding.Finding{f}},
			text.Options{Width: 80, Source: fstest.MapFS{"a.js": {Data: []byte(test.line)}}})
		if got := underCaret(out); got != test.under {
			t.Errorf("%s: the caret points at %q, want %q in\n%s", test.name, got, test.under, out)
		}
		for line := range strings.Lines(out) {
			if n := term.TextColumns(strings.TrimSuffix(line, "\n")); strings.Contains(line, " |") && n > 80 {
				t.Errorf("%s: a source line of %d columns", test.name, n)
			}
		}
	}
}

// underCaret gives the character above the caret, by terminal cells.
func underCaret(out string) string {
	lines := strings.Split(out, "\n")
	for i, line := range lines {
		at := strings.Index(line, "| ")
		if at < 0 || strings.TrimSpace(line[at+1:]) != "^" {
			continue
		}
		cell := term.TextColumns(line[:strings.LastIndex(line, "^")])
		for _, r := range lines[i-1] {
			if cell <= 0 {
				return string(r)
			}
			cell -= term.Columns(r)
		}
	}
	return ""
}

func TestNoFrameWithoutSource(t *testing.T) {
	for name, files := range map[string]fstest.MapFS{
		"no file":        {},
		"shorter file":   {"src/db.js": {Data: []byte("one line")}},
		"not a file":     {"src/db.js/x": {Data: []byte("x")}},
		"too large file": {"src/db.js": {Data: bytes.Repeat([]byte("\n"), 5<<20)}},
	} {
		out := render(t, finding.Results{Findings: []finding.Finding{poolRace()}}, text.Options{Source: files})
		if strings.Contains(out, " | ") || !strings.Contains(out, "src/db.js:12:16 in connect") {
			t.Errorf("%s:\n%s", name, out)
		}
	}
}

func TestNothingForeignReachesTheTerminal(t *testing.T) {
	evil := rapid.SampledFrom([]string{"\x1b[2J", "\r", "\n", "\t", "\u202e", "\u009b1A", "\xff", "\x00", "x", " ", "  "})
	trailing := regexp.MustCompile(`(?m)[ \t]+$`)
	rapid.Check(t, func(t *rapid.T) {
		word := func(label string) string { return strings.Join(rapid.SliceOfN(evil, 0, 4).Draw(t, label), "") + "a" }
		// A newline inside an argument stays one inside its quotes.
		argument := func(label string) string { return strings.ReplaceAll(word(label), "\n", "") }
		f := finding.Finding{
			ID: argument("id"), Rule: argument("rule"), Verdict: rapid.SampledFrom([]string{finding.Confirmed, "\x1b[1A"}).Draw(t, "verdict"),
			Places: []finding.Place{{Path: "a.js", Line: 1, Column: 2, Function: word("function"), Access: word("access"), Event: word("event"),
				Origin: &finding.Frame{Path: word("path"), Line: 1, Column: 1, Function: word("origin")}}},
			Related:  []finding.Place{{Path: word("related"), Access: word("related access")}},
			Resource: word("resource"), Tests: []string{word("test")}, Marks: []finding.Mark{{Name: word("mark"), Why: word("why")}},
			Witness: "rs1", Holds: []string{word("hold")}, Failure: word("failure"),
		}
		r := finding.Results{Command: []string{"npm"}, Findings: []finding.Finding{f}}
		out := render(t, r, text.Options{All: true, Width: rapid.IntRange(0, 100).Draw(t, "width"), Notes: []string{word("note")},
			Source: fstest.MapFS{"a.js": {Data: []byte(word("source") + "\n" + word("source 2"))}}})
		for _, c := range out {
			if c != '\n' && !unicode.IsPrint(c) {
				t.Fatalf("%U is printed in\n%q", c, out)
			}
		}
		if found := trailing.FindString(out); found != "" {
			t.Fatalf("trailing blanks in\n%q", out)
		}
	})
}

func TestWrappedToWidth(t *testing.T) {
	out := render(t, allKinds(), text.Options{Width: 60, Source: source()})
	unwrapped := regexp.MustCompile(`^  (replay|explain|accept) | known, `) // commands and the summary
	for line := range strings.Lines(out) {
		exact := unwrapped.MatchString(line)
		if n := term.TextColumns(strings.TrimSuffix(line, "\n")); n > 60 && !exact {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

type brokenWriter struct{}

var errBroken = errors.New("broken pipe")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestRenderReportsTheWriter(t *testing.T) {
	if err := text.Render(brokenWriter{}, finding.Results{}, text.Options{}); !errors.Is(err, errBroken) {
		t.Errorf("got %v", err)
	}
}
