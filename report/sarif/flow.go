package sarif

import (
	"github.com/owenrumney/go-sarif/v2/sarif"

	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/report"
)

// maxFrames of one callback. With three callbacks a flow has at most 36 steps.
const maxFrames = 10

// codeFlows gives one flow with a thread for each callback: where it was
// started, the calls that led to the access, the access. The execution order
// runs across the threads: first all starts, then the callbacks one after the
// other in the order that the recording saw.
func codeFlows(f finding.Finding) []*sarif.CodeFlow {
	if len(f.Places) == 0 {
		return nil
	}
	order := 0
	threads := make([][]*sarif.ThreadFlowLocation, len(f.Places))
	step := func(thread int, place finding.Place, text string) {
		if place.Line < 1 || !report.InProject(place.Path) {
			return
		}
		order++
		where := location(place).WithMessage(sarif.NewTextMessage(escape(text)))
		threads[thread] = append(threads[thread], sarif.NewThreadFlowLocation().WithLocation(where).WithExecutionOrder(order))
	}
	for i, place := range f.Places {
		if place.Origin != nil {
			step(i, ofFrame(*place.Origin), "starts "+work(place))
		}
	}
	for i, place := range f.Places {
		frames := place.Frames[:min(len(place.Frames), maxFrames)]
		for j := len(frames) - 1; j >= 0; j-- {
			if frame := ofFrame(frames[j]); !same(frame, place) {
				step(i, frame, "calls on")
			}
		}
		step(i, place, place.Access+" in "+work(place))
	}
	return flowOf(threads)
}

// flowOf leaves out callbacks of which nothing lies in the repository: SARIF
// demands a location in every thread.
func flowOf(threads [][]*sarif.ThreadFlowLocation) []*sarif.CodeFlow {
	flow := sarif.NewCodeFlow().WithMessage(sarif.NewTextMessage(
		"The order of the recorded run. Nothing keeps the callbacks in it."))
	for _, steps := range threads {
		if len(steps) > 0 {
			flow.ThreadFlows = append(flow.ThreadFlows, sarif.NewThreadFlow().WithLocations(steps))
		}
	}
	if len(flow.ThreadFlows) == 0 {
		return nil
	}
	return []*sarif.CodeFlow{flow}
}

// work names the callback or task that makes an access.
func work(place finding.Place) string {
	if place.Event == "" {
		return "a callback"
	}
	return report.Article(place.Event)
}

func ofFrame(frame finding.Frame) finding.Place {
	return finding.Place{Path: frame.Path, Line: frame.Line, Column: frame.Column, Function: frame.Function}
}
