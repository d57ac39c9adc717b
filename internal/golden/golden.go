// Package golden compares what a test gets with what is stored beside it: golden
// files, which -update rewrites, and traces with expectations. It fails the test
// with a diff and changes nothing else. Only tests import it.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite golden files; read the diff before you commit it")

// Check fails the test if got differs from the file at path.
func Check(t testing.TB, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (write it with: go test -run '^%s$' . -update)", err, t.Name())
	}
	if diff := cmp.Diff(lines(want), lines(got)); diff != "" {
		t.Errorf("%s differs (-want +got), rewrite it with -update:\n%s", path, diff)
	}
}

// lines keeps the line ends: a missing last newline is a difference.
func lines(text []byte) []string { return strings.SplitAfter(string(text), "\n") }
