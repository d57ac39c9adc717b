package witness

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/raceseed/raceseed/detect/candidate"
	"github.com/raceseed/raceseed/trace"
)

// single yields one hold a run, until the next timer has fired (t1), for every
// side of every point that may be held. First come the sides that matter to
// the outside: starts of what changes it, completions of what brings something
// in, timers; these two thirds of the pairs held a failing one in every
// benchmark case that any single hold fails. Application points come before
// library points, else the order of the recording stands.
func single(p Plan) iter.Seq[step] {
	return func(yield func(step) bool) {
		for _, h := range holdable(p.Points) {
			hold := trace.Hold{Point: h.point, Side: h.side, Horizon: oneTimer}
			s := trace.Steering{Schedule: trace.Schedule{Holds: []trace.Hold{hold}}}
			if !yield(step{steering: s, candidate: -1}) {
				return
			}
		}
	}
}

// oneTimer is the horizon to use without a prediction.
var oneTimer = trace.Horizon{Kind: trace.UntilTimers, N: 1}

// holdable gives every pair that may be held once, in the order to try them.
func holdable(points []candidate.Point) []pair {
	type ranked struct {
		pair
		rank int
	}
	var all []ranked
	seen := map[pair]bool{}
	add := func(p candidate.Point, side trace.Side, may bool) {
		h := pair{p.Hash, side}
		if may && !seen[h] {
			seen[h] = true
			all = append(all, ranked{h, rankOf(p, side)})
		}
	}
	for _, p := range points {
		add(p, trace.Start, p.Start)
		add(p, trace.Completion, p.Completion)
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	pairs := make([]pair, len(all))
	for i, r := range all {
		pairs[i] = r.pair
	}
	return pairs
}

// rankOf orders the pairs, smallest first; docs/search.md lists the ranks.
func rankOf(p candidate.Point, side trace.Side) int {
	const library, other = 10, 20
	rank := 0
	if !p.App {
		rank += library
	}
	switch changing := changesOutside(p.API); {
	case p.Timer && side == trace.Completion:
		return rank + 2
	case changing && side == trace.Start:
		return rank
	case !changing && side == trace.Completion:
		return rank + 1
	case side == trace.Start:
		return rank + other
	default:
		return rank + other + 1
	}
}

// changingVerbs are last words of API names that change the outside; all others
// bring something in.
var changingVerbs = []string{
	"append", "appendfile", "chmod", "chown", "copyfile", "cp", "fin", "link", "lutimes", "mkdir", "mkdtemp",
	"rename", "rm", "rmdir", "symlink", "truncate", "unlink", "utimes", "write", "writefile", "writev",
}

// changesOutside reads the verb of an API name such as "fs.promises.writeFile",
// "fs.ftruncate" or "socket write".
func changesOutside(api string) bool {
	verb := strings.ToLower(api[strings.LastIndexAny(api, ". ")+1:])
	if slices.Contains(changingVerbs, verb) {
		return true
	}
	// fchmod, lchown, futimes: the same on a descriptor or a link.
	return len(verb) > 1 && (verb[0] == 'f' || verb[0] == 'l') && slices.Contains(changingVerbs, verb[1:])
}
