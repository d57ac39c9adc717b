package json_test

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/raceseed/raceseed/docs"
	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/internal/diag"
	"github.com/raceseed/raceseed/internal/golden"
	"github.com/raceseed/raceseed/report/json"
)

func results() finding.Results {
	read := finding.Place{Path: "src/db.js", Line: 30, Column: 10, Function: "get", Access: "read"}
	write := finding.Place{
		Path: "src/db.js", Line: 12, Column: 5, Function: "connect", Access: "write", Event: "fs.readFile callback",
		Origin: &finding.Frame{Path: "src/db.js", Line: 9, Column: 3, Function: "open"},
		Frames: []finding.Frame{{Path: "src/db.js", Line: 12, Column: 5, Function: "connect"}},
	}
	confirmed := finding.Finding{
		ID: "0e314c2b2e1ac85b", Rule: finding.RuleEventRace, Verdict: finding.Confirmed, Baseline: finding.New, Pattern: "write-read",
		Places: []finding.Place{write, read}, Related: []finding.Place{read}, Resource: "variable `a<b>&c`",
		Tests: []string{"pool > opens once"}, Marks: []finding.Mark{{Name: "guarded", Why: "every read stands behind a check."}},
		Rank: 2, Score: 4.5, Witness: "rs111066qme0dcfq83w0y0", Holds: []string{"hold fs.readFile until the next timer"},
		Replay: &finding.Replay{Shown: 5, Of: 5}, Failure: "expected 1\ngot 2",
		FoundBy: &finding.FoundBy{Strategy: "directed", Run: 3, Seconds: 1.25},
	}
	return finding.Results{
		Complete: true, Command: []string{"npm", "test"}, Commit: "abc", Node: "v20.20.0",
		Findings: []finding.Finding{
			{ID: "ffffffffffffffff", Rule: finding.RuleFileRace, Verdict: finding.Predicted, Baseline: finding.New, Rank: 1},
			{ID: "eeeeeeeeeeeeeeee", Rule: finding.RuleFileRace, Baseline: finding.Gone},
			confirmed,
		},
		Stats: finding.Stats{Runs: 34, Steered: 30, Seconds: map[string]float64{"total": 41, "record": 2}, First: confirmed.FoundBy},
	}
}

func write(t *testing.T, r finding.Results) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := json.Write(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestWrite(t *testing.T) {
	golden.Check(t, "testdata/results.json", write(t, results()))
}

func TestWriteLeavesItsInputAlone(t *testing.T) {
	r := results()
	write(t, r)
	if diff := cmp.Diff(results(), r); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}

func TestRoundTrip(t *testing.T) {
	for name, r := range map[string]finding.Results{"full": results(), "empty": {}} {
		first := write(t, r)
		if bytes.Contains(first, []byte("null")) {
			t.Errorf("%s: null in %s", name, first)
		}
		read, err := json.Read(bytes.NewReader(first))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(string(first), string(write(t, read))); diff != "" {
			t.Errorf("%s (-first +second):\n%s", name, diff)
		}
	}
}

// A list of findings has the very bytes that it has inside results.json, but
// for the indent of its place there.
func TestWriteFindings(t *testing.T) {
	for name, r := range map[string]finding.Results{"full": results(), "empty": {}} {
		var out bytes.Buffer
		if err := json.WriteFindings(&out, r.Findings); err != nil {
			t.Fatal(err)
		}
		inside := strings.ReplaceAll(strings.TrimSpace(out.String()), "\n", "\n  ")
		if !strings.Contains(string(write(t, r)), `"findings": `+inside+",\n") {
			t.Errorf("%s: not part of results.json:\n%s", name, out.String())
		}
	}
}

func TestReadErrors(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"no JSON", "hello", "malformed results: invalid character 'h' looking for beginning of value"},
		{"cut off", `{"version": 1, "findings": [`, "malformed results: unexpected end of JSON input"},
		{"no version", `{}`, "these are no results of raceseed: there is no version"},
		{"later version", `{"version": 2, "novel": true}`, "results have version 2, this raceseed reads version 1"},
		{"unknown field", `{"version": 1, "novel": true}`, `malformed results: json: unknown field "novel"`},
		{"two values", `{"version": 1}{}`, "malformed results: invalid character '{' after top-level value"},
		{"unknown verdict", `{"version": 1, "findings": [{"id": "a", "verdict": "maybe"}]}`, `malformed results: finding "a" has the unknown verdict "maybe"`},
		{"no verdict", `{"version": 1, "findings": [{"id": "a", "baseline": "new"}]}`, `malformed results: finding "a" has the unknown verdict ""`},
		{"unknown state", `{"version": 1, "findings": [{"id": "a", "verdict": "confirmed", "baseline": "old"}]}`, `malformed results: finding "a" has the unknown baseline state "old"`},
	}
	for _, test := range tests {
		_, err := json.Read(strings.NewReader(test.in))
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: got %v, want %s", test.name, err, test.want)
			continue
		}
		var d *diag.Error
		if !errors.As(err, &d) || len(d.Hints()) == 0 || diag.ExitCode(err) != diag.ExitUsage {
			t.Errorf("%s: no hint, or exit code %d", test.name, diag.ExitCode(err))
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"version":1,"findings":[{"verdict":"confirmed","places":null}],"stats":{"seconds":null}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := json.Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		if _, err := json.Read(bytes.NewReader(write(t, r))); err != nil {
			t.Errorf("what was read and written cannot be read: %v", err)
		}
	})
}

// Each struct of finding has a section of its name with one row per field, in
// the order of the struct; optional says omitempty.
func TestFieldsAreDocumented(t *testing.T) {
	text, err := docs.Text("results.md")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, section := range docs.Sections(text) {
		for _, row := range docs.Rows(section.Body) {
			field := strings.Trim(row[0], "`")
			if strings.HasPrefix(row[2], "*optional*: ") {
				field += ",omitempty"
			}
			got[section.Heading] = append(got[section.Heading], field)
		}
	}
	want := map[string][]string{}
	collect(reflect.TypeFor[finding.Results](), want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("docs/results.md against finding (-struct tags +document):\n%s", diff)
	}
}

func collect(typ reflect.Type, fields map[string][]string) {
	for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
		typ = typ.Elem()
	}
	if typ.Kind() != reflect.Struct || fields[typ.Name()] != nil {
		return
	}
	for i := range typ.NumField() {
		fields[typ.Name()] = append(fields[typ.Name()], typ.Field(i).Tag.Get("json"))
	}
	for i := range typ.NumField() {
		collect(typ.Field(i).Type, fields)
	}
}
