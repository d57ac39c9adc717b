package witness

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/raceseed/raceseed/detect/candidate"
)

// take gives the first steps of the named strategies: candidate, strategy, schedule.
func take(t *testing.T, p Plan, n int, names ...string) []string {
	t.Helper()
	chosen, err := choose(names)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for s := range sequence(p, chosen) {
		what := show(s.steering.Schedule)
		if d := s.steering.Draw; d != nil {
			what = fmt.Sprintf("%016x %.3f", d.Seed, d.Probability)
		}
		lines = append(lines, fmt.Sprintf("%d %s %s", s.candidate, s.strategy, what))
		if len(lines) == n {
			break
		}
	}
	return lines
}

func TestDirectedTakesFirstSchedulesFirst(t *testing.T) {
	p := Plan{Candidates: []candidate.Candidate{
		predicted("a", "c1", "c2", "c3"),
		predicted("b"),
		predicted("c", "", "c4o1"),
		predicted("d", "c1", "c5 s6", "s6 c5"),
	}}
	want := []string{
		"0 directed c1",
		"0 directed c2",
		"2 directed c4o1",
		"3 directed c5 s6",
		"0 directed c3",
	}
	if diff := cmp.Diff(want, take(t, p, 100, Directed)); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
}

func TestSingleOrder(t *testing.T) {
	p := Plan{
		Candidates: []candidate.Candidate{predicted("a", "c2")},
		Points: []candidate.Point{
			{Hash: 1, API: "socket data", Completion: true},
			{Hash: 2, API: "setTimeout", Completion: true, Timer: true, App: true},
			{Hash: 3, API: "fs.readFile", Start: true, Completion: true, App: true},
			{Hash: 4, API: "fs.promises.writeFile", Start: true, Completion: true, App: true},
			{Hash: 5, API: "socket write", Start: true, Completion: true},
			{Hash: 4, API: "fs.promises.writeFile", Start: true, Completion: true, App: true},
			{Hash: 6, API: "fs.ftruncate", Start: true, App: true},
			{Hash: 7, API: "setInterval", Completion: true, Timer: true},
			{Hash: 8, API: "fs.readFile"},
		},
	}
	got := take(t, p, 100, Single)
	want := "s4 s6 c3 c2 s5 c1 c7 s3 c4 c5"
	var words []string
	for _, line := range got {
		words = append(words, strings.TrimPrefix(line, "-1 single "))
	}
	if diff := cmp.Diff(want, strings.Join(words, " ")); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	got = take(t, p, 3, Single, Directed) // the order of names does not matter
	if diff := cmp.Diff([]string{"0 directed c2", "-1 single s4", "-1 single s6"}, got); diff != "" {
		t.Errorf("after directed (-want +got):\n%s", diff)
	}
}

func TestChangesOutside(t *testing.T) {
	for api, want := range map[string]bool{
		"fs.writeFile": true, "fs.promises.appendFile": true, "FileHandle.write": true, "fs.fchmod": true, "fs.lutimes": true,
		"socket write": true, "socket fin": true, "fs.rm": true, "fs.mkdtemp": true,
		"fs.readFile": false, "fs.lstat": false, "socket end": false, "child exit": false, "zlib.inflate": false,
		"fs.fsync": false, "f": false, "": false,
	} {
		if got := changesOutside(api); got != want {
			t.Errorf("changesOutside(%q) = %v, want %v", api, got, want)
		}
	}
}

func TestRandomDraws(t *testing.T) {
	p := Plan{Points: reads(1, 2, 3, 4, 5, 6), Seed: 7}
	first := take(t, p, 3, Random)
	want := []string{
		"-1 random 63cbe1e459320dd7 0.500",
		"-1 random 044c3cd7f43c661c 0.500",
		"-1 random e6984080bab12a02 0.500",
	}
	if diff := cmp.Diff(want, first); diff != "" {
		t.Errorf("draws (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(first, take(t, p, 3, Random)); diff != "" {
		t.Errorf("not repeatable:\n%s", diff)
	}
	if got := take(t, Plan{Points: reads(1)}, 1, Random); !strings.HasSuffix(got[0], " 1.000") {
		t.Errorf("one pair: %v, want probability 1", got)
	}
	if got := take(t, Plan{}, 1, Random); got != nil {
		t.Errorf("no points: %v, want no draws", got)
	}
}

func TestChooseNamesTheStrategies(t *testing.T) {
	_, err := choose([]string{"directed", "magic"})
	want := `unknown strategy "magic": use directed, single, random`
	if err == nil || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
}
