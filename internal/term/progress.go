package term

import (
	"io"
	"os"
	"strings"
	"sync"
)

// Progress draws one line that is overwritten in place. Its methods may be
// called from several goroutines, and do nothing if it is not enabled.
type Progress struct {
	mu      sync.Mutex
	out     io.Writer
	enabled bool
	text    string // on the screen now, "" if the line is clear
}

// NewProgress makes a progress line on w. It is enabled by the caller only if w
// is a terminal: anywhere else overwriting in place leaves garbage in a log.
func NewProgress(w io.Writer, enabled bool) *Progress {
	return &Progress{out: w, enabled: enabled}
}

const eraseLine = "\r\x1b[K"

// Update shows text, cut to the width of the terminal: a wrapped line could not
// be erased again. An error of the terminal is ignored, progress is a courtesy.
func (p *Progress) Update(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.enabled {
		return
	}
	text = cut(Escape(text), p.width())
	if text == p.text {
		return
	}
	p.text = text
	_, _ = io.WriteString(p.out, eraseLine+text)
}

// Clear erases the line. Call it before anything else is printed.
func (p *Progress) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.enabled || p.text == "" {
		return
	}
	p.text = ""
	_, _ = io.WriteString(p.out, eraseLine)
}

// width is asked at every update: people resize windows.
func (p *Progress) width() int {
	if file, ok := p.out.(*os.File); ok {
		if width := Width(file); width > 0 {
			return width - 1 // the last column makes some terminals wrap
		}
	}
	return 79
}

// cut shortens s to the given number of columns.
func cut(s string, columns int) string {
	if TextColumns(s) <= columns {
		return s
	}
	var out strings.Builder
	used := 1 // the ellipsis
	for _, r := range s {
		used += Columns(r)
		if used > columns {
			break
		}
		out.WriteRune(r)
	}
	return out.String() + "…"
}
