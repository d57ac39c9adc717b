package trace

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/raceseed/raceseed/docs"
)

// rowsOf gives the table of a section of docs/schedules.md.
func rowsOf(t *testing.T, heading string) [][]string {
	t.Helper()
	for _, section := range docs.Sections(document(t, "schedules.md")) {
		if section.Heading == heading {
			return docs.Rows(section.Body)
		}
	}
	t.Fatalf("docs/schedules.md has no section %q", heading)
	return nil
}

func TestHashPointIsDocumented(t *testing.T) {
	rows := rowsOf(t, "Hold points")
	if len(rows) < 4 {
		t.Fatalf("only %d test vectors", len(rows))
	}
	for _, row := range rows {
		name := strings.Trim(strings.Replace(row[0], "(empty)", "", 1), "`")
		if got := fmt.Sprintf("%08x", HashPoint(name)); got != row[1] {
			t.Errorf("HashPoint(%q) = %s, documented %s", name, got, row[1])
		}
	}
}

func TestHorizonsAreDocumented(t *testing.T) {
	rows := rowsOf(t, "Horizons")
	if len(rows) != len(horizonForms) {
		t.Fatalf("%d horizons documented, there are %d", len(rows), len(horizonForms))
	}
	for i, row := range rows {
		form := horizonForms[i]
		var bits []string
		for _, part := range strings.Split(row[3], ", ") {
			width, _, _ := strings.Cut(part, " ")
			bits = append(bits, width)
		}
		h, err := ParseHorizon(strings.Trim(row[1], "`"))
		if err != nil {
			t.Error(err)
		}
		if row[0] != string(form.kind) || h.Kind != form.kind || row[2] != strconv.Itoa(i) || strings.Join(bits, "+") != bitsOf(form) {
			t.Errorf("row %q against form %+v", row, form)
		}
	}
}

func bitsOf(form horizonForm) string {
	switch {
	case form.point && form.delay:
		return "32+12"
	case form.point:
		return "32"
	case form.timers:
		return "3"
	case form.delay:
		return "12"
	}
	return ""
}

func TestWitnessesAreDocumented(t *testing.T) {
	rows := rowsOf(t, "Witnesses")
	kinds := map[byte]bool{}
	for _, row := range rows {
		witness := strings.Trim(row[0], "`")
		s, err := ParseWitness(witness)
		if err != nil {
			t.Error(err)
			continue
		}
		var holds []string
		for _, h := range s.Holds {
			kinds[h.Horizon.Kind] = true
			holds = append(holds, fmt.Sprintf("%s %08x %s", h.Side.letter(), h.Point, h.Horizon))
		}
		if got := strings.Join(holds, ", "); got != row[1] {
			t.Errorf("%s is %s, documented %s", witness, got, row[1])
		}
		if again, err := s.Witness(); again != witness {
			t.Errorf("%s comes back as %s, %v", witness, again, err)
		}
	}
	if len(kinds) != len(horizonForms) {
		t.Errorf("%d of %d kinds of horizons have an example", len(kinds), len(horizonForms))
	}
}

func TestSessionIsDocumented(t *testing.T) {
	_, example, _ := strings.Cut(document(t, "schedules.md"), "```json\n")
	example, _, _ = strings.Cut(example, "```")
	if got := sessionText(t, sampleSession()); got != example {
		t.Errorf("got\n%s\ndocumented\n%s", got, example)
	}
}

// The example of the text form is one that the reader takes and gives back.
func TestTextIsDocumented(t *testing.T) {
	_, example, _ := strings.Cut(document(t, "trace-format.md"), "```\n")
	example, _, _ = strings.Cut(example, "```")
	records, _ := all(NewTextReader(strings.NewReader(example)))
	if got := format(records); got != example {
		t.Errorf("got\n%s\ndocumented\n%s", got, example)
	}
	if _, err := Validate(NewTextReader(strings.NewReader(example))); err != nil {
		t.Error(err)
	}
}
