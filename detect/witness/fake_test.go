package witness

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/raceseed/raceseed/detect/candidate"
	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/trace"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// bug makes a run fail if all its holds are applied. A hold with horizon kind 0
// stands for any horizon.
type bug struct {
	needs      []trace.Hold
	message    string
	outcome    trace.Outcome // "" is failed
	infeasible string
	only       func(run int) bool // run of the program from 1 in which it shows; nil: all
}

// program is a fake test command and its Executor.
type program struct {
	bugs   []bug
	absent []uint32 // points that do not come up
	idle   []pair   // holds that never reach their horizon
	drawn  []pair   // pairs that a draw may hold
	ms     uint64   // how long every hold lasts
	// changed are the runs from 1 in which absent and idle apply; nil: all
	changed func(run int) bool
	err     error
	wait    func(s trace.Steering) // before a run ends
	clock   *clock
	cost    time.Duration

	mu     sync.Mutex
	runs   []trace.Steering
	active int
	peak   int // runs at once
}

func (p *program) Run(ctx context.Context, s trace.Steering) (trace.Observation, error) {
	p.mu.Lock()
	p.runs = append(p.runs, s)
	n := len(p.runs)
	p.active++
	p.peak = max(p.peak, p.active)
	p.mu.Unlock()
	if p.wait != nil {
		p.wait(s)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.active--
	if p.clock != nil {
		p.clock.advance(p.cost)
	}
	if err := ctx.Err(); err != nil {
		return trace.Observation{}, err
	}
	return p.observe(s, n), p.err
}

func (p *program) observe(s trace.Steering, run int) trace.Observation {
	holds := s.Schedule.Holds
	if s.Draw != nil {
		holds = p.draw(*s.Draw)
	}
	o := trace.Observation{Outcome: trace.Passed, Seconds: p.cost.Seconds(), CPU: 1}
	changed := p.changed == nil || p.changed(run)
	var applied []trace.Hold
	for _, h := range holds {
		if changed && slices.Contains(p.absent, h.Point) {
			continue
		}
		applied = append(applied, h)
		reason := "reached"
		if changed && slices.Contains(p.idle, pairOf(h)) {
			reason = "idle"
		}
		o.Releases = append(o.Releases, trace.Release{Hold: h, Name: fmt.Sprintf("p%d", h.Point), Reason: reason, Ms: p.ms})
	}
	for _, b := range p.bugs {
		if b.in(applied) && (b.only == nil || b.only(run)) {
			o.Outcome, o.Failure, o.Infeasible = b.outcome, b.message, b.infeasible
			if o.Outcome == "" {
				o.Outcome = trace.Failed
			}
			return o
		}
	}
	return o
}

func (b bug) in(applied []trace.Hold) bool {
	for _, need := range b.needs {
		if !slices.ContainsFunc(applied, func(h trace.Hold) bool {
			return pairOf(h) == pairOf(need) && (need.Horizon.Kind == 0 || need.Horizon == h.Horizon)
		}) {
			return false
		}
	}
	return true
}

// draw decides by hash of seed and pair, as the agent does.
func (p *program) draw(d trace.Draw) []trace.Hold {
	var holds []trace.Hold
	for _, h := range p.drawn {
		hash := splitMix(d.Seed, uint64(h.point)<<1|uint64(h.side)+1)
		if float64(hash>>11)/(1<<53) < d.Probability {
			holds = append(holds, trace.Hold{Point: h.point, Side: h.side, Horizon: oneTimer})
		}
	}
	return holds
}

// clock is a clock that only the program moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Unix(1_000_000, 0)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Short forms: s1 holds the start of point 1, c1 its completion, until t1;
// "c1o2" until point 2 has completed; "c1*" until anything (bugs only).
func hold(text string) trace.Hold {
	h := trace.Hold{Horizon: oneTimer}
	var side rune
	var kind string
	if _, err := fmt.Sscanf(text, "%c%d%s", &side, &h.Point, &kind); err != nil && kind != "" {
		panic(err)
	}
	if side == 'c' {
		h.Side = trace.Completion
	}
	switch {
	case kind == "*":
		h.Horizon = trace.Horizon{}
	case strings.HasPrefix(kind, "o"):
		h.Horizon = trace.Horizon{Kind: trace.UntilPoint}
		if _, err := fmt.Sscanf(kind, "o%d", &h.Horizon.Point); err != nil {
			panic(err)
		}
	}
	return h
}

func holds(text string) []trace.Hold {
	var list []trace.Hold
	for _, word := range strings.Fields(text) {
		list = append(list, hold(word))
	}
	return list
}

func schedule(text string) trace.Schedule { return trace.Schedule{Holds: holds(text)} }

// show is the short form of a schedule.
func show(s trace.Schedule) string {
	var words []string
	for _, h := range s.Holds {
		word := fmt.Sprintf("%c%d", "sc"[h.Side], h.Point)
		if h.Horizon.Kind == trace.UntilPoint {
			word += fmt.Sprintf("o%d", h.Horizon.Point)
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// predicted is a candidate with these schedules.
func predicted(id string, schedules ...string) candidate.Candidate {
	c := candidate.Candidate{Finding: finding.Finding{
		ID: id, Rule: finding.RuleEventRace, Tests: []string{"test of " + id}, Marks: []finding.Mark{},
		Places: []finding.Place{{Path: id + ".js", Line: 1, Column: 1, Access: "write"}},
	}}
	for _, s := range schedules {
		c.Schedules = append(c.Schedules, schedule(s))
	}
	return c
}

// reads are points of completions that may be held.
func reads(hashes ...uint32) []candidate.Point {
	var points []candidate.Point
	for _, h := range hashes {
		points = append(points, candidate.Point{
			Hash: h, Name: fmt.Sprintf("fs.readFile a.js:%d", h), API: "fs.readFile", Completion: true, App: true,
			Test: fmt.Sprintf("test %d", h),
			Site: finding.Place{Path: "a.js", Line: int(h), Column: 1},
		})
	}
	return points
}

// search runs a plan that must not fail.
func search(t *testing.T, plan Plan, p *program) Result {
	t.Helper()
	if plan.Now == nil {
		plan.Now = newClock().Now
	}
	r, err := Search(context.Background(), plan, p)
	if err != nil {
		t.Fatalf("Search: %v", err)
	}
	return r
}

// summary is one line for every finding: ID of the candidate or rule, verdict, holds of the
// confirmed witness, marks of the search.
func summary(r Result) []string {
	var lines []string
	for _, f := range r.Findings {
		name := f.ID
		if len(name) == 16 { // a fingerprint, not the ID of a candidate
			name = f.Rule
		}
		line := name + " " + f.Verdict
		if f.Witness != "" {
			s, err := trace.ParseWitness(f.Witness)
			if err != nil {
				panic(err)
			}
			line += " " + show(s)
		}
		for _, m := range f.Marks {
			line += " +" + m.Name
		}
		lines = append(lines, line)
	}
	return lines
}
