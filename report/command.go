package report

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/raceseed/raceseed/finding"
)

// ReplayCommand gives the line to paste into a POSIX shell that shows a finding
// again, "" if it has no witness.
func ReplayCommand(f finding.Finding, command []string) string {
	if f.Witness == "" {
		return ""
	}
	words := []string{"raceseed", "replay", Quote(f.Witness), "--"}
	for _, word := range command {
		words = append(words, Quote(word))
	}
	return strings.Join(words, " ")
}

// Quote writes one argument for a POSIX shell: as it is if it needs nothing, in
// single quotes else. Characters that a terminal would obey instead of showing
// are written as octal numbers for printf, so the line is safe to print too.
func Quote(word string) string {
	if word != "" && strings.IndexFunc(word, needsQuotes) < 0 {
		return word
	}
	var out strings.Builder
	quoted := false
	enter := func(want bool) {
		if quoted != want {
			out.WriteByte('\'')
			quoted = want
		}
	}
	for i, r := range word {
		switch {
		case r == '\'':
			enter(false)
			out.WriteString(`\'`)
		case r == '\n' || r != unicode.ReplacementChar && unicode.IsPrint(r):
			enter(true)
			out.WriteRune(r)
		default:
			enter(false)
			out.WriteString(octal(word[i:]))
		}
	}
	enter(false)
	if word == "" {
		return "''"
	}
	return out.String()
}

// octal writes the first character of s, or its first byte if that is no UTF-8.
func octal(s string) string {
	var out strings.Builder
	for i, r := range s {
		if i > 0 {
			break
		}
		size := 1
		if r != unicode.ReplacementChar || strings.HasPrefix(s, string(unicode.ReplacementChar)) {
			size = len(string(r))
		}
		for _, b := range []byte(s[:size]) {
			fmt.Fprintf(&out, `\%03o`, b)
		}
	}
	return `"$(printf '` + out.String() + `')"`
}

func needsQuotes(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("@%+=:,./_-", r))
}
