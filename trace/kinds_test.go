package trace

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/raceseed/raceseed/docs"
)

func document(t *testing.T, name string) string {
	t.Helper()
	text, err := docs.Text(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// The table in the document and the table in kinds.go are one table.
func TestKindsAreDocumented(t *testing.T) {
	var documented []string
	for _, row := range docs.Rows(document(t, "trace-format.md")) {
		if strings.HasPrefix(row[0], "0x") {
			documented = append(documented, fmt.Sprintf("%s %s: %s", row[0], strings.Trim(row[1], "`"), row[2]))
		}
	}
	var table []string
	for _, k := range kinds {
		var fields []string
		for _, f := range k.fields {
			fields = append(fields, fmt.Sprintf("%c %s", f.encoding, f.name))
		}
		table = append(table, fmt.Sprintf("0x%02x %s: %s", uint8(k.kind), k.name, strings.Join(fields, ", ")))
	}
	if diff := cmp.Diff(documented, table); diff != "" {
		t.Errorf("kinds.go against docs/trace-format.md (-document +table):\n%s", diff)
	}
}

// A record between two texts has to fit into the window of the reader.
func TestRunsFitTheWindow(t *testing.T) {
	for _, k := range kinds {
		run := 1
		for _, f := range k.fields {
			run += 8
			if f.encoding == asText {
				run = 0
			}
			if run > maxRun {
				t.Errorf("%s: %d bytes without a text, the window has %d", k.name, run, maxRun)
			}
		}
	}
}

// Two fields of a kind must not share a place, and each has one.
func TestFieldsHaveTheirOwnPlaces(t *testing.T) {
	for _, k := range kinds {
		var r Record
		seen := map[any]string{}
		for _, f := range k.fields {
			var place any = &r.Hash
			switch f.encoding {
			case asNumber:
				place = f.number(&r)
			case asString, asText:
				place = f.text(&r)
			}
			if other, taken := seen[place]; taken {
				t.Errorf("%s: %s and %s share a place", k.name, other, f.name)
			}
			seen[place] = f.name
		}
	}
}

func TestKindNames(t *testing.T) {
	if got := KindInit.String(); got != "init" {
		t.Errorf("KindInit is %q", got)
	}
	if got := Kind(0x99).String(); got != "0x99" {
		t.Errorf("an unknown kind is %q", got)
	}
	if all := Kinds(); len(all) != len(kinds) || all[0] != KindString {
		t.Errorf("Kinds() = %v", all)
	}
}
