package report_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/raceseed/raceseed/docs"
	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/report"
)

// GitHub refuses a longer description and cuts a longer title.
const maxDescription = 1024

func TestRulesAreComplete(t *testing.T) {
	rules := report.Rules()
	if len(rules) != 7 {
		t.Errorf("%d rules, want 7", len(rules))
	}
	for _, rule := range rules {
		d := rule.Description
		if rule.Title == "" || strings.HasSuffix(rule.Title, ".") {
			t.Errorf("%s: title %q", rule.ID, rule.Title)
		}
		if !strings.HasSuffix(d, ".") || strings.Contains(d, ". ") || len(d) > maxDescription {
			t.Errorf("%s: description is not one sentence: %q", rule.ID, d)
		}
		for _, heading := range []string{"### Example", "### How to fix it", "### How to read the result"} {
			if !strings.Contains(rule.Help, heading+"\n") {
				t.Errorf("%s: no section %q", rule.ID, heading)
			}
		}
	}
}

func TestDocumentHasNoOtherSections(t *testing.T) {
	text, err := docs.Text("rules.md")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, rule := range report.Rules() {
		want = append(want, rule.ID+": "+rule.Title)
	}
	for _, section := range docs.Sections(text) {
		got = append(got, section.Heading)
	}
	want = append(want, "score: How findings are ranked", "marks: What speaks against a finding, and for it")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("sections of docs/rules.md (-want +got):\n%s", diff)
	}
}

func TestExamplesAreJavaScript(t *testing.T) {
	for _, rule := range report.Rules() {
		parts := strings.Split(rule.Help, "```js\n")
		if len(parts) < 2 {
			t.Errorf("%s: no example", rule.ID)
		}
		for _, part := range parts[1:] {
			code, _, _ := strings.Cut(part, "```")
			result := api.Transform(code, api.TransformOptions{Loader: api.LoaderJS, Format: api.FormatESModule, Target: api.ESNext})
			for _, message := range result.Errors {
				t.Errorf("%s: %s in\n%s", rule.ID, message.Text, code)
			}
		}
	}
}

func TestExplain(t *testing.T) {
	text, ok := report.Explain("file-race")
	if !ok || !strings.HasPrefix(text, "# file-race: Unordered accesses to one file\n\nTwo operations") {
		t.Errorf("Explain(file-race) = %v, %q", ok, text)
	}
	if text, ok := report.Explain("marks"); !ok || !strings.Contains(text, "| `counter` |") {
		t.Errorf("Explain(marks) = %v, %q", ok, text)
	}
	if text, ok := report.Explain("no-such-rule"); ok || text != "" {
		t.Errorf("Explain(no-such-rule) = %v, %q", ok, text)
	}
}

func TestHeadline(t *testing.T) {
	pair := []finding.Place{{Access: "write", Event: "fs.readFile callback"}, {Access: "read"}}
	tests := []struct {
		f    finding.Finding
		want string
	}{
		{finding.Finding{Rule: "event-race", Resource: "variable `pool`", Places: pair},
			"race on variable `pool`: a write by an fs.readFile callback and a read come in either order"},
		{finding.Finding{Rule: "file-race", Resource: "file a.txt"}, "race on file a.txt"},
		{finding.Finding{Rule: "atomicity-violation", Resource: "variable `pool`", Pattern: "check-act"},
			"two callers can both pass the check of variable `pool` before either acts"},
		{finding.Finding{Rule: "atomicity-violation", Resource: "variable `n`", Pattern: "RWW"},
			"an update of variable `n` can be lost between its read and its write"},
		{finding.Finding{Rule: "schedule-failure", Tests: []string{"a > b"}}, `test "a > b" fails under a feasible schedule`},
		{finding.Finding{Rule: "schedule-hang"}, "the run does not end under a feasible schedule"},
		{finding.Finding{Rule: "port-race", Resource: "port 80"}, "port-race port 80"},
	}
	for _, test := range tests {
		if got := report.Headline(test.f); got != test.want {
			t.Errorf("got  %q\nwant %q", got, test.want)
		}
	}
}

func TestPrimary(t *testing.T) {
	read := finding.Place{Path: "src/a.js", Line: 1, Column: 1, Access: "read"}
	write := finding.Place{Path: "src/b.js", Line: 9, Column: 1, Access: "write"}
	later := finding.Place{Path: "src/b.js", Line: 10, Column: 1, Access: "write"}
	inPackage := finding.Place{Path: "node_modules/p/a.js", Line: 1, Column: 1, Access: "write"}
	outside := finding.Place{Path: "/usr/lib/a.js", Line: 1, Column: 1, Access: "write"}
	tests := []struct {
		name   string
		places []finding.Place
		want   finding.Place
	}{
		{"a write before a read", []finding.Place{read, write}, write},
		{"the first write", []finding.Place{later, write}, write},
		{"the project before its packages", []finding.Place{inPackage, read}, read},
		{"packages before files outside", []finding.Place{outside, inPackage}, inPackage},
	}
	for _, test := range tests {
		for range 2 {
			if got, ok := report.Primary(finding.Finding{Places: test.places}); !ok || !cmp.Equal(got, test.want) {
				t.Errorf("%s: got %+v, %v", test.name, got, ok)
			}
			test.places[0], test.places[1] = test.places[1], test.places[0]
		}
	}
	if _, ok := report.Primary(finding.Finding{}); ok {
		t.Error("a finding without places has a primary one")
	}
}

func TestInProject(t *testing.T) {
	for name, want := range map[string]bool{
		"src/a.js": true, "a:b/c.js": false, "src/a:b.js": true, "node_modules/p/a.js": true,
		"": false, "/src/a.js": false, "../a.js": false, "src/../../a.js": false, "C:/a.js": false, "node:fs": false,
	} {
		if got := report.InProject(name); got != want {
			t.Errorf("InProject(%q) = %v, want %v", name, got, want)
		}
	}
}

func TestReplayCommand(t *testing.T) {
	f := finding.Finding{Witness: "rs111066qme0dcfq83w0y0"}
	want := `raceseed replay rs111066qme0dcfq83w0y0 -- npm test -- -g 'it'\''s $HOME' ''`
	if got := report.ReplayCommand(f, []string{"npm", "test", "--", "-g", "it's $HOME", ""}); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := report.ReplayCommand(finding.Finding{}, []string{"npm", "test"}); got != "" {
		t.Errorf("a finding without a witness has the command %q", got)
	}
}

// The law of Quote: a POSIX shell reads the very bytes back, and nothing in the
// line moves a cursor.
func TestQuoteSurvivesTheShell(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nasty := rapid.SampledFrom([]string{"'", "\"", "\\", "$(id)", "`id`", "\n", "\t", "\x1b[2J", "\u202e", "\xff", "\ufffd", "%s", "~", " ", "é", "*", "!"})
		word := strings.Join(rapid.SliceOfN(nasty, 0, 6).Draw(t, "nasty"), "") + rapid.StringMatching(`[a-z -]{0,5}`).Draw(t, "plain")
		line := report.Quote(word)
		if strings.ContainsAny(line, "\x1b\t\u202e") {
			t.Fatalf("Quote(%q) = %q is not safe to print", word, line)
		}
		out, err := exec.Command("sh", "-c", "printf '%s' "+line).Output()
		if err != nil || string(out) != word {
			t.Fatalf("the shell reads %q as %q (%v), want %q", line, out, err, word)
		}
	})
}
