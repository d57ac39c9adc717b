package sarif_test

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/raceseed/raceseed/report/sarif"
)

// What the schema cannot say, and what GitHub asks beyond it. The types hold
// only what these checks read.
type (
	logFile struct {
		Runs []run `json:"runs"`
	}
	run struct {
		AutomationDetails struct{ ID string } `json:"automationDetails"`
		Invocations       []struct {
			ToolExecutionNotifications []struct{ Message text } `json:"toolExecutionNotifications"`
		} `json:"invocations"`
		Tool struct {
			Driver struct {
				Rules []rule `json:"rules"`
			} `json:"driver"`
		} `json:"tool"`
		Results []result `json:"results"`
	}
	rule struct {
		ID                   string
		ShortDescription     text
		FullDescription      text
		Help                 text
		DefaultConfiguration struct{ Level string }
		Properties           map[string]any
	}
	result struct {
		RuleID              string `json:"ruleId"`
		RuleIndex           *int
		Level               string
		Message             text
		Locations           []location
		RelatedLocations    []location
		PartialFingerprints map[string]string
		CodeFlows           []struct {
			ThreadFlows []struct {
				Locations []struct {
					ExecutionOrder int
					Location       location
				}
			}
		}
		BaselineState string
		Suppressions  []any
	}
	location struct {
		ID               int
		PhysicalLocation struct {
			ArtifactLocation struct{ URI string }
			Region           struct{ StartLine, StartColumn, EndLine, EndColumn int }
		}
	}
	text struct{ Text, Markdown string }
)

func TestSemantics(t *testing.T) {
	log := parse(t, write(t, results(), options()))
	if len(log.Runs) != 1 {
		t.Fatalf("%d runs", len(log.Runs))
	}
	rules := log.Runs[0].Tool.Driver.Rules
	for _, r := range rules {
		checkRule(t, r)
	}
	fingerprints := map[string]bool{}
	var order []string
	for _, r := range log.Runs[0].Results {
		checkResult(t, r, rules)
		print := r.PartialFingerprints["primaryLocationLineHash"]
		if fingerprints[print] {
			t.Errorf("fingerprint %s is there twice", print)
		}
		fingerprints[print] = true
		where := r.Locations[0].PhysicalLocation
		order = append(order, where.ArtifactLocation.URI+":"+strconv.Itoa(10000+where.Region.StartLine)+r.RuleID+print)
	}
	if !slices.IsSorted(order) {
		t.Errorf("results are not sorted: %q", order)
	}
}

func checkRule(t *testing.T, r rule) {
	t.Helper()
	for name, value := range map[string]string{
		"shortDescription": r.ShortDescription.Text, "fullDescription": r.FullDescription.Text,
		"help.text": r.Help.Text, "help.markdown": r.Help.Markdown, "level": r.DefaultConfiguration.Level,
	} {
		if value == "" {
			t.Errorf("rule %s: no %s", r.ID, name)
		}
	}
	if !regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`).MatchString(r.ID) {
		t.Errorf("rule id %q is not flat", r.ID)
	}
	tags, _ := r.Properties["tags"].([]any)
	if len(tags) == 0 || len(tags) > 10 || r.Properties["precision"] == "" || r.Properties["problem.severity"] == "" {
		t.Errorf("rule %s: properties %v", r.ID, r.Properties)
	}
	if _, found := r.Properties["security-severity"]; found {
		t.Errorf("rule %s is a security rule", r.ID)
	}
}

func checkResult(t *testing.T, r result, rules []rule) {
	t.Helper()
	if r.RuleIndex == nil || *r.RuleIndex < 0 || *r.RuleIndex >= len(rules) || rules[*r.RuleIndex].ID != r.RuleID {
		t.Errorf("%s: ruleIndex %v", r.RuleID, r.RuleIndex)
	}
	print := r.PartialFingerprints["primaryLocationLineHash"]
	if !regexp.MustCompile(`^[0-9a-f]{16}:1$`).MatchString(print) || r.PartialFingerprints["raceseed/v1"] != print {
		t.Errorf("%s: fingerprints %v", r.RuleID, r.PartialFingerprints)
	}
	if first, _, _ := strings.Cut(r.Message.Text, ". "); strings.Contains(first, "](") {
		t.Errorf("the first sentence does not stand alone: %q", first)
	}
	if len(r.Locations) != 1 {
		t.Errorf("%s: %d locations", print, len(r.Locations))
	}
	ids := map[string]bool{}
	for _, l := range r.RelatedLocations {
		ids[strconv.Itoa(l.ID)] = true
		checkLocation(t, l)
	}
	checkLocation(t, r.Locations[0])
	for _, link := range regexp.MustCompile(`(?:^|[^\\])\]\((\d+)\)`).FindAllStringSubmatch(r.Message.Text, -1) {
		if !ids[link[1]] {
			t.Errorf("%s: the link (%s) has no related location", print, link[1])
		}
	}
	checkFlows(t, r)
}

func checkFlows(t *testing.T, r result) {
	t.Helper()
	var orders []int
	for _, flow := range r.CodeFlows {
		for _, thread := range flow.ThreadFlows {
			last := 0
			for _, step := range thread.Locations {
				checkLocation(t, step.Location)
				if step.ExecutionOrder <= last {
					t.Errorf("a step of a callback comes before the one before it: %+v", thread)
				}
				last = step.ExecutionOrder
				orders = append(orders, last)
			}
		}
	}
	slices.Sort(orders)
	for i, order := range orders {
		if order != i+1 {
			t.Errorf("execution orders %v", orders)
			break
		}
	}
	if len(orders) > 40 {
		t.Errorf("%d steps", len(orders))
	}
}

func checkLocation(t *testing.T, l location) {
	t.Helper()
	uri := l.PhysicalLocation.ArtifactLocation.URI
	parsed, err := url.Parse(uri)
	if err != nil || parsed.IsAbs() || parsed.Host != "" || strings.HasPrefix(uri, "/") || path.Clean(parsed.Path) != parsed.Path ||
		strings.HasPrefix(parsed.Path, "..") || strings.ContainsAny(uri, " \\") {
		t.Errorf("uri %q is no clean relative reference (%v)", uri, err)
	}
	g := l.PhysicalLocation.Region
	if g.StartLine < 1 || g.StartColumn < 1 || g.EndLine < g.StartLine || g.EndLine == g.StartLine && g.EndColumn <= g.StartColumn {
		t.Errorf("%s: region %+v", uri, g)
	}
}

func TestNoMachineInTheFile(t *testing.T) {
	data := string(write(t, results(), options()))
	for _, foreign := range []string{"/home/", "/usr/", "/tmp/", "C:/", "Xa3bQ9"} {
		if strings.Contains(data, foreign) {
			t.Errorf("%q stands in the file", foreign)
		}
	}
}

func TestBaselineStates(t *testing.T) {
	log := parse(t, write(t, results(), sarif.Options{}))
	for _, r := range log.Runs[0].Results {
		want := map[string]string{"22": "absent", "33": "unchanged"}[r.PartialFingerprints["raceseed/v1"][:2]]
		if want == "" {
			want = "new"
		}
		// "feasible" and other new ones carry the state of their own finding.
		if r.BaselineState != want || (len(r.Suppressions) > 0) != (want == "unchanged") {
			t.Errorf("%v: state %q, suppressions %v, want %q", r.PartialFingerprints, r.BaselineState, r.Suppressions, want)
		}
	}
}
