package witness

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// docs/search.md states names and numbers of this package; people rely on both.
func TestDocumentStatesWhatTheCodeDoes(t *testing.T) {
	text, err := os.ReadFile("../../docs/search.md")
	if err != nil {
		t.Fatal(err)
	}
	failed, hung := effortFailed, effortHung
	want := []string{
		fmt.Sprintf("\n| runs for shrinking, at most | %d | %d |\n", failed.shrinks, hung.shrinks),
		fmt.Sprintf("\n| replays | %d | %d |\n", failed.replays, hung.replays),
		fmt.Sprintf("\n| of these must show it | %d | %d |\n", failed.shown, hung.shown),
		fmt.Sprintf("\n| control runs, all must pass | %d | %d |\n", failed.controls, hung.controls),
		// one more: the first run of a drawn schedule
		fmt.Sprintf(" at most %d runs later", 1+failed.shrinks+failed.replays+failed.controls),
	}
	for _, s := range strategies {
		want = append(want, "\n| `"+s.name+"` | ")
	}
	for _, name := range []string{
		markPassed, markNotFlipped, markUnstable, markUnjudged, markFlaky, markSameHold,
		StoppedDone, StoppedBudget, StoppedRuns, StoppedFindings, StoppedCancelled, StoppedError,
	} {
		want = append(want, "\n| `"+name+"` | ")
	}
	for _, line := range want {
		if !strings.Contains(string(text), line) {
			t.Errorf("docs/search.md lacks %q", line)
		}
	}
}
