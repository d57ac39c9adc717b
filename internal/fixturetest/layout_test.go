package fixturetest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/raceseed/raceseed/finding"
)

// rules that a fixture may expect.
var rules = map[string]bool{
	finding.RuleEventRace:    true,
	finding.RuleFileRace:     true,
	finding.RuleAtomicity:    true,
	finding.RuleLateListener: true,
}

// TestTwins demands of each racy fixture marked places and a fixed twin with the
// same test, and of the fixed twin that nothing is marked.
func TestTwins(t *testing.T) {
	racy, fixed := fixturesOf(t, "racy"), map[string]fixture{}
	for _, f := range fixturesOf(t, "fixed") {
		fixed["fixed/"+f.ID] = f
	}
	if len(racy) != len(fixed) {
		t.Errorf("%d racy and %d fixed fixtures", len(racy), len(fixed))
	}
	for _, f := range racy {
		t.Run(f.ID, func(t *testing.T) {
			twin, found := fixed[f.Twin]
			if !found || twin.Twin != f.name() {
				t.Fatalf("twin %q is missing or does not name %q as its own", f.Twin, f.name())
			}
			if places := twin.places(t); len(places) > 0 {
				t.Errorf("%s has marks: %v", twin.name(), places)
			}
			if twin.Repair == "" || twin.Seeds == 0 || strings.Join(twin.Cmd, " ") != strings.Join(f.Cmd, " ") {
				t.Errorf("%s: repair, seeds and the cmd of its twin are required", twin.name())
			}
			test := f.Cmd[len(f.Cmd)-1]
			if f.read(t, test) != twin.read(t, test) {
				t.Errorf("the tests %s of both twins differ", test)
			}
		})
	}
}

// TestRaces demands of every fixture with a race what the other tests rely on.
func TestRaces(t *testing.T) {
	for _, f := range append(fixturesOf(t, "racy"), fixturesOf(t, "real")...) {
		t.Run(f.name(), func(t *testing.T) {
			if len(f.places(t)) == 0 || f.Race == "" || f.Seeds == 0 || len(f.Cmd) == 0 {
				t.Error("marked lines or known_places, race, seeds and cmd are required")
			}
			if len(f.Rules) == 0 {
				t.Error("no rules")
			}
			for _, rule := range f.Rules {
				if !rules[rule] {
					t.Errorf("unknown rule %q", rule)
				}
			}
			if _, err := regexp.Compile(f.FailureRegex); err != nil || f.FailureRegex == "" {
				t.Errorf("failure_regex %q: %v", f.FailureRegex, err)
			}
			if f.group == "real" && (len(f.FixedCmd) == 0 || f.Repair == "" || f.Package == "") {
				t.Error("package, fixed_cmd and repair are required")
			}
		})
	}
}

// TestLocks demands pinned packages without the address of a registry.
func TestLocks(t *testing.T) {
	locks, err := filepath.Glob(filepath.Join(folder, "*", "*", "package-lock.json"))
	if err != nil || len(locks) == 0 {
		t.Fatalf("%d lock files: %v", len(locks), err)
	}
	for _, lock := range locks {
		data, err := os.ReadFile(lock)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), `"resolved"`) {
			t.Errorf("%s names a registry", lock)
		}
		npmrc, err := os.ReadFile(filepath.Join(filepath.Dir(lock), ".npmrc"))
		if err != nil || !strings.Contains(string(npmrc), "omit-lockfile-registry-resolved=true") {
			t.Errorf("%s: .npmrc must keep the registry out: %v", lock, err)
		}
	}
}
