package hb

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/raceseed/raceseed/docs"
)

// The rules of docs/order.md and those of the code are the same, in the same order.
func TestDocumentedRules(t *testing.T) {
	text, err := docs.Text("order.md")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []Rule
	want = Rules()
	for _, row := range docs.Rows(text) {
		if len(row) == 2 && len(got) < len(want) && (len(got) > 0 || row[0] == want[0].ID) {
			got = append(got, Rule{ID: row[0], Title: row[1]})
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rules in the code (-) and in docs/order.md (+):\n%s", diff)
	}
}
