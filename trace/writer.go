package trace

import (
	"encoding/binary"
	"fmt"
	"io"
)

// Writer encodes records as a binary trace. It gives every text its number at
// first use, so equal records make equal bytes. Each record is one call of the
// underlying writer: wrap that in a bufio.Writer for long traces.
type Writer struct {
	out     io.Writer
	numbers map[string]uint64
	seq     sequence
	buffer  []byte
	err     error
}

// NewWriter writes the header; its error comes with the first Write.
func NewWriter(w io.Writer) *Writer {
	e := &Writer{out: w, numbers: map[string]uint64{}}
	e.buffer = binary.AppendUvarint([]byte(magic), version)
	e.flush()
	return e
}

// Write appends a record; Offset and Ordinal are ignored. It refuses what a
// Reader would refuse, and string records, which it writes itself. A refused
// record writes nothing, and the next one may be tried.
func (e *Writer) Write(r Record) error {
	if e.err != nil {
		return e.err
	}
	info := kindByTag[r.Kind]
	if info == nil || r.Kind == KindString {
		return fmt.Errorf("write trace: %s records cannot be written", r.Kind)
	}
	if reason := info.reason(&r); reason != "" {
		return fmt.Errorf("write trace: %s record: %s", r.Kind, reason)
	}
	if reason := e.seq.place(&r); reason != "" {
		return fmt.Errorf("write trace: %s record: %s", r.Kind, reason)
	}
	for i := range info.fields {
		if f := &info.fields[i]; f.encoding == asString {
			e.intern(*f.text(&r))
		}
	}
	e.buffer = append(e.buffer, byte(r.Kind))
	for i := range info.fields {
		e.field(&info.fields[i], &r)
	}
	e.flush()
	return e.err
}

func (e *Writer) field(f *field, r *Record) {
	switch f.encoding {
	case asNumber:
		e.buffer = binary.AppendUvarint(e.buffer, *f.number(r))
	case asString:
		e.buffer = binary.AppendUvarint(e.buffer, e.numbers[*f.text(r)])
	case asText:
		e.text(*f.text(r))
	case asHash:
		e.buffer = binary.LittleEndian.AppendUint32(e.buffer, r.Hash)
	}
}

// intern writes the string record of a text that has no number yet.
func (e *Writer) intern(text string) {
	if _, known := e.numbers[text]; known || text == "" {
		return
	}
	e.numbers[text] = uint64(len(e.numbers) + 1)
	e.buffer = append(e.buffer, byte(KindString))
	e.text(text)
}

func (e *Writer) text(text string) {
	e.buffer = binary.AppendUvarint(e.buffer, uint64(len(text)))
	e.buffer = append(e.buffer, text...)
}

func (e *Writer) flush() {
	if _, err := e.out.Write(e.buffer); err != nil {
		e.err = fmt.Errorf("write trace: %w", err)
	}
	e.buffer = e.buffer[:0]
}
