package detect

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/raceseed/raceseed/detect/candidate"
	"github.com/raceseed/raceseed/detect/classify"
	"github.com/raceseed/raceseed/detect/direct"
	"github.com/raceseed/raceseed/detect/race"
	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/trace"
)

// Bounds of what one candidate carries.
const (
	maxSchedules = 12
	maxClusters  = 24 // static candidates whose schedules are made
	maxRelated   = 20
)

// groups is a union of static candidates.
type groups struct {
	parent []int
}

func (g *groups) find(i int) int {
	for g.parent[i] != i {
		g.parent[i] = g.parent[g.parent[i]]
		i = g.parent[i]
	}
	return i
}

// group joins the candidates of one resource, and resources whose candidates
// share a pair of functions. The best candidate of a group stands first.
func group(all []static) [][]static {
	g := groups{parent: make([]int, len(all))}
	first := map[string]int{}
	key := ""
	for i := range all {
		g.parent[i] = i
		// Candidates of one location follow each other.
		if i == 0 || all[i].graph != all[i-1].graph || all[i].Location != all[i-1].Location {
			_, key = resource(all[i].graph, all[i].Location)
		}
		for _, name := range []string{"resource " + key, "functions " + functions(&all[i])} {
			if j, ok := first[name]; ok {
				g.parent[g.find(i)] = g.find(j)
			} else {
				first[name] = i
			}
		}
	}
	at := map[int]int{}
	var joined [][]static
	for i := range all {
		root := g.find(i)
		n, ok := at[root]
		if !ok {
			n = len(joined)
			at[root] = n
			joined = append(joined, nil)
		}
		joined[n] = append(joined[n], all[i])
	}
	for _, members := range joined {
		slices.SortStableFunc(members, func(a, b static) int {
			return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(len(a.Examples[0]), len(b.Examples[0])))
		})
	}
	return joined
}

// functions names the set of enclosing functions of a candidate; code without a
// named function counts by its line.
func functions(s *static) string {
	var names []string
	for _, t := range s.Examples[0] {
		site := s.graph.Sites[t.Site]
		name := site.File + " " + site.Function
		if site.Function == "" {
			name += fmt.Sprintf(":%d", site.Line)
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), " + ")
}

// rank makes the candidates, the likeliest first.
func rank(joined [][]static) []candidate.Candidate {
	list := make([]candidate.Candidate, 0, len(joined))
	for _, members := range joined {
		list = append(list, candidate.Candidate{Finding: describe(members), Schedules: schedules(members)})
	}
	slices.SortStableFunc(list, func(a, b candidate.Candidate) int {
		return cmp.Or(
			cmp.Compare(b.Finding.Score, a.Finding.Score),
			cmp.Compare(len(b.Finding.Places), len(a.Finding.Places)), // a triple says more
			cmp.Compare(a.Finding.Resource, b.Finding.Resource),
			cmp.Compare(a.Finding.ID, b.Finding.ID),
		)
	})
	for i := range list {
		list[i].Finding.Rank = i + 1
	}
	return list
}

// describe makes the finding of a group from its best candidate.
func describe(members []static) finding.Finding {
	best := &members[0]
	name, _ := resource(best.graph, best.Location)
	f := finding.Finding{
		Rule: best.Rule, Verdict: finding.Predicted, Baseline: finding.New, Pattern: best.Pattern,
		Resource: name, Places: placesOf(best, 0), Tests: []string{}, Marks: best.Marks,
		Score: math.Round(best.Score*100) / 100,
	}
	known := map[string]bool{}
	fresh := func(p finding.Place) bool {
		key := fmt.Sprintf("%s:%d:%d %s", p.Path, p.Line, p.Column, p.Access)
		was := known[key]
		known[key] = true
		return !was
	}
	for _, p := range f.Places {
		fresh(p)
	}
	for i := range members {
		m := &members[i]
		for j := range m.Examples {
			for _, t := range m.Examples[j] {
				if test := m.graph.TestAt(t.Ordinal); test != 0 {
					f.Tests = append(f.Tests, m.graph.Tests[test].Name)
				}
			}
		}
		if len(f.Related) == maxRelated {
			continue
		}
		for _, p := range placesOf(m, 0) {
			if p.Path != "" && fresh(p) && len(f.Related) < maxRelated {
				f.Related = append(f.Related, p)
			}
		}
	}
	slices.Sort(f.Tests)
	f.Tests = slices.Compact(f.Tests)
	f.ID = finding.Fingerprint(f)
	return f
}

// placesOf returns the places of one example in the order seen.
func placesOf(s *static, example int) []finding.Place {
	touches := slices.Clone(s.Examples[example])
	slices.SortStableFunc(touches, func(a, b race.Touch) int {
		return cmp.Or(cmp.Compare(a.Ordinal, b.Ordinal), cmp.Compare(a.Number, b.Number))
	})
	places := make([]finding.Place, len(touches))
	for i := range touches {
		places[i] = place(s.graph, &touches[i])
	}
	return places
}

// schedules interleaves those of the group's candidates: one of each static
// candidate before the second of any, and of a candidate's examples the closest
// first. Equal schedules stand once. Within a round no two hold the same sides
// of the same points with the same kind of horizon: an append that races with
// ten accesses of a file leaves room for another way to break the program.
// Nothing is held until a test has cleaned up behind itself: whatever is still
// under way then fails, in a correct program, too.
func schedules(members []static) []trace.Schedule {
	var lists [][]trace.Schedule
	for i := range members[:min(len(members), maxClusters)] {
		if !members[i].marked(classify.Teardown) {
			lists = append(lists, ofCandidate(&members[i]))
		}
	}
	var all []trace.Schedule
	seen := map[string]bool{}
	for progress := true; progress; {
		progress = false
		round := map[string]bool{}
		for i := range lists {
			for len(lists[i]) > 0 && seen[fmt.Sprint(lists[i][0].Holds)] {
				lists[i] = lists[i][1:]
			}
			if len(lists[i]) == 0 || round[shape(lists[i][0])] {
				continue
			}
			next := lists[i][0]
			lists[i] = lists[i][1:]
			round[shape(next)], seen[fmt.Sprint(next.Holds)] = true, true
			all = append(all, next)
			if len(all) == maxSchedules {
				return all
			}
			progress = true
		}
	}
	return all
}

// shape is what a schedule holds, without what it waits for.
func shape(s trace.Schedule) string {
	var text strings.Builder
	for _, h := range s.Holds {
		fmt.Fprintf(&text, "%x %d %c,", h.Point, h.Side, h.Horizon.Kind)
	}
	return text.String()
}

// ofCandidate walks the schedules of a candidate's examples diagonally: the
// best of the closest example, then its second and the best of the next one.
func ofCandidate(s *static) []trace.Schedule {
	var made [][]trace.Schedule
	longest := 0
	for _, example := range s.Examples {
		list := direct.Schedules(s.graph, example, s.Pattern)
		made = append(made, list)
		longest = max(longest, len(list))
	}
	var all []trace.Schedule
	for sum := 0; sum < len(made)+longest; sum++ {
		for i := 0; i <= min(sum, len(made)-1); i++ {
			if j := sum - i; j < len(made[i]) {
				all = append(all, made[i][j])
			}
		}
	}
	return all
}
