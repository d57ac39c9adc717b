package agent

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestNodeOptionsLoadTheAgentFromAnyPath(t *testing.T) {
	for _, name := range []string{"plain", "with blank", "naïve-größe", `quote"d`, `back\slash`} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), name)
			path, err := install(dir, []byte("globalThis.fromAgent = (globalThis.fromAgent || 0) + 1"))
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("node", "-p", "fromAgent + ' ' + Error.stackTraceLimit")
			cmd.Env = append(os.Environ(), "NODE_OPTIONS="+NodeOptions("--stack-trace-limit=7", path))
			out, err := cmd.CombinedOutput()
			if got, want := strings.TrimSpace(string(out)), "1 7"; err != nil || got != want {
				t.Fatalf("node printed %q (%v), want %q", got, err, want)
			}
		})
	}
}

func TestNodeOptionsKeepsWhatIsThere(t *testing.T) {
	for _, c := range []struct{ existing, want string }{
		{"", `--require "/a"`},
		{"  ", `--require "/a"`},
		{"--no-warnings", `--no-warnings --require "/a"`},
	} {
		if got := NodeOptions(c.existing, "/a"); got != c.want {
			t.Errorf("NodeOptions(%q) = %q, want %q", c.existing, got, c.want)
		}
	}
}

func TestInstallIsNamedByContent(t *testing.T) {
	dir := t.TempDir()
	one, err := install(dir, []byte("1"))
	if err != nil {
		t.Fatal(err)
	}
	again, err := install(dir, []byte("1"))
	if err != nil {
		t.Fatal(err)
	}
	two, err := install(dir, []byte("2"))
	if err != nil {
		t.Fatal(err)
	}
	if one != again || one == two {
		t.Errorf("got %q, %q, %q: equal content must share a path, other content must not", one, again, two)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 2 {
		t.Errorf("got %d files, want 2: no temporary file may stay", len(entries))
	}
}

func TestInstallBelowAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := install(filepath.Join(file, "x"), []byte("1")); err == nil {
		t.Error("got no error for a folder below a regular file")
	}
}
