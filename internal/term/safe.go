package term

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape makes foreign text safe to print on one line: control characters
// (also tab and newline), characters that reorder or hide text, and bytes that
// are no UTF-8 are written as \x1b or \u202e. A backslash stays as it is.
func Escape(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1, r < 0x80 && unicode.IsControl(r):
			fmt.Fprintf(&out, `\x%02x`, s[i])
		case !visible(r):
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			out.WriteString(s[i : i+size])
		}
		i += size
	}
	return out.String()
}

// visible reports whether a character shows itself and nothing else happens:
// letters, marks, numbers, signs and the plain space. Emoji joiners stay.
func visible(r rune) bool {
	const zeroWidthJoiner, variationEmoji = '\u200d', '\ufe0f'
	return unicode.IsPrint(r) || r == zeroWidthJoiner || r == variationEmoji
}

// Columns gives the cells that a character takes on a terminal: 0 for marks and
// joiners, 2 for East Asian wide characters and emoji, else 1. Terminals differ
// in rare cases; a caret is then one cell off.
func Columns(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.In(r, wide):
		return 2
	}
	return 1
}

// TextColumns gives the cells that a text without control characters takes.
func TextColumns(s string) int {
	n := 0
	for _, r := range s {
		n += Columns(r)
	}
	return n
}

// wide are the blocks that Unicode's EastAsianWidth.txt gives as W or F, rounded
// to whole blocks.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115f, Stride: 1}, // Hangul Jamo
		{Lo: 0x2e80, Hi: 0x303e, Stride: 1}, // CJK radicals, punctuation
		{Lo: 0x3041, Hi: 0xa4cf, Stride: 1}, // Kana, CJK, Yi
		{Lo: 0xac00, Hi: 0xd7a3, Stride: 1}, // Hangul
		{Lo: 0xf900, Hi: 0xfaff, Stride: 1}, // CJK compatibility
		{Lo: 0xfe30, Hi: 0xfe4f, Stride: 1},
		{Lo: 0xff00, Hi: 0xff60, Stride: 1}, // full width forms
		{Lo: 0xffe0, Hi: 0xffe6, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x1f300, Hi: 0x1f64f, Stride: 1}, // emoji
		{Lo: 0x1f680, Hi: 0x1f6ff, Stride: 1},
		{Lo: 0x1f900, Hi: 0x1f9ff, Stride: 1},
		{Lo: 0x20000, Hi: 0x3fffd, Stride: 1}, // CJK extensions
	},
}
