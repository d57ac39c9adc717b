package witness

import "github.com/raceseed/raceseed/trace"

// shrink gives a smaller list of holds for which fails still holds; it must
// hold for holds. First it removes holds (ddmin), then it tries to name one
// point instead of two. It asks fails at most limit times, never twice for the
// same list; with a limit that is not reached, no single hold of the result
// can be left out. It ends at the first error of fails.
func shrink(holds []trace.Hold, limit int, fails predicate) ([]trace.Hold, error) {
	asked := map[string]bool{}
	ask := func(holds []trace.Hold) (bool, error) {
		key := scheduleKey(trace.Schedule{Holds: holds})
		answer, known := asked[key]
		if known || len(asked) >= limit {
			return answer, nil
		}
		answer, err := fails(holds)
		asked[key] = answer
		return answer, err
	}
	holds, err := ddmin(holds, ask)
	if err != nil {
		return holds, err
	}
	return simplify(holds, ask)
}

// predicate tells whether a run with these holds, one or more, still fails.
type predicate func(holds []trace.Hold) (bool, error)

// ddmin is minimising delta debugging (Zeller and Hildebrandt, "Simplifying and
// isolating failure-inducing input", 2002) down to one hold: the empty schedule
// is the business of the control runs.
func ddmin(holds []trace.Hold, fails predicate) ([]trace.Hold, error) {
	for parts := 2; len(holds) > 1; {
		smaller, isChunk, err := reduce(holds, parts, fails)
		switch {
		case err != nil:
			return holds, err
		case smaller != nil && isChunk:
			holds, parts = smaller, 2
		case smaller != nil:
			holds, parts = smaller, max(parts-1, 2)
		case parts >= len(holds):
			return holds, nil
		default:
			parts = min(2*parts, len(holds))
		}
	}
	return holds, nil
}

// reduce looks for one of the parts that fails alone, then for one that can be
// left out; nil if there is none.
func reduce(holds []trace.Hold, parts int, fails predicate) (smaller []trace.Hold, isChunk bool, err error) {
	var rests [][]trace.Hold
	for i := range parts {
		from, to := i*len(holds)/parts, (i+1)*len(holds)/parts
		chunk := append([]trace.Hold(nil), holds[from:to]...)
		rest := append(append([]trace.Hold(nil), holds[:from]...), holds[to:]...)
		rests = append(rests, rest)
		if failed, err := fails(chunk); failed || err != nil {
			return chunk, true, err
		}
	}
	if parts == 2 {
		return nil, false, nil // the rests are the chunks
	}
	for _, rest := range rests {
		if failed, err := fails(rest); failed || err != nil {
			return rest, false, err
		}
	}
	return nil, false, nil
}

// simplify tries "until the next timer" in place of "until that point": one
// name that another version of Node may change instead of two, and a witness
// of 16 characters instead of 22.
func simplify(holds []trace.Hold, fails predicate) ([]trace.Hold, error) {
	for i, h := range holds {
		if h.Horizon.Kind != trace.UntilPoint {
			continue
		}
		simpler := append([]trace.Hold(nil), holds...)
		simpler[i].Horizon = oneTimer
		failed, err := fails(simpler)
		if err != nil {
			return holds, err
		}
		if failed {
			holds = simpler
		}
	}
	return holds, nil
}
