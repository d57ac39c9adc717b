package golden

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Traces runs one subtest for every testdata/*.txtar of the package under test:
// a comment, then what is expected, then a trace in text form. The subtest gets
// both texts.
func Traces(t *testing.T, test func(t *testing.T, expect, records string)) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no traces: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			_, rest, _ := strings.Cut(string(text), "-- expect --\n")
			expect, records, ok := strings.Cut(rest, "-- trace --\n")
			if !ok {
				t.Fatal("want the sections expect and trace")
			}
			test(t, expect, records)
		})
	}
}
