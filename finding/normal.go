package finding

import (
	"regexp"
	"strings"
)

// The parts of a resource name that differ from run to run. They are replaced
// in this order, because a later pattern would cut an earlier one in two.
var volatile = []*regexp.Regexp{
	regexp.MustCompile(`<[^<>/]*>|(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`), // what the agent knows to be random (the end of a mkdtemp folder), UUID
	regexp.MustCompile(`\d{4}-\d\d-\d\d(?:[T_ ]\d\d[:.-]?\d\d(?:[:.-]?\d\d(?:[.,]\d+)?)?Z?)?`),
	regexp.MustCompile(`(?i)\b(?:[a-f]+\d|\d+[a-f])[0-9a-f]{6,}\b`), // digests
	regexp.MustCompile(`\d+`), // pids, ports, counters
}

// What follows "-" or "_" up to the end of a path segment, its extension or the
// closing quote: the place where mkdtemp and its relatives put random letters.
var suffix = regexp.MustCompile("([0-9A-Za-z][-_])([0-9A-Za-z]{6,12})((?:\\.[0-9A-Za-z]+)?(?:[/\"'`\\s]|$))")

// The first path segment below a temporary folder: mkdtemp appends six letters
// or digits to it, with or without a separator.
var tempEntry = regexp.MustCompile(`(?i)((?:^|[/\s])(?:tmp|temp|T)/[^/\s]*?)([0-9A-Za-z]{6})((?:/|\s|$))`)

// NormalName replaces what differs from run to run in the name of a resource
// (numbers, UUIDs, dates, digests, random suffixes of temporary files) by "#".
// Two names that differ only in such parts are one resource.
func NormalName(name string) string {
	name = volatile[0].ReplaceAllString(name, "#")
	name = replaceRandom(tempEntry, name)
	name = replaceRandom(suffix, name)
	for _, pattern := range volatile[1:] {
		name = pattern.ReplaceAllString(name, "#")
	}
	return name
}

func replaceRandom(pattern *regexp.Regexp, name string) string {
	return pattern.ReplaceAllStringFunc(name, func(match string) string {
		groups := pattern.FindStringSubmatch(match)
		if !looksRandom(groups[2]) {
			return match
		}
		return groups[1] + "#" + groups[3]
	})
}

// looksRandom reports whether letters look drawn rather than written: digits
// among letters, or capitals at other places than the first. A word (`config`,
// `Config`) stays. Six random letters or digits pass for a word once in 60.
func looksRandom(s string) bool {
	lower := strings.ContainsAny(s, "abcdefghijklmnopqrstuvwxyz")
	digit := strings.ContainsAny(s, "0123456789")
	innerUpper := strings.ContainsAny(s[1:], "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	return digit || lower && innerUpper
}
