package docs_test

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/raceseed/raceseed/docs"
	"github.com/raceseed/raceseed/internal/diag"
)

func TestExitCodesAreDocumented(t *testing.T) {
	text, err := docs.Text("exit-codes.md")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{
		"clean":       diag.ExitClean,
		"findings":    diag.ExitFindings,
		"usage":       diag.ExitUsage,
		"suite fails": diag.ExitSuiteFails,
		"incomplete":  diag.ExitIncomplete,
	}
	got := map[string]int{}
	for _, row := range docs.Rows(text) {
		code, err := strconv.Atoi(row[0])
		if err != nil {
			t.Fatalf("row %q does not begin with a code", row)
		}
		got[row[1]] = code
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("docs/exit-codes.md against internal/diag (-constants +document):\n%s", diff)
	}
}

func TestSections(t *testing.T) {
	const text = "# Title\nintro\n\n## one\n\nfirst\n```sh\n## no heading\n```\n## two\n"
	want := []docs.Section{
		{Heading: "one", Body: "first\n```sh\n## no heading\n```"},
		{Heading: "two"},
	}
	if diff := cmp.Diff(want, docs.Sections(text)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRows(t *testing.T) {
	const text = "| a | b |\n|---|---|\n| `1` | x\\|y |\n\ntext\n\n| c |\n|---|\n| 2 |\n"
	want := [][]string{{"`1`", "x|y"}, {"2"}}
	if diff := cmp.Diff(want, docs.Rows(text)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestUnknownDocument(t *testing.T) {
	if _, err := docs.Text("missing.md"); err == nil {
		t.Error("a missing document gives no error")
	}
}
