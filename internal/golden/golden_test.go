package golden_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/raceseed/raceseed/internal/golden"
)

// recorder is a test that notes its failure instead of failing.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Helper()                   {}
func (r *recorder) Errorf(string, ...any)     { r.failed = true }
func (r *recorder) Fatalf(f string, a ...any) { r.failed = true; panic("stopped") }

func TestCheck(t *testing.T) {
	path := filepath.Join(t.TempDir(), "want.txt")
	if err := os.WriteFile(path, []byte("one\ntwo\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		path, got string
		fails     bool
	}{
		{path, "one\ntwo\n", false},
		{path, "one\ntwo", true},
		{path, "one\nthree\n", true},
		{path + ".missing", "one\n", true},
	}
	for _, test := range tests {
		r := &recorder{TB: t}
		func() {
			defer func() { _ = recover() }()
			golden.Check(r, test.path, []byte(test.got))
		}()
		if r.failed != test.fails {
			t.Errorf("Check(%q) failed = %v, want %v", test.got, r.failed, test.fails)
		}
	}
}
