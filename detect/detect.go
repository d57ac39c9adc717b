// Package detect predicts races from recorded runs. It takes the traces of all
// processes of one run, gives ranked candidates with the schedules that should
// flip them and the hold points that came up, and runs nothing: the same traces
// always give the same prediction.
package detect

import (
	"fmt"
	"slices"

	"github.com/raceseed/raceseed/detect/atomicity"
	"github.com/raceseed/raceseed/detect/candidate"
	"github.com/raceseed/raceseed/detect/classify"
	"github.com/raceseed/raceseed/detect/hb"
	"github.com/raceseed/raceseed/detect/race"
	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/trace"
)

// Analyze predicts the races of one recorded run: one source per process or
// thread. Orders between processes are not known, so each is judged by itself
// and the candidates are ranked together. A truncated trace counts up to its
// end and is named in Lost; any other error of a source is returned.
func Analyze(sources []trace.Source) (candidate.Prediction, error) {
	var p candidate.Prediction
	var static []static
	points := newPoints()
	for _, source := range sources {
		log, err := hb.Load(source)
		if err != nil {
			return candidate.Prediction{}, err
		}
		name := fmt.Sprintf("process %d, thread %d", log.Process.PID, log.Process.Thread)
		for _, lost := range log.Lost {
			p.Lost = append(p.Lost, name+": "+lost)
		}
		if log.Truncated {
			p.Lost = append(p.Lost, name+": the trace is truncated")
		}
		p.Actions += log.Events
		p.Accesses += len(log.Accesses)
		points.add(log)
		static = append(static, candidates(hb.Build(log))...)
	}
	p.Points = points.list
	p.Candidates = rank(group(static))
	return p, nil
}

// static is one candidate with the order it was found in.
type static struct {
	race.Candidate
	graph *hb.Graph
}

// marked reports whether the candidate has that mark.
func (s *static) marked(name string) bool {
	return slices.ContainsFunc(s.Marks, func(m finding.Mark) bool { return m.Name == name })
}

// candidates returns all candidates of one process, marked and scored.
func candidates(g *hb.Graph) []static {
	var all []static
	g.ByLocation(func(location uint32, accesses []hb.Access) {
		x := race.NewIndex(g, location, accesses)
		if len(x.Touches) == 0 {
			return
		}
		found := append(race.Find(x), atomicity.Find(x)...)
		if len(found) == 0 {
			return
		}
		facts := classify.Collect(g, accesses)
		for i := range found {
			classify.Apply(&found[i], x, &facts)
			all = append(all, static{found[i], g})
		}
	})
	for _, c := range race.Timers(g) {
		example := c.Examples[0]
		facts := classify.Collect(g, []hb.Access{example[0].Access, example[1].Access})
		classify.Apply(&c, &race.Index{Graph: g, Location: c.Location, Kind: hb.Timer}, &facts)
		all = append(all, static{c, g})
	}
	g.Accesses = nil // the examples have their own; the rest is the bulk of the memory
	return all
}
