package trace

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/raceseed/raceseed/internal/golden"
)

func format(records []Record) string {
	var text strings.Builder
	for _, r := range records {
		text.WriteString(FormatText(r) + "\n")
	}
	return text.String()
}

// Binary to text to binary gives the same bytes.
func TestTextRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		file := encode(t, records().Draw(t, "trace")...)
		binary, _ := readAll(file)
		text := format(binary)
		parsed, err := all(NewTextReader(strings.NewReader(text)))
		if err != io.EOF {
			t.Fatalf("%v in:\n%s", err, text)
		}
		if again := encode(t, parsed...); !bytes.Equal(file, again) {
			t.Fatalf("got  %q\nwant %q\ntext:\n%s", again, file, text)
		}
	})
}

func TestFormatText(t *testing.T) {
	golden.Check(t, "testdata/sample.txt", []byte(format(sampleTrace())))
	if got := FormatText(Record{Kind: 0x99}); got != "0x99" {
		t.Errorf("an unknown kind is %q", got)
	}
}

// The stored bytes may only change together with the version of the format.
func TestBinaryGolden(t *testing.T) {
	golden.Check(t, "testdata/trace-4711-0.rst", encode(t, sampleTrace()...))
}

func TestTextReader(t *testing.T) {
	const text = `
# a timer of the main script
process pid=1 mode=1
  init   id=5 type="Timeout # no comment"	exec=1
op hash=0000abcd op=1 point="a \"b\" \u00e9"
`
	want := []Record{
		{Kind: KindProcess, PID: 1, Mode: 1},
		{Kind: KindInit, Ordinal: 1, ID: 5, Type: "Timeout # no comment", Exec: 1},
		{Kind: KindOp, Ordinal: 2, Op: 1, Hash: 0xabcd, Point: "a \"b\" é"},
	}
	r := NewTextReader(strings.NewReader(text))
	for i, line := range []int{3, 4, 5} {
		got, err := r.Next()
		if err != nil || got != want[i] || r.Line() != line {
			t.Errorf("line %d: %+v, %v; want line %d, %+v", r.Line(), got, err, line, want[i])
		}
	}
	for range 2 {
		if _, err := r.Next(); err != io.EOF {
			t.Errorf("at the end: %v", err)
		}
	}
}

func TestTextReaderMalformed(t *testing.T) {
	tests := []struct{ name, line, want string }{
		{"unknown record", "inti id=1", `unknown record "inti"`},
		{"string", `string text="a"`, "strings in place"},
		{"unknown field", "before ident=1", `no field "ident"`},
		{"field without value", "before id", `no field "id"`},
		{"field twice", "before id=1 id=1", "id is given twice"},
		{"no number", "before id=x", `id is "x", not a number`},
		{"negative", "before id=-1", `id is "-1", not a number`},
		{"empty number", "before id= ", `id is "", not a number`},
		{"54 bits", "before id=9007199254740992", "more than 53 bits"},
		{"range", "file access=8", "access is 8, not in 1 to 7"},
		{"range of a missing field", "file op=0", "access is 0, not in 1 to 7"},
		{"no quotes", "combine kind=all", "kind is not a text in double quotes"},
		{"raw quotes", "combine kind=`all`", "kind is not a text in double quotes"},
		{"open quotes", `combine kind="all`, "kind is not a text in double quotes"},
		{"no space", `object kind="scope"id=1`, "no space after kind"},
		{"not UTF-8", `combine kind="\xff"`, "kind is not valid UTF-8"},
		{"short hash", "op op=1 hash=abc", `hash is "abc", not 8 lower-case hex digits`},
		{"hash with sign", "op op=1 hash=+0000abc", "not 8 lower-case hex digits"},
		{"upper-case hash", "op op=1 hash=0000ABCD", "not 8 lower-case hex digits"},
		{"op number", "op op=2", "op 1 comes next"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := all(NewTextReader(strings.NewReader("# first\nend\n" + test.line + "\n")))
			var malformed *MalformedError
			if !errors.As(err, &malformed) || malformed.Line != 3 || !strings.Contains(malformed.Reason, test.want) {
				t.Fatalf("err = %v, want line 3, %q", err, test.want)
			}
			if !strings.HasPrefix(err.Error(), "malformed trace at line 3: ") {
				t.Errorf("err = %v", err)
			}
		})
	}
}
