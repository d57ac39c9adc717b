package trace

import (
	"errors"
	"fmt"
	"io"
)

// ReadReleases collects the holds of a steered process in the order in which
// they began. A hold without a release record has Reason "": the process was
// killed. infeasible is the reason of the first infeasible record, "" if there
// is none. A truncated trace counts up to there; a malformed one is an error.
func ReadReleases(src Source) (releases []Release, infeasible string, err error) {
	open := map[holdEnd][]int{} // indices in releases
	for {
		r, err := src.Next()
		switch {
		case err == io.EOF || errors.Is(err, ErrTruncated):
			return releases, infeasible, nil
		case err != nil:
			return nil, "", err
		}
		end := holdEnd{r.Hash, r.Side}
		switch r.Kind {
		case KindHold:
			horizon, err := ParseHorizon(r.Text)
			if err != nil {
				return nil, "", malformed(src, r, err.Error())
			}
			open[end] = append(open[end], len(releases))
			releases = append(releases, Release{
				Hold: Hold{Point: r.Hash, Side: Side(r.Side), Horizon: horizon},
				Name: r.Point,
				At:   r.Ms,
			})
		case KindRelease:
			if len(open[end]) == 0 {
				return nil, "", malformed(src, r, fmt.Sprintf("point %08x is not held on side %d", r.Hash, r.Side))
			}
			if reason := oneOf("reason", r.Text, releaseReasons...); reason != "" {
				return nil, "", malformed(src, r, reason)
			}
			of := &releases[open[end][0]]
			of.Reason, of.Ms = r.Text, r.Ms
			open[end] = open[end][1:]
		case KindInfeasible:
			if infeasible == "" {
				infeasible = r.Text
			}
		}
	}
}
