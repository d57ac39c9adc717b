package witness

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/raceseed/raceseed/detect/candidate"
	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/trace"
)

func even(run int) bool { return run%2 == 0 }

// Every scenario is a small program, a plan and one line for each finding.
func TestVerdicts(t *testing.T) {
	fails := func(holds ...string) []bug {
		var bugs []bug
		for _, h := range holds {
			b := bug{message: "lost the update", needs: schedule(h).Holds}
			bugs = append(bugs, b)
		}
		return bugs
	}
	tests := []struct {
		name       string
		program    *program
		candidates []candidate.Candidate
		points     []candidate.Point
		strategies []string
		maxRuns    int
		want       []string
		steered    int // runs, confirmations included
		controls   int
	}{
		{
			name:       "directed hit, shrunk to the next timer",
			program:    &program{bugs: fails("c1*")},
			candidates: []candidate.Candidate{predicted("a", "c1o2")},
			want:       []string{"a confirmed c1"},
			steered:    1 + 1 + 5, controls: 2,
		},
		{
			name:       "directed hit that needs its horizon; the other candidate passes",
			program:    &program{bugs: fails("c1o2")},
			candidates: []candidate.Candidate{predicted("a", "c1o2"), predicted("b", "c3o4")},
			want:       []string{"a confirmed c1o2", "b feasible +passed"},
			steered:    2 + 1 + 5, controls: 2,
		},
		{
			name:       "two holds, one is enough",
			program:    &program{bugs: fails("c3*")},
			candidates: []candidate.Candidate{predicted("a", "c1 c3")},
			want:       []string{"a confirmed c3"},
			steered:    1 + 2 + 5, controls: 2,
		},
		{
			name:       "a hold that does not come up is not part of the witness",
			program:    &program{bugs: fails("c1"), absent: []uint32{2}},
			candidates: []candidate.Candidate{predicted("a", "c1 c2")},
			want:       []string{"a confirmed c1"},
			steered:    1 + 5, controls: 2,
		},
		{
			name:       "the second schedule hits, the third is skipped",
			program:    &program{bugs: fails("c2")},
			candidates: []candidate.Candidate{predicted("a", "c1", "c2", "c3")},
			want:       []string{"a confirmed c2"},
			steered:    2 + 5, controls: 2,
		},
		{
			name:       "idle holds flip nothing, but a failure is a failure",
			program:    &program{bugs: fails("c2"), idle: []pair{{1, trace.Completion}, {2, trace.Completion}}},
			candidates: []candidate.Candidate{predicted("a", "c1"), predicted("b", "c2")},
			want:       []string{"a predicted +not-flipped", "b confirmed c2"},
			steered:    2 + 5, controls: 2,
		},
		{
			name:       "a hold that ends idle may be the one that matters",
			program:    &program{bugs: fails("c1"), idle: []pair{{1, trace.Completion}}},
			candidates: []candidate.Candidate{predicted("a", "c1 c2")},
			want:       []string{"a confirmed c1"},
			steered:    1 + 1 + 5, controls: 2,
		},
		{
			name:       "one failure of one test is one finding, whatever is held without a prediction",
			program:    &program{bugs: []bug{{needs: holds("c1"), message: "x"}, {needs: holds("c2"), message: "x"}, {needs: holds("c3"), message: "y"}}},
			points:     []candidate.Point{{Hash: 1, Completion: true}, {Hash: 2, Completion: true}, {Hash: 3, Completion: true}},
			strategies: []string{Single},
			want:       []string{"schedule-failure confirmed c1", "schedule-failure confirmed c3"},
			steered:    3 + 5 + 5, controls: 4,
		},
		{
			name:       "a hold at the place of a candidate belongs to it",
			program:    &program{bugs: fails("c5")},
			candidates: []candidate.Candidate{{Finding: finding.Finding{ID: "a", Places: []finding.Place{{Path: "a.js", Line: 4}}}}},
			points:     []candidate.Point{{Hash: 5, Completion: true, Site: finding.Place{Path: "a.js", Line: 4, Column: 9}}},
			strategies: []string{Single},
			want:       []string{"a confirmed c5"},
			steered:    1 + 5, controls: 2,
		},
		{
			name:       "a failure that a pause shows as well is a matter of time",
			program:    &program{bugs: fails("c1*"), ms: 70},
			candidates: []candidate.Candidate{predicted("a", "c1", "c1o2")},
			want:       []string{"a timing"},
			steered:    1 + 5 + 2 + 1, controls: 2,
		},
		{
			name:       "a failure that only the order shows is a race, after a pause has passed",
			program:    &program{bugs: fails("c1"), ms: 70},
			candidates: []candidate.Candidate{predicted("a", "c1")},
			want:       []string{"a confirmed c1"},
			steered:    1 + 5 + 1, controls: 2,
		},
		{
			name:       "infeasible failures never count",
			program:    &program{bugs: []bug{{needs: holds("c1"), message: "x", infeasible: "EBADF"}}},
			candidates: []candidate.Candidate{predicted("a", "c1")},
			want:       []string{"a predicted"},
			steered:    1,
		},
		{
			name:       "a witness whose replays are infeasible is none",
			program:    &program{bugs: []bug{{needs: holds("c1"), message: "x", only: func(run int) bool { return run == 1 }}, {needs: holds("c1"), message: "x", infeasible: "EBADF"}}},
			candidates: []candidate.Candidate{predicted("a", "c1")},
			want:       []string{"a predicted +unstable"},
			steered:    1 + 2,
		},
		{
			name:       "a failure by chance is not confirmed",
			program:    &program{bugs: []bug{{needs: holds("c1"), message: "x", only: func(run int) bool { return run < 3 }}}},
			candidates: []candidate.Candidate{predicted("a", "c1")},
			want:       []string{"a predicted +unstable"},
			steered:    1 + 3, // the fourth and fifth replay cannot help
		},
		{
			name:       "one miss in five replays is allowed",
			program:    &program{bugs: []bug{{needs: holds("c1"), message: "x", only: func(run int) bool { return run != 4 }}}},
			candidates: []candidate.Candidate{predicted("a", "c1")},
			want:       []string{"a confirmed c1"},
			steered:    1 + 5, controls: 2,
		},
		{
			name:       "another failure in the replays is not this one",
			program:    &program{bugs: []bug{{needs: holds("c1"), message: "first", only: func(run int) bool { return run == 1 }}, {needs: holds("c1"), message: "other"}}},
			candidates: []candidate.Candidate{predicted("a", "c1")},
			want:       []string{"a predicted +unstable"},
			steered:    1 + 2,
		},
		{
			name:       "a flaky program: no witness, one finding",
			program:    &program{bugs: []bug{{message: "port 12 in use"}}},
			candidates: []candidate.Candidate{predicted("a", "c1"), predicted("b", "c2", "c3")},
			want:       []string{"a predicted +flaky", "b predicted +flaky", "flaky-test predicted"},
			steered:    1 + 5 + 2, controls: 1,
		},
		{
			name:       "now and then flaky: the second control run shows it",
			program:    &program{bugs: []bug{{needs: holds("c1"), message: "x"}, {message: "y", only: even}}},
			candidates: []candidate.Candidate{predicted("a", "c1")},
			want:       []string{"a predicted +flaky", "flaky-test predicted"},
			steered:    1 + 5, controls: 2,
		},
		{
			name:       "a hang is shown twice",
			program:    &program{bugs: []bug{{needs: holds("c1"), outcome: trace.Hung}}},
			candidates: []candidate.Candidate{predicted("a", "c1")},
			want:       []string{"a confirmed c1"},
			steered:    1 + 2, controls: 2,
		},
		{
			name:       "a hang by chance",
			program:    &program{bugs: []bug{{needs: holds("c1"), outcome: trace.Hung, only: func(run int) bool { return run < 3 }}}},
			candidates: []candidate.Candidate{predicted("a", "c1")},
			want:       []string{"a predicted +unstable"},
			steered:    1 + 2,
		},
		{
			name:       "single hit of no candidate",
			program:    &program{bugs: fails("c2")},
			points:     reads(1, 2, 3),
			strategies: []string{Single},
			want:       []string{"schedule-failure confirmed c2"},
			steered:    3 + 5, controls: 2,
		},
		{
			name:       "single hit of a candidate with another horizon",
			program:    &program{bugs: fails("c2")},
			candidates: []candidate.Candidate{predicted("a", "c1o2"), predicted("b", "c2o1"), predicted("c", "c2o3")},
			points:     reads(1, 2, 3),
			strategies: []string{Directed, Single},
			want:       []string{"a feasible +passed", "b confirmed c2", "c feasible +passed"},
			steered:    3 + 3 + 5, controls: 2,
		},
		{
			name:       "single hang of no candidate",
			program:    &program{bugs: []bug{{needs: holds("c2"), outcome: trace.Hung}}},
			points:     reads(2),
			strategies: []string{Single},
			want:       []string{"schedule-hang confirmed c2"},
			steered:    1 + 2, controls: 2,
		},
		{
			name:       "random hit becomes an explicit schedule",
			program:    &program{bugs: fails("c5* c6*"), drawn: []pair{{5, trace.Completion}, {6, trace.Completion}, {7, trace.Completion}}},
			points:     reads(5, 6, 7),
			strategies: []string{Random},
			maxRuns:    4,
			want:       []string{"schedule-failure confirmed c5 c6"},
			// every draw holds all three; later hits cost nothing
			steered: 4 + 1 + 6 + 5, controls: 2,
		},
		{
			name:       "random failure that holds do not cause",
			program:    &program{bugs: []bug{{needs: holds("c5"), message: "x", only: func(run int) bool { return run == 1 }}}, drawn: []pair{{5, trace.Completion}}},
			points:     reads(5),
			strategies: []string{Random},
			maxRuns:    2,
			want:       nil,
			steered:    2 + 1,
		},
		{
			name:       "another candidate with the same witness is merged",
			program:    &program{bugs: fails("s2* c9*")},
			candidates: []candidate.Candidate{predicted("a", "s2 c9"), predicted("b", "c9 s2 c4")},
			want:       []string{"a confirmed s2 c9"},
			steered:    2 + 2 + 5 + 6, controls: 2,
		},
		{
			name:       "equal schedules run once and are merged",
			program:    &program{bugs: fails("c1*")},
			candidates: []candidate.Candidate{predicted("a", "c1o2"), predicted("b", "c1o2"), predicted("c", "c1")},
			want:       []string{"a confirmed c1"},
			steered:    1 + 1 + 5, controls: 2,
		},
		{
			name:       "equal schedules are merged though shrinking changed them and the first hold is another",
			program:    &program{bugs: fails("c2*")},
			candidates: []candidate.Candidate{predicted("a", "c1 c2"), predicted("b", "c1 c2", "c4")},
			want:       []string{"a confirmed c2"},
			steered:    1 + 2 + 5, controls: 2,
		},
		{
			name:       "the first hold is the witness of another candidate",
			program:    &program{bugs: fails("c1*")},
			candidates: []candidate.Candidate{predicted("a", "c1o2"), predicted("b", "c1o3", "c1o4")},
			want:       []string{"a confirmed c1", "b predicted +same-hold"},
			steered:    1 + 1 + 5, controls: 2,
		},
		{
			name:       "the other side of the same point with the same failure is merged",
			program:    &program{bugs: fails("c1", "s1")},
			candidates: []candidate.Candidate{predicted("a", "c1"), predicted("b", "s1")},
			want:       []string{"a confirmed c1"},
			steered:    2 + 5, controls: 2,
		},
		{
			name:       "two races",
			program:    &program{bugs: append(fails("c1"), bug{needs: holds("c2"), message: "other"})},
			candidates: []candidate.Candidate{predicted("a", "c1"), predicted("b", "c2")},
			want:       []string{"a confirmed c1", "b confirmed c2"},
			steered:    2 + 10, controls: 4,
		},
		{
			name:       "a candidate without a schedule stays predicted",
			candidates: []candidate.Candidate{predicted("a"), predicted("b", "")},
			want:       []string{"a predicted", "b predicted"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.strategies == nil {
				test.strategies = []string{Directed}
			}
			p := test.program
			if p == nil {
				p = &program{}
			}
			r := search(t, Plan{
				Candidates: test.candidates, Points: test.points, Strategies: test.strategies, MaxRuns: test.maxRuns,
			}, p)
			if diff := cmp.Diff(test.want, summary(r)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			if r.Steered != test.steered || r.Runs != test.steered+test.controls || len(p.runs) != r.Runs {
				t.Errorf("%d runs, %d steered, %d executed; want %d steered and %d controls",
					r.Runs, r.Steered, len(p.runs), test.steered, test.controls)
			}
			if p.peak > 1 {
				t.Errorf("%d runs at once, want 1", p.peak)
			}
		})
	}
}

func TestConfirmedFindingIsComplete(t *testing.T) {
	p := &program{bugs: []bug{{needs: holds("c2 c3"), message: "expected 1"}}}
	r := search(t, Plan{
		Candidates: []candidate.Candidate{predicted("a", "c1o2"), predicted("b", "c2 c3")},
		Points:     reads(1, 2, 3), Strategies: []string{Directed},
	}, p)
	want := predicted("b").Finding
	want.Verdict = finding.Confirmed
	want.Replay = &finding.Replay{Shown: 5, Of: 5}
	want.Failure = "expected 1"
	want.FoundBy = &finding.FoundBy{Strategy: Directed, Run: 2}
	got := r.Findings[1]
	if len(got.Holds) != 2 || !strings.Contains(got.Holds[0], "fs.readFile a.js:2") {
		t.Errorf("holds %q do not name their points", got.Holds)
	}
	want.Witness, want.Holds = got.Witness, got.Holds // their form is tested in trace
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("finding (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want.FoundBy, r.First); diff != "" {
		t.Errorf("first failure (-want +got):\n%s", diff)
	}
	if !r.Exhausted || r.Stopped != StoppedDone {
		t.Errorf("exhausted %v, stopped %q; want everything tried", r.Exhausted, r.Stopped)
	}
}

func TestUnpredictedFindingNamesTheHeldOperations(t *testing.T) {
	p := &program{bugs: []bug{{needs: holds("c2"), message: "expected 1"}}}
	r := search(t, Plan{Points: reads(2), Strategies: []string{Single}}, p)
	want := finding.Finding{
		ID: r.Findings[0].ID, Rule: finding.RuleScheduleFailure, Verdict: finding.Confirmed, Rank: 1,
		Places: []finding.Place{{Path: "a.js", Line: 2, Column: 1}}, Resource: "order of fs.readFile",
		Tests: []string{"test 2"}, Marks: []finding.Mark{},
		Replay: &finding.Replay{Shown: 5, Of: 5}, Failure: "expected 1",
		FoundBy: &finding.FoundBy{Strategy: Single, Run: 1},
		Witness: r.Findings[0].Witness, Holds: r.Findings[0].Holds,
	}
	if diff := cmp.Diff([]finding.Finding{want}, r.Findings); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if id := finding.Fingerprint(want); want.ID != id {
		t.Errorf("ID %q, want the fingerprint %q", want.ID, id)
	}
}

func TestFlakyFindingCountsControls(t *testing.T) {
	p := &program{bugs: []bug{{needs: holds("c1"), message: "x"}, {message: "y", only: even}}}
	r := search(t, Plan{
		Candidates: []candidate.Candidate{predicted("a", "c1")}, Points: reads(1), Strategies: []string{Directed},
	}, p)
	got := r.Findings[1]
	want := finding.Finding{
		Rule: finding.RuleFlakyTest, Verdict: finding.Predicted, Rank: 2, Failure: "y",
		Places: []finding.Place{}, Marks: []finding.Mark{}, Replay: &finding.Replay{Shown: 1, Of: 2},
		Tests:   []string{}, // y need not come from the test of the candidate
		FoundBy: &finding.FoundBy{Strategy: Directed, Run: 1},
	}
	want.ID = finding.Fingerprint(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("finding (-want +got):\n%s", diff)
	}

	p = &program{bugs: []bug{{message: "y"}}}
	r = search(t, Plan{
		Candidates: []candidate.Candidate{predicted("a", "c1")}, Points: reads(1), Strategies: []string{Directed},
	}, p)
	if diff := cmp.Diff([]string{"test 1", "test of a"}, r.Findings[1].Tests); diff != "" {
		t.Errorf("tests of the failure that the hit showed too (-want +got):\n%s", diff)
	}
}

// Two witnesses whose operations stand at the same places are one finding.
func TestEqualFingerprintsAreOneFinding(t *testing.T) {
	points := reads(1, 2)
	points[1].Site, points[1].Test = points[0].Site, points[0].Test
	p := &program{bugs: []bug{{needs: holds("c1"), message: "x"}, {needs: holds("c2"), message: "y"}}}
	r := search(t, Plan{Points: points, Strategies: []string{Single}}, p)
	if diff := cmp.Diff([]string{"schedule-failure confirmed c1"}, summary(r)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

func TestMergeCollectsPlacesAndTests(t *testing.T) {
	p := &program{bugs: []bug{{needs: holds("c1"), message: "x"}}}
	candidates := []candidate.Candidate{predicted("a", "c1"), predicted("b", "c1"), predicted("c", "c1")}
	candidates[2].Finding.Places = candidates[1].Finding.Places
	r := search(t, Plan{Candidates: candidates, Strategies: []string{Directed}}, p)
	if len(r.Findings) != 1 {
		t.Fatalf("findings %v, want one", summary(r))
	}
	if diff := cmp.Diff(candidates[1].Finding.Places, r.Findings[0].Related); diff != "" {
		t.Errorf("related (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"test of a", "test of b", "test of c"}, r.Findings[0].Tests); diff != "" {
		t.Errorf("tests (-want +got):\n%s", diff)
	}
	if candidates[0].Finding.Related != nil || candidates[0].Finding.Verdict != "" {
		t.Error("the plan was changed")
	}
}

func TestHangHasAMessage(t *testing.T) {
	p := &program{bugs: []bug{{needs: holds("c1"), outcome: trace.Hung}}}
	r := search(t, Plan{Candidates: []candidate.Candidate{predicted("a", "c1")}, Strategies: []string{Directed}}, p)
	if got := r.Findings[0].Failure; got != hungMessage {
		t.Errorf("failure %q, want %q", got, hungMessage)
	}
}
