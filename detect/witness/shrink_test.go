package witness

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/raceseed/raceseed/trace"
)

func TestShrink(t *testing.T) {
	tests := []struct {
		name  string
		holds string
		needs string
		limit int
		want  string
		runs  int
	}{
		{"one hold asks nothing", "c1", "c1*", 12, "c1", 0},
		{"one of two", "c1 c2", "c2*", 12, "c2", 2},
		{"one of eight", "c1 c2 c3 c4 c5 c6 c7 c8", "c7*", 12, "c7", 5},
		{"two of eight, together", "c1 c2 c3 c4 c5 c6 c7 c8", "c5* c6*", 12, "c5 c6", 5},
		{"two of eight, apart", "c1 c2 c3 c4 c5 c6 c7 c8", "c2* c8*", 100, "c2 c8", 15},
		{"two of eight, apart, within its limit", "c1 c2 c3 c4 c5 c6 c7 c8", "c2* c8*", 9, "c1 c2 c7 c8", 9},
		{"all needed", "c1 c2 c3", "c1* c2* c3*", 12, "c1 c2 c3", 6},
		{"timer is enough", "c1o2", "c1*", 12, "c1", 1},
		{"point is needed", "c1o2", "c1o2", 12, "c1o2", 1},
		{"each horizon alone", "c1o2 s3o4", "c1o2 s3*", 12, "c1o2 s3", 4},
		{"no run allowed", "c1o2 c3", "c1*", 0, "c1o2 c3", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			runs := 0
			b := bug{needs: holds(test.needs)}
			got, err := shrink(holds(test.holds), test.limit, func(h []trace.Hold) (bool, error) {
				runs++
				return b.in(h), nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, show(trace.Schedule{Holds: got})); diff != "" {
				t.Errorf("shrink (-want +got):\n%s", diff)
			}
			if runs != test.runs {
				t.Errorf("asked %d times, want %d", runs, test.runs)
			}
		})
	}
}

func TestShrinkEndsAtAnError(t *testing.T) {
	broken := errors.New("broken")
	runs := 0
	_, err := shrink(holds("c1o9 c2 c3 c4"), 12, func([]trace.Hold) (bool, error) {
		runs++
		return false, broken
	})
	if !errors.Is(err, broken) || runs != 1 {
		t.Errorf("got error %v after %d runs, want %v after 1", err, runs, broken)
	}
}

// The result fails, and with enough runs no hold of it can be left out, for any
// predicate: also one that is not monotone.
func TestShrinkIsMinimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, maxHolds).Draw(t, "holds")
		var all []trace.Hold
		for i := range n {
			all = append(all, hold(fmt.Sprintf("c%d", i)))
		}
		failing := rapid.SliceOfN(rapid.Bool(), 1<<n, 1<<n).Draw(t, "failing")
		fails := func(h []trace.Hold) bool {
			set := 0
			for _, one := range h {
				set |= 1 << one.Point
			}
			return len(h) == n || failing[set]
		}
		limit := rapid.SampledFrom([]int{0, 3, 12, 1 << maxHolds}).Draw(t, "limit")
		runs := 0
		got, err := shrink(all, limit, func(h []trace.Hold) (bool, error) {
			runs++
			return fails(h), nil
		})
		if err != nil || len(got) == 0 || !fails(got) {
			t.Fatalf("result %v (error %v) does not fail", got, err)
		}
		if runs > limit {
			t.Fatalf("asked %d times, limit %d", runs, limit)
		}
		if limit < 1<<maxHolds || len(got) == 1 {
			return
		}
		for i := range got {
			rest := append(append([]trace.Hold(nil), got[:i]...), got[i+1:]...)
			if fails(rest) {
				t.Fatalf("hold %d of %v can be left out", i, got)
			}
		}
	})
}
