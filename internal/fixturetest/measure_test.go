package fixturetest

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
)

// searches that TestMeasure compares.
var searches = []string{"directed,single,random", "single", "random"}

const (
	measuredSeeds = 20  // checks of each fixture and search
	measuredRuns  = 100 // steered runs of one check at most
)

// TestMeasure prints, with RACESEED_FULL set, the number of steered runs to the
// first failure for each fixture with a race and each search. It judges nothing.
func TestMeasure(t *testing.T) {
	if !full() {
		return
	}
	bin := raceseed(t)
	t.Logf("%-28s %-24s %8s %8s %8s", "fixture", "search", "median", "max", "failed")
	for _, f := range append(fixturesOf(t, "racy"), fixturesOf(t, "real")...) {
		dir := copyOf(t, f)
		for _, search := range searches {
			runs := make([]int, measuredSeeds)
			failed := 0
			for seed := range runs {
				_, results, _ := bin.check(t, dir, f.Cmd, "--strategy", search, "--seed", strconv.Itoa(seed+1),
					"--runs", strconv.Itoa(measuredRuns), "--max-findings", "1", "--budget", "10m")
				runs[seed] = measuredRuns + 1
				if first := results.Stats.First; first != nil {
					runs[seed] = first.Run
					failed++
				}
			}
			slices.Sort(runs)
			t.Logf("%-28s %-24s %8s %8s %5d/%d", f.name(), search, shown(runs[len(runs)/2]), shown(runs[len(runs)-1]), failed, measuredSeeds)
		}
	}
}

// shown is a number of runs, ">100" for a check in which no run failed.
func shown(runs int) string {
	if runs > measuredRuns {
		return fmt.Sprintf(">%d", measuredRuns)
	}
	return strconv.Itoa(runs)
}
