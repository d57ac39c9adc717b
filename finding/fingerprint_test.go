package finding_test

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/raceseed/raceseed/finding"
)

func poolRace() finding.Finding {
	return finding.Finding{
		Rule:     finding.RuleEventRace,
		Resource: "variable `pool`",
		Places: []finding.Place{
			{Path: "src/db.js", Line: 12, Column: 5, Function: "connect", Access: "write"},
			{Path: "src/db.js", Line: 30, Column: 10, Function: "get", Access: "read"},
		},
	}
}

func drawFinding(t *rapid.T) finding.Finding {
	word := rapid.StringMatching(`[a-z"\\]{0,4}`)
	place := rapid.Custom(func(t *rapid.T) finding.Place {
		return finding.Place{
			Path: word.Draw(t, "path"), Function: word.Draw(t, "function"), Access: word.Draw(t, "access"),
			Line: rapid.IntRange(1, 99).Draw(t, "line"), Column: rapid.IntRange(1, 99).Draw(t, "column"),
		}
	})
	return finding.Finding{
		Rule:     rapid.SampledFrom([]string{finding.RuleEventRace, finding.RuleFileRace}).Draw(t, "rule"),
		Resource: word.Draw(t, "resource"),
		Places:   rapid.SliceOfN(place, 1, 3).Draw(t, "places"),
	}
}

func TestFingerprintIgnoresOrderAndLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawFinding(t)
		want := finding.Fingerprint(f)

		moved := f
		moved.Places = slices.Clone(f.Places)
		for i := range moved.Places {
			moved.Places[i].Line = rapid.IntRange(1, 9999).Draw(t, "new line")
			moved.Places[i].Column = rapid.IntRange(1, 99).Draw(t, "new column")
			moved.Places[i].Event = "another event"
		}
		seed := rapid.Uint64().Draw(t, "shuffle")
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(moved.Places), func(i, j int) {
			moved.Places[i], moved.Places[j] = moved.Places[j], moved.Places[i]
		})
		if got := finding.Fingerprint(moved); got != want {
			t.Fatalf("fingerprint of moved places = %s, want %s", got, want)
		}
	})
}

func TestFingerprintTellsFindingsApart(t *testing.T) {
	base := finding.Fingerprint(poolRace())
	if !regexp.MustCompile(`^[0-9a-f]{16}$`).MatchString(base) {
		t.Errorf("fingerprint %q is not 16 hex digits", base)
	}
	changes := map[string]func(*finding.Finding){
		"rule":     func(f *finding.Finding) { f.Rule = finding.RuleAtomicity },
		"resource": func(f *finding.Finding) { f.Resource = "variable `cache`" },
		"path":     func(f *finding.Finding) { f.Places[0].Path = "src/pool.js" },
		"function": func(f *finding.Finding) { f.Places[0].Function = "open" },
		"access":   func(f *finding.Finding) { f.Places[1].Access = "write" },
		"border between fields": func(f *finding.Finding) {
			f.Places[0].Path, f.Places[0].Function = "src/db.jsc", "onnect"
		},
	}
	seen := map[string]string{base: "unchanged"}
	for name, change := range changes {
		f := poolRace()
		change(&f)
		got := finding.Fingerprint(f)
		if other, ok := seen[got]; ok {
			t.Errorf("another %s has the fingerprint of %s", name, other)
		}
		seen[got] = name
	}
}

// The recipe is a contract: a changed fingerprint reopens every alert and
// empties every baseline. Change this value only together with the version.
func TestFingerprintIsPinned(t *testing.T) {
	const want = "0e314c2b2e1ac85b"
	if got := finding.Fingerprint(poolRace()); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestFingerprintWithoutPlaces(t *testing.T) {
	a := finding.Finding{Rule: finding.RuleScheduleFailure, Tests: []string{"b", "a"}, Failure: "x"}
	b := finding.Finding{Rule: finding.RuleScheduleFailure, Tests: []string{"a", "b"}, Failure: "y"}
	if finding.Fingerprint(a) != finding.Fingerprint(b) {
		t.Error("tests name the finding, their order and the message do not count")
	}
	a.Tests, b.Tests = nil, nil
	if finding.Fingerprint(a) == finding.Fingerprint(b) {
		t.Error("without tests the failure names the finding")
	}
}

func TestFingerprintOfForeignPaths(t *testing.T) {
	a, b := poolRace(), poolRace()
	a.Places[0].Path = "/home/ann/shop/node_modules/pg/pool.js"
	b.Places[0].Path = "C:/build/node_modules/pg/pool.js"
	if finding.Fingerprint(a) != finding.Fingerprint(b) {
		t.Error("the folder of a package outside the project changes the fingerprint")
	}
}

func TestNormalName(t *testing.T) {
	tests := []struct{ name, want string }{
		{"variable `pool`", "variable `pool`"},
		{"property `Store.count`", "property `Store.count`"},
		{"property `Store.innerHTML`", "property `Store.innerHTML`"},
		{"file data/shop.json", "file data/shop.json"},
		{"file docs/app-config.json", "file docs/app-config.json"},
		{"port 34567", "port #"},
		{"file /tmp/app-Xa3bQ9/log.txt", "file /tmp/app-#/log.txt"},
		{"file /tmp/appXa3bQ9/log.txt", "file /tmp/app#/log.txt"},
		{"file /tmp/shared.json", "file /tmp/shared.json"},
		{"file out/job-kXbQzP.lock", "file out/job-#.lock"},
		{"file pid-1234.lock", "file pid-#.lock"},
		{"file pid-123456.lock", "file pid-#.lock"},
		{"file log/2026-03-04T10:11:12.123Z.txt", "file log/#.txt"},
		{"file log/2026-03-04.txt", "file log/#.txt"},
		{"file cache/3f2504e0-4f89-11d3-9a0c-0305e82c3301", "file cache/#"},
		{"file cache/da39a3ee5e6b4b0d3255bfef95601890afd80709", "file cache/#"},
	}
	for _, test := range tests {
		if got := finding.NormalName(test.name); got != test.want {
			t.Errorf("NormalName(%q) = %q, want %q", test.name, got, test.want)
		}
	}
}

func TestSort(t *testing.T) {
	want := []finding.Finding{
		{ID: "b", Baseline: finding.New, Verdict: finding.Confirmed, Rank: 2},
		{ID: "a", Baseline: finding.New, Verdict: finding.Confirmed, Rank: 3},
		{ID: "c", Verdict: finding.Feasible, Rank: 1},
		{ID: "d", Baseline: finding.New, Verdict: finding.Predicted, Rank: 1},
		{ID: "e", Baseline: finding.New, Verdict: finding.Predicted, Rank: 1},
		{ID: "f", Baseline: finding.Known, Verdict: finding.Confirmed, Rank: 1},
		{ID: "g", Baseline: finding.Gone},
	}
	for seed := range uint64(20) {
		got := slices.Clone(want)
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
		finding.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s", seed, diff)
		}
	}
}
