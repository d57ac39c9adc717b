package witness

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/raceseed/raceseed/detect/candidate"
	"github.com/raceseed/raceseed/trace"
)

// Replays that show a failure after leaving their schedule do not count.
func TestReplaysMustFollow(t *testing.T) {
	later := func(run int) bool { return run > 1 }
	tests := []struct {
		name    string
		program *program
	}{
		{"the hold ends idle", &program{bugs: []bug{{needs: holds("c1"), message: "x"}}, idle: []pair{{1, trace.Completion}}, changed: later}},
		{"the point does not come up", &program{
			bugs:   []bug{{needs: holds("c1"), message: "x"}, {message: "x", only: func(run int) bool { return run < 7 }}},
			absent: []uint32{1}, changed: later,
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := search(t, Plan{Candidates: []candidate.Candidate{predicted("a", "c1")}, Strategies: []string{Directed}}, test.program)
			if diff := cmp.Diff([]string{"a predicted +unstable"}, summary(r)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// A replay in which a hold ends otherwise than when the failure was found has
// left its schedule, even if the test fails.
func TestReplayWithAnotherEndDiverges(t *testing.T) {
	s := schedule("c1 c2")
	release := func(h trace.Hold, reason string) trace.Release { return trace.Release{Hold: h, Reason: reason} }
	reference := trace.Observation{Releases: []trace.Release{release(s.Holds[0], "reached"), release(s.Holds[1], "exit")}}
	tests := []struct {
		first, second string
		want          bool
	}{
		{"reached", "exit", true},
		{"reached", "idle", true},
		{"reached", "reached", true},
		{"idle", "reached", false},
		{"cap", "exit", false},
	}
	for _, test := range tests {
		o := trace.Observation{Releases: []trace.Release{release(s.Holds[0], test.first), release(s.Holds[1], test.second)}}
		if got := endsAlike(s, o, reference); got != test.want {
			t.Errorf("ends %s and %s: alike %v, want %v", test.first, test.second, got, test.want)
		}
	}
}
