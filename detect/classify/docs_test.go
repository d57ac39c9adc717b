package classify

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/raceseed/raceseed/docs"
)

// The table of marks in docs/rules.md and the one that is used agree.
func TestDocumentedMarks(t *testing.T) {
	text, err := docs.Text("rules.md")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, m := range marks {
		want["`"+m.name+"`"] = strconv.FormatFloat(m.weight, 'f', -1, 64)
	}
	got := map[string]string{}
	for _, row := range docs.Rows(text) {
		if _, known := want[row[0]]; known || len(row) == 3 && row[0] != "mark" && len(row[0]) > 0 && row[0][0] == '`' {
			got[row[0]] = row[len(row)-1]
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("marks in the code (-) and in docs/rules.md (+):\n%s", diff)
	}
}
