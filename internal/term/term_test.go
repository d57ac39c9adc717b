package term_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"github.com/raceseed/raceseed/internal/term"
)

func TestColor(t *testing.T) {
	tests := []struct {
		mode     string
		terminal bool
		env      string
		want     bool
	}{
		{"auto", true, "TERM=xterm", true},
		{"auto", false, "TERM=xterm", false},
		{"auto", true, "TERM=dumb", false},
		{"auto", true, "NO_COLOR=1", false},
		{"auto", true, "CI=true", false},
		{"auto", true, "CI=false", true},
		{"auto", true, "TF_BUILD=True", false},
		{"always", false, "NO_COLOR=1", true},
		{"never", true, "TERM=xterm", false},
	}
	for _, test := range tests {
		name, value, _ := strings.Cut(test.env, "=")
		got, err := term.Color(test.mode, test.terminal, func(key string) string {
			if key == name {
				return value
			}
			return ""
		})
		if err != nil || got != test.want {
			t.Errorf("%+v: got %v, %v", test, got, err)
		}
	}
	_, err := term.Color("yes", true, func(string) string { return "" })
	if err == nil || err.Error() != `--color "yes" is unknown: use auto, always or never` {
		t.Errorf("unknown mode: %v", err)
	}
}

func TestFileIsNoTerminal(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if term.IsTerminal(file) || term.Width(file) != 0 {
		t.Errorf("a file is a terminal of width %d", term.Width(file))
	}
}

func TestEscape(t *testing.T) {
	tests := []struct{ in, want string }{
		{"plain text, naïve 漢字 👩\u200d🚀", "plain text, naïve 漢字 👩\u200d🚀"},
		{"\x1b[2Jgone", `\x1b[2Jgone`},
		{"a\tb\r\n", `a\x09b\x0d\x0a`},
		{"\u009b31m", `\u009b31m`},
		{"user\u202etxt.exe", `user\u202etxt.exe`},
		{"a\u2028b\ufeff", `a\u2028b\ufeff`},
		{"bad \xff\xfe", `bad \xff\xfe`},
		{`C:\dir`, `C:\dir`},
	}
	for _, test := range tests {
		if got := term.Escape(test.in); got != test.want {
			t.Errorf("Escape(%q) = %q, want %q", test.in, got, test.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		raw := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "text")
		for _, r := range term.Escape(raw) {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == unicode.ReplacementChar && !strings.ContainsRune(raw, r) {
				t.Fatalf("Escape(%q) lets %U through", raw, r)
			}
		}
	})
}

func TestTextColumns(t *testing.T) {
	tests := []struct {
		in   string
		want int
	}{{"", 0}, {"abc", 3}, {"漢字", 4}, {"e\u0301", 1}, {"🚀", 2}}
	for _, test := range tests {
		if got := term.TextColumns(test.in); got != test.want {
			t.Errorf("TextColumns(%q) = %d, want %d", test.in, got, test.want)
		}
	}
}

func TestProgress(t *testing.T) {
	const erase = "\r\x1b[K"
	var out strings.Builder
	p := term.NewProgress(&out, true)
	p.Clear()
	p.Update("run 1")
	p.Update("run 1")
	p.Update("run \x1b[2J")
	p.Clear()
	p.Clear()
	want := erase + "run 1" + erase + `run \x1b[2J` + erase
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func TestProgressIsCutToWidth(t *testing.T) {
	var out strings.Builder
	term.NewProgress(&out, true).Update(strings.Repeat("漢", 60))
	text := strings.TrimPrefix(out.String(), "\r\x1b[K")
	if columns := term.TextColumns(text); columns > 79 || !strings.HasSuffix(text, "…") {
		t.Errorf("%d columns: %q", columns, text)
	}
}

func TestProgressOff(t *testing.T) {
	var out strings.Builder
	p := term.NewProgress(&out, false)
	p.Update("run 1")
	p.Clear()
	if out.Len() > 0 {
		t.Errorf("wrote %q", out.String())
	}
}

func TestProgressFromSeveralGoroutines(t *testing.T) {
	var out strings.Builder
	p := term.NewProgress(&out, true)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			p.Update("working")
			p.Clear()
		})
	}
	group.Wait()
	if !strings.HasSuffix(out.String(), "\r\x1b[K") {
		t.Errorf("the line was not cleared: %q", out.String())
	}
}
