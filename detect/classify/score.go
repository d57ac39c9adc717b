package classify

import (
	"math"
	"path"
	"strings"

	"github.com/raceseed/raceseed/detect/hb"
	"github.com/raceseed/raceseed/detect/race"
	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/trace"
)

// Weights of the score: how likely a candidate of this shape was a true race
// (docs/rules.md). Those of the marks stand in their table.
var (
	ruleWeights = map[string]float64{
		finding.RuleFileRace: 3, finding.RuleEventRace: 1, finding.RuleLateListener: 0,
	}
	patternWeights = map[string]float64{
		"check-act": 4, "RWW": 3, "RWR": 2, "WWR": 2, "WRW": 0,
		race.ClearFire: -1, race.ClearNext: 2,
	}
)

const (
	weightSelf       = 1  // RWW whose t is another activation of u
	weightOtherCheck = -2 // check-act whose t asks at another place than e
	weightAllApp     = 3  // every place is application code
	weightSomeApp    = 1  // one is
	weightInNode     = -2 // a place in Node itself, or unknown
	weightContainer  = -1 // contents of a container
	weightUninit     = 2  // no write is ordered before a read that came after one
	weightEarlyRead  = 1  // the read comes first and no write is ordered before it
	weightNullWrite  = 1  // null or undefined is written
	weightNullDeref  = 3  // what is read is dereferenced without a check
	maxWeightOfCount = 2  // many occurrences: log10 of their number, at most this
)

// base is the score without marks.
func (s *subject) base(x *race.Index) float64 {
	score, ok := patternWeights[s.Pattern]
	if !ok {
		score = ruleWeights[s.Rule]
	}
	if s.Rule == finding.RuleAtomicity {
		switch e, t, u := s.parts[0], s.parts[1], s.parts[2]; {
		case s.Pattern == "RWW" && t.Site == u.Site && e.Site != 0:
			score += weightSelf
		case s.Pattern == "check-act" && t.Site != e.Site:
			score += weightOtherCheck
		}
	}
	score += s.places()
	if s.facts.object.Kind == "container" {
		score += weightContainer
	}
	if s.facts.kind == hb.Memory {
		score += s.values(x)
	}
	return score - math.Min(maxWeightOfCount, math.Log10(float64(max(1, s.Count))))
}

func (s *subject) places() float64 {
	inApp, inNode := 0, 0
	for _, t := range s.parts {
		site := s.g.Sites[t.Site]
		if InApplication(site) {
			inApp++
		} else if site.File == "" || strings.HasPrefix(site.File, "node:") {
			inNode++
		}
	}
	score := 0.0
	switch {
	case inApp == len(s.parts):
		score += weightAllApp
	case inApp > 0:
		score += weightSomeApp
	}
	if inNode > 0 {
		score += weightInNode
	}
	return score
}

// values looks at what is read and written.
func (s *subject) values(x *race.Index) float64 {
	score := 0.0
	wrote := false
	for _, t := range s.parts {
		flags := s.g.Sites[t.Site].Flags
		if t.Kind == hb.Write {
			wrote = true
			if flags&trace.SiteNullWrite != 0 {
				score += weightNullWrite
			}
			continue
		}
		if flags&trace.SiteDereference != 0 && flags&trace.SiteCondition == 0 && s.facts.nullable {
			score += weightNullDeref
		}
		// The declaration that gives a variable its first value is not recorded.
		if s.Rule == finding.RuleEventRace && s.facts.object.Kind != "scope" && !x.Preceded(t.Node) {
			if wrote {
				score += weightUninit
			} else {
				score += weightEarlyRead
			}
		}
	}
	return score
}

// InApplication reports whether a site is the project's own code.
func InApplication(s hb.Site) bool {
	return s.File != "" && !path.IsAbs(s.File) && !strings.HasPrefix(s.File, "node:") &&
		!strings.Contains("/"+s.File, "/node_modules/")
}
