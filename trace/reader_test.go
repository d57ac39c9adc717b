package trace

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// all reads a source up to its error, io.EOF included.
func all(src Source) ([]Record, error) {
	var records []Record
	for {
		r, err := src.Next()
		if err != nil {
			return records, err
		}
		records = append(records, r)
	}
}

func readAll(file []byte) ([]Record, error) {
	r, err := NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	return all(r)
}

// encode makes a binary trace of records.
func encode(tb interface{ Fatal(...any) }, records ...Record) []byte {
	var file bytes.Buffer
	w := NewWriter(&file)
	for _, r := range records {
		if err := w.Write(r); err != nil {
			tb.Fatal(err)
		}
	}
	return file.Bytes()
}

// raw makes a file of the header and bytes as they are.
func raw(parts ...string) []byte { return []byte("RSTR\x01" + strings.Join(parts, "")) }

func TestReader(t *testing.T) {
	file := raw(
		"\x01\x07Timeout",          // string 1
		"\x10\x05\x01\x80\x01\x00", // init id=5 type=1 trigger=128 exec=0
		"\x11\x05",
		"\x40\xc0\xd9\x2a\xec\x00\x01\x02t1\x07", // hold
		"\x12",
		"\x05",
	)
	want := []Record{
		{Kind: KindInit, Offset: 14, Ordinal: 1, ID: 5, Type: "Timeout", Trigger: 128},
		{Kind: KindBefore, Offset: 20, Ordinal: 2, ID: 5},
		{Kind: KindHold, Offset: 22, Hash: 0xec2ad9c0, Side: 1, Text: "t1", Ms: 7},
		{Kind: KindAfter, Offset: 33, Ordinal: 3},
		{Kind: KindEnd, Offset: 34},
	}
	got, err := readAll(file)
	if err != io.EOF {
		t.Fatalf("err = %v, want a clean end", err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReaderHeader(t *testing.T) {
	tests := []struct {
		name, file, want string
		truncated        bool
	}{
		{"empty", "", "empty file: ", true},
		{"half a magic", "RS", "truncated inside its header", true},
		{"no version", "RSTR", "truncated inside its header", true},
		{"text", "process pid=1\n", "not a raceseed trace", false},
		{"short text", "RX", "not a raceseed trace", false},
		{"newer", "RSTR\x02", "made by a newer raceseed", false},
		{"version 0", "RSTR\x00", "version is 0", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := NewReader(strings.NewReader(test.file))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("err = %v, want %q", err, test.want)
			}
			if errors.Is(err, ErrTruncated) != test.truncated {
				t.Errorf("errors.Is(%v, ErrTruncated) = %v", err, !test.truncated)
			}
		})
	}
}

func TestReaderMalformed(t *testing.T) {
	end := "\x05" // the malformed record stands at offset 6
	tests := []struct {
		name, bytes string
		kind        Kind
		reason      string
	}{
		{"unknown tag", "\x99", 0, "unknown tag 0x99"},
		{"tag 0", "\x00", 0, "unknown tag 0x00"},
		{"54 bits", "\x11\x80\x80\x80\x80\x80\x80\x80\x10", KindBefore, "more than 53 bits"},
		{"endless number", "\x11" + strings.Repeat("\xff", 20), KindBefore, "more than 53 bits"},
		{"number of zeros", "\x11" + strings.Repeat("\x80", 10) + "\x01", KindBefore, "more than 53 bits"},
		{"longer than needed", "\x11\x85\x00", KindBefore, "not in its shortest form"},
		{"string not given", "\x14\x01", KindCombine, "kind is string 1, but only 0 were given"},
		{"not UTF-8", "\x01\x02\xff\xfe", KindString, "text is not valid UTF-8"},
		{"text too long", "\x01\x81\x80\x40", KindString, "longer than 1048576 bytes"},
		{"file access 0", "\x22\x00\x00\x00\x00", KindFile, "access is 0, not in 1 to 7"},
		{"file access 8", "\x22\x00\x08\x00\x00", KindFile, "access is 8, not in 1 to 7"},
		{"side 2", "\x41\x00\x00\x00\x00\x02\x00\x00", KindRelease, "side is 2, not in 0 to 1"},
		{"phase 2", "\x26\x02\x00\x00", KindTest, "phase is 2, not in 0 to 1"},
		{"mode 0", "\x02\x01\x00\x00\x00\x00\x00\x00\x00\x00", KindProcess, "mode is 0, not in 1 to 2"},
		{"digest of 33 bits", "\x32\x00\x01\x00\x00\x80\x80\x80\x80\x10", KindWrite, "digest is 4294967296"},
		{"site 2 first", "\x03\x02\x00\x00\x00\x00\x00\x00", KindSite, "id is 2 where site 1 comes next"},
		{"op 0", "\x20\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", KindOp, "op is 0 where op 1 comes next"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := readAll(raw(end, test.bytes))
			var malformed *MalformedError
			if !errors.As(err, &malformed) {
				t.Fatalf("err = %v, want a MalformedError", err)
			}
			if malformed.Offset != 6 || malformed.Kind != test.kind || !strings.Contains(malformed.Reason, test.reason) {
				t.Errorf("got %+v, want offset 6, kind %v, reason %q", malformed, test.kind, test.reason)
			}
		})
	}
}

func TestReaderLargestNumber(t *testing.T) {
	got, err := readAll(raw("\x11\xff\xff\xff\xff\xff\xff\xff\x0f"))
	if err != io.EOF || len(got) != 1 || got[0].ID != 1<<53-1 {
		t.Errorf("got %v, %v", got, err)
	}
}

// The error stays: a caller that goes on reads nothing made up.
func TestReaderErrorStays(t *testing.T) {
	r, err := NewReader(bytes.NewReader(raw("\x99\x05")))
	if err != nil {
		t.Fatal(err)
	}
	_, first := r.Next()
	_, second := r.Next()
	if first == nil || first != second {
		t.Errorf("first %v, then %v", first, second)
	}
}

// Wherever a file is cut, the records before are valid and the rest is
// truncated, never malformed.
func TestReaderTruncation(t *testing.T) {
	file := encode(t, sampleTrace()...)
	whole, _ := readAll(file)
	for n := range len(file) {
		got, err := readAll(file[:n])
		if !slices.EqualFunc(got, whole[:len(got)], func(a, b Record) bool { return a == b }) {
			t.Fatalf("cut at %d: the records before have changed", n)
		}
		if err == io.EOF {
			continue // between two records, string records among them
		}
		var cut *TruncatedError
		if !errors.As(err, &cut) || !errors.Is(err, ErrTruncated) {
			t.Fatalf("cut at %d: err = %v, want truncated", n, err)
		}
		if cut.Offset >= int64(n) && n > 0 || len(got) > 0 && cut.Offset <= got[len(got)-1].Offset {
			t.Errorf("cut at %d: offset %d behind %d records", n, cut.Offset, len(got))
		}
	}
}

// A text that the window does not hold is cut like any other.
func TestReaderTruncatedLongText(t *testing.T) {
	file := encode(t, Record{Kind: KindEnd}, Record{Kind: KindLost, Text: strings.Repeat("x", 2*bufferBytes)})
	for _, n := range []int{100, bufferBytes, bufferBytes + 1, len(file) - 1} {
		got, err := readAll(file[:n])
		var cut *TruncatedError
		if len(got) != 1 || !errors.As(err, &cut) || cut.Offset != 6 {
			t.Errorf("cut at %d: %d records, %v, want offset 6", n, len(got), err)
		}
	}
}

// However the bytes arrive, and however long a text is, the records are the same.
func TestReaderStreams(t *testing.T) {
	records := []Record{}
	for _, size := range []int{0, 1, maxRun - 1, maxRun, bufferBytes - 1, bufferBytes, bufferBytes + 1, 3 * bufferBytes, maxText} {
		long := strings.Repeat("x", size)
		records = append(records,
			Record{Kind: KindLost, Name: "hook" + long[:min(size, maxText-4)], Text: long},
			Record{Kind: KindProcess, PID: 1, Role: long, Node: "20", UV: long, Root: "/", Mode: 1, Pool: 9})
	}
	file := encode(t, records...)
	want, err := readAll(file)
	if err != io.EOF || len(want) != len(records) {
		t.Fatalf("%d records, %v", len(want), err)
	}
	r, err := NewReader(iotest.OneByteReader(bytes.NewReader(file)))
	if err != nil {
		t.Fatal(err)
	}
	got, err := all(r)
	if err != io.EOF || !slices.Equal(got, want) {
		t.Errorf("byte by byte: %d records, %v", len(got), err)
	}
}

// An error of the disk is no truncation.
func TestReaderPassesErrors(t *testing.T) {
	broken := errors.New("disk on fire")
	file := encode(t, sampleTrace()...)
	for n := range len(file) {
		r, err := NewReader(io.MultiReader(bytes.NewReader(file[:n]), iotest.ErrReader(broken)))
		if err == nil {
			_, err = all(r)
		}
		if !errors.Is(err, broken) || errors.Is(err, ErrTruncated) {
			t.Fatalf("broken at %d: err = %v", n, err)
		}
	}
}

func TestReaderAllocatesForStringsOnly(t *testing.T) {
	events := []Record{{Kind: KindInit, ID: 7, Type: "PROMISE"}}
	for range 10_000 {
		events = append(events, Record{Kind: KindBefore, ID: 7}, Record{Kind: KindRead, Key: "count", Object: 1}, Record{Kind: KindAfter})
	}
	file := encode(t, events...)
	got := testing.AllocsPerRun(5, func() {
		if _, err := countAll(file); err != io.EOF {
			t.Fatal(err)
		}
	})
	if got > 20 {
		t.Errorf("%.0f allocations for 30,001 records with 2 strings", got)
	}
}

func countAll(file []byte) (n int, err error) {
	r, err := NewReader(bytes.NewReader(file))
	for err == nil {
		_, err = r.Next()
		n++
	}
	return n, err
}

func TestReaderNeverPanics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		file := encode(t, sampleTrace()...)
		for range rapid.IntRange(1, 5).Draw(t, "changes") {
			at := rapid.IntRange(0, len(file)-1).Draw(t, "at")
			file[at] = rapid.Byte().Draw(t, "byte")
		}
		if _, err := readAll(file); err == nil {
			t.Fatal("reading ended without an error")
		}
	})
}
