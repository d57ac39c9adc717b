package trace

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestWriterGivesBackWhatItTook(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := records().Draw(t, "trace")
		got, err := readAll(encode(t, want...))
		if err != io.EOF {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, withoutOffsets(got)); diff != "" && len(want)+len(got) > 0 {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}

func withoutOffsets(records []Record) []Record {
	for i := range records {
		records[i].Offset = 0
	}
	return records
}

// Every text is written once, in the order of first use.
func TestWriterInterns(t *testing.T) {
	file := encode(t,
		Record{Kind: KindObject, ID: 1, Type: "object", Name: "Store"},
		Record{Kind: KindObject, ID: 2, Type: "object", Name: ""},
		Record{Kind: KindObject, ID: 3, Type: "Store", Name: "object"})
	want := raw("\x01\x06object\x01\x05Store", "\x30\x01\x01\x02", "\x30\x02\x01\x00", "\x30\x03\x02\x01")
	if !bytes.Equal(file, want) {
		t.Errorf("got  %q\nwant %q", file, want)
	}
}

func TestWriterRefuses(t *testing.T) {
	tests := []struct {
		name   string
		record Record
		want   string
	}{
		{"string", Record{Kind: KindString, Text: "a"}, "string records cannot be written"},
		{"unknown kind", Record{Kind: 0x99}, "0x99 records cannot be written"},
		{"large number", Record{Kind: KindBefore, ID: 1 << 53}, "more than 53 bits"},
		{"range", Record{Kind: KindFile, Access: 9}, "access is 9, not in 1 to 7"},
		{"not UTF-8", Record{Kind: KindCombine, Type: "\xff"}, "not valid UTF-8"},
		{"long text", Record{Kind: KindLost, Text: strings.Repeat("a", maxText+1)}, "longer than"},
		{"op number", Record{Kind: KindOp, Op: 7}, "op 1 comes next"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var file bytes.Buffer
			w := NewWriter(&file)
			if err := w.Write(test.record); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("err = %v, want %q", err, test.want)
			}
			if err := w.Write(Record{Kind: KindEnd}); err != nil || !bytes.Equal(file.Bytes(), raw("\x05")) {
				t.Errorf("afterwards: %v, %q", err, file.Bytes())
			}
		})
	}
}

type fullDisk struct{ error }

func (d fullDisk) Write([]byte) (int, error) { return 0, d.error }

func TestWriterPassesErrors(t *testing.T) {
	full := errors.New("no space left")
	if err := NewWriter(fullDisk{full}).Write(Record{Kind: KindEnd}); !errors.Is(err, full) {
		t.Errorf("err = %v", err)
	}
}
