package witness

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/raceseed/raceseed/detect/candidate"
	"github.com/raceseed/raceseed/trace"
)

// The order in which parallel runs end must not show in the result.
func TestResultDoesNotDependOnJobs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := []string{"c1", "c2", "c3", "c4", "s1", "s2", "c1o2", "c2o3", "c3o1", "s1o4", "c1 c2", "s2 c3o1", "c4 c1 s2"}
		var candidates []candidate.Candidate
		for i := range rapid.IntRange(0, 6).Draw(t, "candidates") {
			schedules := rapid.SliceOfN(rapid.SampledFrom(words), 0, 4).Draw(t, "schedules")
			candidates = append(candidates, predicted(string(rune('a'+i)), schedules...))
		}
		var bugs []bug
		for range rapid.IntRange(0, 4).Draw(t, "bugs") {
			needs := rapid.SampledFrom([]string{"c1*", "c2*", "s1", "s2 c3", "c1o2", "c2* c4*"}).Draw(t, "needs")
			bugs = append(bugs, bug{
				needs:      holds(needs),
				message:    rapid.SampledFrom([]string{"one", "other"}).Draw(t, "message"),
				outcome:    rapid.SampledFrom([]trace.Outcome{trace.Failed, trace.Hung}).Draw(t, "outcome"),
				infeasible: rapid.SampledFrom([]string{"", "", "", "EBADF"}).Draw(t, "infeasible"),
			})
		}
		idle := rapid.SliceOfN(rapid.SampledFrom([]pair{{1, 1}, {2, 1}, {3, 1}, {1, 0}}), 0, 2).Draw(t, "idle")
		plan := Plan{
			Candidates: candidates, Points: reads(1, 2, 3, 4, 5, 6, 7, 8), Seed: 5,
			MaxRuns: rapid.IntRange(1, 40).Draw(t, "runs"), Now: newClock().Now,
		}
		var first Result
		for jobs := 1; jobs <= 8; jobs++ {
			p := &program{bugs: bugs, idle: idle, drawn: pairsOf(schedule("c1 c2 c3 c4 c5 c6 c7 c8")), wait: unevenly}
			plan.Jobs = jobs
			r, err := Search(context.Background(), plan, p)
			if err != nil {
				t.Fatal(err)
			}
			if p.peak > jobs {
				t.Fatalf("%d runs at once with %d jobs", p.peak, jobs)
			}
			if len(p.runs) != r.Runs+r.Discarded {
				t.Fatalf("%d runs executed, %d counted and %d discarded", len(p.runs), r.Runs, r.Discarded)
			}
			r.Discarded = 0
			if jobs == 1 {
				first = r
				continue
			}
			if diff := cmp.Diff(first, r); diff != "" {
				t.Fatalf("%d jobs differ from 1 (-1 +%d):\n%s", jobs, jobs, diff)
			}
		}
	})
}

// unevenly lets runs that began later end earlier.
func unevenly(s trace.Steering) {
	n := len(s.Schedule.Holds)
	if s.Draw != nil {
		n = int(s.Draw.Seed % 50)
	} else if n > 0 {
		n = int(s.Schedule.Holds[0].Point*37) % 50
	}
	for range n {
		runtime.Gosched()
	}
}

func TestConfirmationRunsAlone(t *testing.T) {
	candidates := []candidate.Candidate{
		predicted("a", "c1"), predicted("b", "c2"), predicted("c", "c3"), predicted("d", "c4"), predicted("e", "c5"),
	}
	p := &program{bugs: []bug{{needs: holds("c1"), message: "x"}}}
	var alone []bool
	seen := 0
	p.wait = func(s trace.Steering) {
		switch show(s.Schedule) {
		case "c1", "":
			p.mu.Lock()
			defer p.mu.Unlock()
			if seen++; seen > 1 { // the first one is the search run
				alone = append(alone, p.active == 1)
			}
		default: // under way for longer than c1 when that one hits
			for range 1000 {
				runtime.Gosched()
			}
		}
	}
	search(t, Plan{Candidates: candidates, Strategies: []string{Directed}, Jobs: 4}, p)
	if diff := cmp.Diff(slices.Repeat([]bool{true}, 7), alone); diff != "" {
		t.Errorf("confirming runs that were alone (-want +got):\n%s", diff)
	}
}

func TestMaxRunsCountsSearchRunsOnly(t *testing.T) {
	p := &program{bugs: []bug{{needs: holds("c2"), message: "x"}}}
	r := search(t, Plan{Points: reads(1, 2, 3, 4), MaxRuns: 3, Jobs: 3}, p)
	if r.Runs != 3+5+2 || r.Stopped != StoppedRuns || r.Exhausted {
		t.Errorf("%d runs, stopped by %q, exhausted %v", r.Runs, r.Stopped, r.Exhausted)
	}
}

func TestMaxFindings(t *testing.T) {
	for jobs := 1; jobs <= 4; jobs++ {
		p := &program{bugs: []bug{{needs: holds("c2"), message: "x"}, {needs: holds("c3"), message: "y"}, {needs: holds("c4"), message: "z"}}}
		points := []candidate.Point{{Hash: 1, Completion: true}, {Hash: 2, Completion: true}, {Hash: 3, Completion: true}, {Hash: 4, Completion: true}}
		r := search(t, Plan{Points: points, MaxFindings: 2, MaxRuns: 9, Jobs: jobs}, p)
		if r.Runs != 3+2*(5+2) || r.Stopped != StoppedFindings || len(r.Findings) != 2 {
			t.Errorf("%d jobs: %d runs, %d findings, stopped by %q", jobs, r.Runs, len(r.Findings), r.Stopped)
		}
	}
}

func TestRandomEndsExhausted(t *testing.T) {
	r := search(t, Plan{Points: reads(1, 2), MaxRuns: 5}, &program{})
	if r.Runs != 5 || r.Stopped != StoppedRuns || !r.Exhausted {
		t.Errorf("%d runs, stopped by %q, exhausted %v; want 5 runs, all of single tried", r.Runs, r.Stopped, r.Exhausted)
	}
}

func TestBudget(t *testing.T) {
	tests := []struct {
		name      string
		budget    time.Duration
		cost      time.Duration
		plain     float64
		bugs      []bug
		runs      int
		exhausted bool
	}{
		{"room for all", 10 * time.Second, time.Second, 1, nil, 4, true},
		{"a run must fit into the rest", 2500 * time.Millisecond, time.Second, 1, nil, 2, false},
		{"the estimate before the first run", 2 * time.Second, time.Second, 3, nil, 0, false},
		{"a confirmation may overrun", time.Second, time.Second, 1, []bug{{needs: holds("c1"), message: "x"}}, 1 + 5 + 2, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := newClock()
			p := &program{clock: c, cost: test.cost, bugs: test.bugs}
			r := search(t, Plan{
				Points: reads(1, 2, 3, 4), Strategies: []string{Single},
				Budget: test.budget, PlainSeconds: test.plain, Now: c.Now,
			}, p)
			if r.Runs != test.runs || r.Exhausted != test.exhausted {
				t.Errorf("%d runs, exhausted %v; want %d, %v", r.Runs, r.Exhausted, test.runs, test.exhausted)
			}
			wantStop := StoppedBudget
			if test.exhausted {
				wantStop = StoppedDone
			}
			if r.Stopped != wantStop {
				t.Errorf("stopped by %q, want %q", r.Stopped, wantStop)
			}
		})
	}
}

// With several jobs more than one run may fail while the budget ends: one
// judgement may overrun it, the others are not made.
func TestOneJudgementOverrunsTheBudget(t *testing.T) {
	c := newClock()
	p := &program{
		clock: c, cost: time.Second,
		bugs: []bug{{needs: holds("c1"), message: "x"}, {needs: holds("c2"), message: "y"}},
	}
	r := search(t, Plan{
		Candidates: []candidate.Candidate{predicted("a", "c1"), predicted("b", "c2"), predicted("c", "c3")},
		Strategies: []string{Directed}, Budget: time.Second, PlainSeconds: 1, Jobs: 2, Now: c.Now,
	}, p)
	if diff := cmp.Diff([]string{"a confirmed c1", "b predicted +unjudged", "c predicted"}, summary(r)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if r.Runs != 2+5+2 {
		t.Errorf("%d runs, want two search runs and one confirmation", r.Runs)
	}
}

func TestSecondsAndCPUByPhase(t *testing.T) {
	c := newClock()
	p := &program{clock: c, cost: 2 * time.Second, bugs: []bug{{needs: holds("c2"), message: "x"}}}
	r := search(t, Plan{Points: reads(1, 2, 3), Strategies: []string{Single}, Now: c.Now}, p)
	if diff := cmp.Diff(map[string]float64{PhaseSearch: 6, PhaseConfirm: 14}, r.Seconds); diff != "" {
		t.Errorf("seconds (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]float64{PhaseSearch: 3, PhaseConfirm: 7}, r.CPU); diff != "" {
		t.Errorf("cpu (-want +got):\n%s", diff)
	}
	if r.First == nil || r.First.Run != 2 || r.First.Seconds != 4 {
		t.Errorf("first failure %+v, want run 2 after 4 s", r.First)
	}
}

func TestCancelReturnsWhatIsKnown(t *testing.T) {
	for _, jobs := range []int{1, 4} {
		ctx, cancel := context.WithCancel(context.Background())
		p := &program{bugs: []bug{{needs: holds("c1"), message: "x"}}}
		r, err := Search(ctx, Plan{
			Candidates: []candidate.Candidate{predicted("a", "c1"), predicted("b", "c2"), predicted("c", "c3"), predicted("d", "c4")},
			Strategies: []string{Directed}, Jobs: jobs, Now: newClock().Now,
			Progress: func(now Progress) {
				if now.Strategy == Directed && now.Run == 2 {
					cancel()
				}
			},
		}, p)
		cancel()
		if err != nil {
			t.Fatalf("%d jobs: %v", jobs, err)
		}
		if r.Exhausted || r.Stopped != StoppedCancelled || r.Findings[0].Verdict != "confirmed" || len(r.Findings) != 4 {
			t.Errorf("%d jobs: exhausted %v, stopped by %q, findings %v", jobs, r.Exhausted, r.Stopped, summary(r))
		}
	}
}

func TestCancelWhileConfirming(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	p := &program{bugs: []bug{{needs: holds("c1"), message: "x"}}}
	r, err := Search(ctx, Plan{
		Candidates: []candidate.Candidate{predicted("a", "c1")}, Now: newClock().Now, Strategies: []string{Directed},
		Progress: func(now Progress) {
			if now.Phase == PhaseConfirm {
				cancel()
			}
		},
	}, p)
	if err != nil || r.Stopped != StoppedCancelled || r.First != nil {
		t.Errorf("error %v, stopped by %q, first %v", err, r.Stopped, r.First)
	}
	if diff := cmp.Diff([]string{"a predicted"}, summary(r)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

func TestExecutorErrorEndsTheSearch(t *testing.T) {
	broken := errors.New("no such command")
	p := &program{err: broken}
	r, err := Search(context.Background(), Plan{
		Candidates: []candidate.Candidate{predicted("a", "c1"), predicted("b", "c2")}, MaxRuns: 9, Jobs: 2, Now: newClock().Now,
	}, p)
	if !errors.Is(err, broken) || r.Stopped != StoppedError || r.Exhausted || len(r.Findings) != 2 {
		t.Errorf("error %v, result %+v", err, r)
	}
	if want := "search run 1 (directed): no such command"; err.Error() != want {
		t.Errorf("error %q, want %q", err, want)
	}
}

func TestPlanMustHaveAnEnd(t *testing.T) {
	if _, err := Search(context.Background(), Plan{Now: newClock().Now}, &program{}); err == nil {
		t.Error("endless plan accepted")
	}
	if _, err := Search(context.Background(), Plan{MaxRuns: 1}, &program{}); err == nil {
		t.Error("plan without a clock accepted")
	}
	if _, err := Search(context.Background(), Plan{MaxRuns: 1, Now: newClock().Now, Strategies: []string{"x"}}, &program{}); err == nil {
		t.Error("unknown strategy accepted")
	}
}

func TestKnownWitnesses(t *testing.T) {
	c := newClock()
	p := &program{
		bugs: []bug{
			{needs: holds("c1"), message: "x"},
			{needs: holds("c2"), message: "y", only: func(run int) bool { return run == 3 }},
			{needs: holds("c6"), message: "z"},
			{message: "by chance, beside a hold that did not come up", only: func(run int) bool { return run == 6 }},
		},
		absent: []uint32{4}, clock: c, cost: time.Second,
	}
	r := search(t, Plan{
		Candidates: []candidate.Candidate{predicted("b", "c2", "c5"), predicted("a", "c1o2", "c7")},
		Known: []KnownWitness{
			{ID: "a", Schedule: schedule("c1")},
			{ID: "b", Schedule: schedule("c2")},
			{ID: "silent", Schedule: schedule("c3")},
			{ID: "stale", Schedule: schedule("c4")},
			{ID: "old", Rule: "file-race", Schedule: schedule("c6")},
			{ID: "late", Schedule: schedule("c9")},
		},
		Points: reads(6), Strategies: []string{Directed, Single},
		Now: c.Now, Budget: 8500 * time.Millisecond, PlainSeconds: 1,
	}, p)
	shown := map[string]bool{"a": true, "b": true, "silent": false, "stale": false, "old": true}
	if diff := cmp.Diff(shown, r.KnownShown); diff != "" {
		t.Errorf("shown (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"stale"}, r.KnownStale); diff != "" {
		t.Errorf("stale (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"b confirmed c2", "a confirmed c1", "old confirmed c6"}, summary(r)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if replay := r.Findings[0].Replay; replay.Shown != 1 || replay.Of != 2 {
		t.Errorf("replay %+v, want 1 of 2", replay)
	}
	if r.Findings[2].Rule != "file-race" || r.First != nil {
		t.Errorf("rule %q, first %v", r.Findings[2].Rule, r.First)
	}
	if r.Runs != 8 || !r.Exhausted {
		t.Errorf("%d runs, exhausted %v; what is known needs no search run", r.Runs, r.Exhausted)
	}
}

func TestProgressIsInOrder(t *testing.T) {
	var phases []string
	var runs []int
	p := &program{bugs: []bug{{needs: holds("c2"), message: "x"}}}
	search(t, Plan{
		Points: reads(1, 2, 3), Strategies: []string{Single}, Jobs: 3,
		Progress: func(now Progress) {
			phases = append(phases, now.Phase)
			runs = append(runs, now.Runs)
		},
	}, p)
	want := []string{PhaseSearch, PhaseSearch}
	want = append(want, slices.Repeat([]string{PhaseConfirm}, 7)...)
	want = append(want, PhaseSearch)
	if diff := cmp.Diff(want, phases); diff != "" {
		t.Errorf("phases (-want +got):\n%s", diff)
	}
	if !slices.IsSorted(runs) || runs[len(runs)-1] != 10 {
		t.Errorf("run counts %v", runs)
	}
}
