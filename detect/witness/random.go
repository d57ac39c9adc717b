package witness

import (
	"iter"

	"github.com/raceseed/raceseed/trace"
)

// holdsPerDraw is how many holds a random run has on average: about three
// logical holds fail most often for their time on the benchmark cases.
const holdsPerDraw = 3

// random yields draws without an end. The agent draws by hash of (seed,
// point); the seeds are those of SplitMix64 (Steele, Lea, Flood: "Fast
// splittable pseudorandom number generators", 2014) from the plan's seed.
func random(p Plan) iter.Seq[step] {
	return func(yield func(step) bool) {
		pairs := len(holdable(p.Points))
		if pairs == 0 {
			return
		}
		probability := min(1, holdsPerDraw/float64(pairs))
		for n := uint64(1); ; n++ {
			draw := &trace.Draw{Seed: splitMix(p.Seed, n), Probability: probability}
			if !yield(step{steering: trace.Steering{Draw: draw}, candidate: -1}) {
				return
			}
		}
	}
}

// splitMix is the n-th output (from 1) of the generator with this seed.
func splitMix(seed, n uint64) uint64 {
	z := seed + n*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
