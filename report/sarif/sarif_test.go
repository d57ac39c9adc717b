package sarif_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/internal/golden"
	"github.com/raceseed/raceseed/report/sarif"
)

func race(id string) finding.Finding {
	return finding.Finding{
		ID: id, Rule: finding.RuleEventRace, Verdict: finding.Confirmed, Baseline: finding.New,
		Places: []finding.Place{
			{Path: "src/my db.js", Line: 30, Column: 10, Function: "get", Access: "read", Event: "timer callback",
				Origin: &finding.Frame{Path: "src/my db.js", Line: 8, Column: 2, Function: "open"}},
			{Path: "src/my db.js", Line: 12, Column: 5, Function: "connect", Access: "write", Event: "fs.readFile callback",
				Origin: &finding.Frame{Path: "src/my db.js", Line: 9, Column: 3, Function: "open"},
				Frames: []finding.Frame{
					{Path: "src/my db.js", Line: 12, Column: 5, Function: "connect"},
					{Path: "src/call.js", Line: 3, Column: 1, Function: "run"},
					{Path: "/usr/lib/x.js", Line: 1, Column: 1, Function: "outer"},
				}},
		},
		Related:  []finding.Place{{Path: "src/other.js", Line: 1, Column: 1, Access: "write"}},
		Resource: "variable `pool`", Tests: []string{"pool [fast] > opens once"},
		Marks:   []finding.Mark{{Name: "guarded", Why: "every read stands behind a check."}},
		Witness: "rs111066qme0dcfq83w0y0", Replay: &finding.Replay{Shown: 5, Of: 5},
		Failure: "Error: ENOENT <a> & [b](1) at /home/ann/shop/src/db.js:3\x1b[2J\nsecond line",
	}
}

func results() finding.Results {
	known := race("3333333333333333")
	known.Baseline, known.Places[0].Path = finding.Known, "src/a.js"
	gone := finding.Finding{ID: "2222222222222222", Rule: finding.RuleFileRace, Baseline: finding.Gone, Resource: "file a",
		Places: []finding.Place{{Path: "src/save.js", Function: "save"}}}
	outside := race("4444444444444444")
	outside.Rule, outside.Verdict, outside.Resource = finding.RuleFileRace, finding.Feasible, "file /tmp/app-Xa3bQ9/x/log.txt"
	outside.Places[0].Path, outside.Places[1].Path = "/usr/lib/a.js", "C:/b.js"
	flaky := finding.Finding{ID: "5555555555555555", Rule: finding.RuleFlakyTest, Verdict: finding.Confirmed, Baseline: finding.New, Tests: []string{"a.b"}}
	predicted := race("6666666666666666")
	predicted.Verdict, predicted.Witness, predicted.Failure, predicted.Replay = finding.Predicted, "", "", nil
	predicted.Places[1].Line = 13
	foreign := race("7777777777777777")
	foreign.Rule = "rule-of-tomorrow"
	return finding.Results{
		Command:  []string{"npm", "test"},
		Findings: []finding.Finding{race("0e314c2b2e1ac85b"), race("0e314c2b2e1ac85b"), foreign, predicted, flaky, outside, gone, known},
		Stats:    finding.Stats{Lost: 2},
	}
}

func options() sarif.Options {
	return sarif.Options{Version: "1.2.3", Predicted: true, Reasons: map[string]string{"3333333333333333": "only at start-up"}}
}

func write(t *testing.T, r finding.Results, o sarif.Options) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := sarif.Write(&out, r, o); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestWrite(t *testing.T) {
	golden.Check(t, "testdata/results.sarif", write(t, results(), options()))
}

func TestSameFindingsGiveTheSameBytes(t *testing.T) {
	want := write(t, results(), options())
	shuffled := results()
	for i, j := 0, len(shuffled.Findings)-1; i < j; i, j = i+1, j-1 {
		shuffled.Findings[i], shuffled.Findings[j] = shuffled.Findings[j], shuffled.Findings[i]
	}
	if diff := cmp.Diff(string(want), string(write(t, shuffled, options()))); diff != "" {
		t.Errorf("(-in order +reversed):\n%s", diff)
	}
}

// schemaFile lies in an npm package, because the schema's own terms do not let
// us commit it here. The package names an early revision; it differs from
// 2.1.0 in the patterns of GUIDs and language tags and in the roles of artifacts,
// none of which we write.
const schemaFile = "testdata/schema/node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	data, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatalf("the SARIF schema is not installed: run `make deps` (npm ci in report/sarif/testdata/schema): %v", err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("sarif.json", doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

func TestSchema(t *testing.T) {
	compiled := schema(t)
	for name, data := range map[string][]byte{
		"full":   write(t, results(), options()),
		"empty":  write(t, finding.Results{Complete: true}, sarif.Options{}),
		"upload": write(t, results(), sarif.Options{Upload: true}),
	} {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiled.Validate(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The schema must be able to fail, or the test above says nothing.
func TestSchemaRefusesNulls(t *testing.T) {
	data := strings.Replace(string(write(t, results(), options())), `"status": "accepted"`, `"status": null`, 1)
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if schema(t).Validate(doc) == nil {
		t.Error("a suppression with the status null passes")
	}
}

func TestSelection(t *testing.T) {
	tests := []struct {
		name string
		o    sarif.Options
		want []string
	}{
		{"local with predictions", sarif.Options{Predicted: true}, []string{"0e", "22", "33", "44", "55", "66"}},
		{"local", sarif.Options{}, []string{"0e", "22", "33", "44", "55"}},
		{"upload", sarif.Options{Upload: true}, []string{"0e", "44", "55"}},
	}
	for _, test := range tests {
		var got []string
		log := parse(t, write(t, results(), test.o))
		for _, id := range []string{"0e", "22", "33", "44", "55", "66", "77"} {
			for _, result := range log.Runs[0].Results {
				if strings.HasPrefix(result.PartialFingerprints["raceseed/v1"], id) {
					got = append(got, id)
				}
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestMessage(t *testing.T) {
	log := parse(t, write(t, finding.Results{Command: []string{"npm", "test"}, Findings: []finding.Finding{race("0e314c2b2e1ac85b")}}, sarif.Options{}))
	want := "Race on variable `pool`: a read by a timer callback and a write by an fs.readFile callback come in either order." +
		" The [read at src/my db.js:30](2) runs in a callback that was started at [src/my db.js:8](1)." +
		" The write here runs in a callback that was started at [src/my db.js:9](3)." +
		" Confirmed: shown in 5 of 5 replays, control runs pass." +
		` It fails with: Error: ENOENT <a> & \[b\](1) at …/db.js:3\\x1b\[2J.` +
		` Test: pool \[fast\] > opens once.` +
		" Replay: raceseed replay rs111066qme0dcfq83w0y0 -- npm test"
	if diff := cmp.Diff(want, log.Runs[0].Results[0].Message.Text); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCategory(t *testing.T) {
	for suite, want := range map[string]string{"": "raceseed/tests/", "api": "raceseed/api/"} {
		log := parse(t, write(t, finding.Results{}, sarif.Options{Suite: suite}))
		if got := log.Runs[0].AutomationDetails.ID; got != want {
			t.Errorf("suite %q: id %q, want %q", suite, got, want)
		}
	}
}

func TestTooManyResults(t *testing.T) {
	r := finding.Results{Complete: true}
	for i := range 5001 {
		r.Findings = append(r.Findings, finding.Finding{
			ID: fmt.Sprintf("%016x", i), Rule: finding.RuleFileRace, Verdict: finding.Confirmed, Rank: i + 1,
		})
	}
	log := parse(t, write(t, r, sarif.Options{}))
	if n := len(log.Runs[0].Results); n != 5000 {
		t.Errorf("%d results", n)
	}
	notes := log.Runs[0].Invocations[0].ToolExecutionNotifications
	if len(notes) != 1 || notes[0].Message.Text != "1 findings of lower rank were left out: the limit is 5000." {
		t.Errorf("notes: %+v", notes)
	}
}

func parse(t *testing.T, data []byte) logFile {
	t.Helper()
	var log logFile
	if err := json.Unmarshal(data, &log); err != nil {
		t.Fatal(err)
	}
	return log
}
