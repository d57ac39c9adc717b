package finding

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
)

// fingerprintVersion stands first in what is hashed: a change of the recipe
// changes every fingerprint on purpose, never some of them by accident.
const fingerprintVersion = "v1"

// Fingerprint names a finding across runs, machines and edits: 16 hex digits of
// the SHA-256 of version, rule, the sorted set of (path, enclosing function,
// access) of its places and its normalised resource. Lines, columns, event
// names and the order in which a recording saw the places do not count. A
// finding without places (a failing schedule, a flaky test) is named by its
// tests instead, and by the first line of its failure if it has none.
func Fingerprint(f Finding) string {
	parts := []string{fingerprintVersion, f.Rule}
	switch {
	case len(f.Places) > 0:
		parts = append(parts, placeKeys(f.Places)...)
		parts = append(parts, NormalName(f.Resource))
	case len(f.Tests) > 0:
		parts = append(parts, sortedSet(f.Tests)...)
	default:
		line, _, _ := strings.Cut(f.Failure, "\n")
		parts = append(parts, NormalName(line))
	}
	// Quoting each part keeps two different lists from giving the same text.
	var text strings.Builder
	for _, part := range parts {
		text.WriteString(strconv.Quote(part))
		text.WriteByte('\n')
	}
	sum := sha256.Sum256([]byte(text.String()))
	return hex.EncodeToString(sum[:8])
}

func placeKeys(places []Place) []string {
	keys := make([]string, len(places))
	for i, p := range places {
		keys[i] = strconv.Quote(portablePath(p.Path)) + strconv.Quote(p.Function) + strconv.Quote(p.Access)
	}
	return sortedSet(keys)
}

func sortedSet(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// portablePath gives the part of a path that is the same on every machine. Only
// files outside the project have absolute paths: of those, what follows the
// last node_modules stays, else the file name.
func portablePath(path string) string {
	if !strings.HasPrefix(path, "/") && !(len(path) > 1 && path[1] == ':') {
		return path
	}
	if i := strings.LastIndex(path, "/node_modules/"); i >= 0 {
		return path[i+1:]
	}
	return NormalName(path[strings.LastIndex(path, "/")+1:])
}

// Sort puts the findings into the order that people read them in: new before
// known before gone, then confirmed, feasible, predicted, then by rank, then by
// id, so that the same findings always give the same bytes.
func Sort(findings []Finding) {
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(baselineOrder(a.Baseline), baselineOrder(b.Baseline)),
			cmp.Compare(verdictOrder(a.Verdict), verdictOrder(b.Verdict)),
			cmp.Compare(a.Rank, b.Rank),
			strings.Compare(a.ID, b.ID),
		)
	})
}

func baselineOrder(state string) int {
	switch state {
	case Known:
		return 1
	case Gone:
		return 2
	}
	return 0 // new, or not compared with a baseline
}

func verdictOrder(verdict string) int {
	switch verdict {
	case Confirmed:
		return 0
	case Timing:
		return 1
	case Feasible:
		return 2
	}
	return 3
}
