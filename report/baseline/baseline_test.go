package baseline_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/raceseed/raceseed/docs"
	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/internal/diag"
	"github.com/raceseed/raceseed/internal/golden"
	"github.com/raceseed/raceseed/report/baseline"
)

var today = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func race(id string) finding.Finding {
	return finding.Finding{
		ID: id, Rule: finding.RuleEventRace, Verdict: finding.Confirmed, Baseline: finding.New, Witness: "rs1" + id[:4],
		Places: []finding.Place{
			{Path: "src/db.js", Line: 30, Function: "get", Access: "read"},
			{Path: "src/db.js", Line: 12, Function: "connect", Access: "write"},
		},
		Tests: []string{"pool > b <&>", "pool > a <&>"},
	}
}

const (
	idA = "aaaaaaaaaaaaaaaa"
	idB = "bbbbbbbbbbbbbbbb"
	idC = "cccccccccccccccc"
)

// handmade is what people make of a file: their own fields, their own order.
const handmade = `{
	"owner": {"team": "<shop>", "n": 1.50},
	"findings": [
		{"fingerprint": "bbbbbbbbbbbbbbbb", "rule": "event-race", "ticket": [1, 2], "reason": "start-up only", "expires": "2027-01-01"},
		{"issue": "#12", "added-by": "ann", "fingerprint": "aaaaaaaaaaaaaaaa", "rule": "file-race", "witness": "rs1old",
		 "a": {"path": "a.js", "function": "f"}, "b": {"path": "b.js", "function": ""}, "test": "t"}
	],
	"version": 1
}`

func load(t *testing.T, text string) *baseline.Baseline {
	t.Helper()
	b, err := baseline.Load(file(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), baseline.File)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func encode(t *testing.T, b *baseline.Baseline) string {
	t.Helper()
	data, err := b.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestCreate(t *testing.T) {
	predicted := race(idC)
	predicted.Verdict = finding.Predicted
	b := baseline.Create([]finding.Finding{race(idB), predicted, race(idA)})
	golden.Check(t, "testdata/created.json", []byte(encode(t, b)))
	if problems := b.Check(today, false); problems != nil {
		t.Errorf("a new baseline has problems: %q", problems)
	}
}

func TestEmptyBaseline(t *testing.T) {
	want := "{\n  \"version\": 1,\n  \"findings\": []\n}\n"
	if got := encode(t, baseline.Create(nil)); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestRewriteKeepsWhatPeopleWrote(t *testing.T) {
	b := load(t, handmade)
	if err := b.Update([]finding.Finding{race(idA), race(idC)}, []string{idA}, true); err != nil {
		t.Fatal(err)
	}
	first := encode(t, b)
	golden.Check(t, "testdata/updated.json", []byte(first))

	path := file(t, "")
	if err := b.Save(path); err != nil {
		t.Fatal(err)
	}
	again, err := baseline.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Update([]finding.Finding{race(idA), race(idB), race(idC)}, nil, true); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first, encode(t, again)); diff != "" {
		t.Errorf("an unchanged refresh changes the file (-first +second):\n%s", diff)
	}
}

func TestUpdateOfAnUnknownFindingChangesNothing(t *testing.T) {
	b := load(t, handmade)
	before := encode(t, b)
	err := b.Update([]finding.Finding{race(idC)}, []string{idC, "dddddddddddddddd"}, false)
	var d *diag.Error
	if !errors.As(err, &d) || err.Error() != `no finding "dddddddddddddddd" in the results` || len(d.Hints()) == 0 {
		t.Errorf("got %v", err)
	}
	if diff := cmp.Diff(before, encode(t, b)); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}

func TestCompare(t *testing.T) {
	b := load(t, `{"version": 1, "findings": [
		{"fingerprint": "aaaaaaaaaaaaaaaa", "rule": "event-race"},
		{"fingerprint": "bbbbbbbbbbbbbbbb", "rule": "event-race", "expires": "2026-11-21"},
		{"fingerprint": "dddddddddddddddd", "rule": "file-race", "a": {"path": "a.js", "function": "f"}, "b": {"path": "a.js", "function": "f"}, "test": "t", "witness": "rs1d"},
		{"fingerprint": "eeeeeeeeeeeeeeee", "rule": "file-race"}]}`)
	in := []finding.Finding{race(idA), race(idB), race(idC)}
	replayed := func(id string) bool { return id != "eeeeeeeeeeeeeeee" }
	got, notes := baseline.Compare(b, in, replayed, today)

	a, x, c := race(idA), race(idB), race(idC)
	a.Baseline = finding.Known
	gone := finding.Finding{ID: "dddddddddddddddd", Rule: "file-race", Baseline: finding.Gone, Witness: "rs1d", Tests: []string{"t"},
		Places: []finding.Place{{Path: "a.js", Function: "f"}}, Marks: []finding.Mark{}}
	if diff := cmp.Diff([]finding.Finding{x, c, a, gone}, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	wantNotes := []string{"bbbbbbbbbbbbbbbb is new again: its baseline entry expired (2026-11-21)"}
	if diff := cmp.Diff(wantNotes, notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]finding.Finding{race(idA), race(idB), race(idC)}, in); diff != "" {
		t.Errorf("the input changed:\n%s", diff)
	}
}

func TestCompareWithoutABaseline(t *testing.T) {
	f := race(idA)
	f.Baseline = finding.Known
	got, notes := baseline.Compare(nil, []finding.Finding{f}, func(string) bool { return true }, today)
	if diff := cmp.Diff([]finding.Finding{race(idA)}, got); diff != "" || notes != nil {
		t.Errorf("notes %q, findings (-want +got):\n%s", notes, diff)
	}
}

func TestExpiry(t *testing.T) {
	for expires, want := range map[string]string{
		"": finding.Known, "2026-11-22": finding.Known, "2026-11-21": finding.New, "2020-01-01": finding.New,
		"soon": finding.New, "2026-13-01": finding.New, "22.11.2026": finding.New,
	} {
		b := load(t, `{"version": 1, "findings": [{"fingerprint": "`+idA+`", "rule": "event-race", "expires": "`+expires+`"}]}`)
		got, _ := baseline.Compare(b, []finding.Finding{race(idA)}, func(string) bool { return false }, today)
		if got[0].Baseline != want {
			t.Errorf("expires %q: %s, want %s", expires, got[0].Baseline, want)
		}
	}
}

func TestCheck(t *testing.T) {
	b := load(t, `{"version": 1, "findings": [
		{"fingerprint": "bbbbbbbbbbbbbbbb", "rule": "event-race", "reason": "r", "expires": "2026-01-01"},
		{"fingerprint": "aaaaaaaaaaaaaaaa", "rule": "event-race", "reason": "r", "expires": "soon"},
		{"fingerprint": "bbbbbbbbbbbbbbbb", "reason": "r"},
		{"fingerprint": "XYZ", "rule": "event-race"}]}`)
	want := []string{
		`entry 1 ("bbbbbbbbbbbbbbbb"): expired on 2026-01-01: the finding is new again`,
		`entry 2 ("aaaaaaaaaaaaaaaa"): expires "soon" is no date like 2027-03-01, so the entry counts as expired`,
		`entry 3 ("bbbbbbbbbbbbbbbb"): there is no rule`,
		`entry 3 ("bbbbbbbbbbbbbbbb"): the same fingerprint as entry 1; keep one of them`,
		`entry 4 ("XYZ"): the fingerprint is not 16 hex digits`,
		`entry 4 ("XYZ"): there is no reason`,
		"the entries are not sorted by fingerprint: raceseed baseline update sorts them",
	}
	if diff := cmp.Diff(want, b.Check(today, true)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReasons(t *testing.T) {
	if diff := cmp.Diff(map[string]string{idB: "start-up only"}, load(t, handmade).Reasons()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMalformedFiles(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"syntax", "{\n  \"version\": 1,,\n}", `:2:16: malformed baseline: invalid character ',' looking for beginning of object key string`},
		{"cut off", "{\n  \"version\": 1", `:2:15: malformed baseline: unexpected end of JSON input`},
		{"wrong type", "{\"version\": 1, \"findings\": [\n  {\"reason\": 12}]}", `:2:15: malformed baseline: findings.reason is a number, not a string`},
		{"no version", "{}", `:1:1: malformed baseline: there is no version`},
		{"later version", `{"version": 2}`, `:1:1: malformed baseline: version 2 is unknown`},
		{"conflict", "{\n<<<<<<< HEAD\n", `:2:1: malformed baseline: there is an unresolved merge conflict`},
		{"capitals", `{"version": 1, "Findings": [{}]}`, `:1:1: malformed baseline: the name "findings" is not written in small letters`},
		{"list", "[]", `:1:1: malformed baseline: json: cannot unmarshal array into Go value of type baseline.content`},
	}
	for _, test := range tests {
		path := file(t, test.text)
		_, err := baseline.Load(path)
		if err == nil {
			t.Errorf("%s: no error", test.name)
			continue
		}
		if got := strings.TrimPrefix(err.Error(), path); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.name, got, test.want)
		}
		var d *diag.Error
		if !errors.As(err, &d) || len(d.Hints()) == 0 || diag.ExitCode(err) != diag.ExitUsage {
			t.Errorf("%s: no hint, or exit code %d", test.name, diag.ExitCode(err))
		}
	}
}

func TestMissingFile(t *testing.T) {
	_, err := baseline.Load(filepath.Join(t.TempDir(), "none.json"))
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(handmade)
	f.Add(`{"version": 1, "findings": [null, {"x": {"y": [1e400]}}]}`)
	f.Add(`{"version": 1, "findings": null, "Version": 1, "é": "\ud800"}`)
	f.Fuzz(func(t *testing.T, text string) {
		b, err := baseline.Load(file(t, text))
		if err != nil {
			return
		}
		first := encode(t, b)
		if diff := cmp.Diff(first, encode(t, load(t, first))); diff != "" {
			t.Errorf("a rewrite of a rewrite differs (-first +second):\n%s", diff)
		}
	})
}

// The example of the document is a baseline that raceseed would write itself.
func TestDocumentedExample(t *testing.T) {
	text, err := docs.Text("baseline.md")
	if err != nil {
		t.Fatal(err)
	}
	example := regexp.MustCompile("(?s)```json\n(.*?)```").FindStringSubmatch(text)[1]
	b := load(t, example)
	if diff := cmp.Diff(example, encode(t, b)); diff != "" {
		t.Errorf("docs/baseline.md (-document +canonical):\n%s", diff)
	}
	if problems := b.Check(today, true); problems != nil {
		t.Errorf("docs/baseline.md: %q", problems)
	}
}
