package trace

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
)

const (
	magic   = "RSTR"
	version = 1

	bufferBytes = 1 << 16
	maxRun      = 128 // bytes: no run of fields between two texts is longer
)

// Source gives the records of one trace in order; io.EOF is its clean end.
// After any error the source is finished and gives the same error again.
type Source interface {
	Next() (Record, error)
}

// Reader decodes a binary trace as a stream. It keeps nothing but the strings
// that the trace gives.
type Reader struct {
	in     *bufio.Reader
	window []byte   // what is buffered, from base on
	at     int      // in window
	base   int64    // offset of the window in the file
	ended  error    // why nothing comes behind the window, nil if something may
	texts  []string // by number, from 1
	seq    sequence
	record Record // kept here so that accessors of fields do not make it escape
	err    error
}

// NewReader reads the header. Errors: *TruncatedError for an empty or cut
// header; otherwise plain text that says what the file is instead.
func NewReader(r io.Reader) (*Reader, error) {
	d := &Reader{in: bufio.NewReaderSize(r, bufferBytes)}
	d.fill()
	switch head := string(d.window); {
	case head == "" && d.ended == io.EOF:
		return nil, fmt.Errorf("empty file: %w", d.cut())
	case len(head) < len(magic) && strings.HasPrefix(magic, head):
		return nil, d.cut()
	case !strings.HasPrefix(head, magic):
		return nil, fmt.Errorf("not a raceseed trace: it does not begin with %q", magic)
	}
	d.at = len(magic)
	v, err := d.number()
	switch {
	case err != nil:
		return nil, err
	case v > version:
		return nil, fmt.Errorf("trace version %d was made by a newer raceseed: update this one, which reads version %d", v, version)
	case v < version:
		return nil, d.malformed(fmt.Sprintf("version is %d", v))
	}
	return d, nil
}

// Next gives the next record. The error is io.EOF at the clean end of the file,
// *TruncatedError if the file ends inside a record, *MalformedError if the
// record breaks the format, else that of the underlying reader with the offset.
func (d *Reader) Next() (Record, error) {
	for d.err == nil {
		if d.err = d.decode(); d.err != nil {
			break
		}
		if d.record.Kind != KindString {
			return d.record, nil
		}
		d.texts = append(d.texts, d.record.Text)
	}
	return Record{}, d.err
}

// decode reads one record into d.record.
func (d *Reader) decode() error {
	d.fill()
	if d.at == len(d.window) {
		if d.ended == io.EOF {
			return io.EOF
		}
		return d.unreadable()
	}
	tag := d.window[d.at]
	d.record = Record{Kind: Kind(tag), Offset: d.offset()}
	d.at++
	info := kindByTag[tag]
	if info == nil {
		d.record.Kind = 0
		return d.malformed(fmt.Sprintf("unknown tag 0x%02x", tag))
	}
	for i := range info.fields {
		if err := d.field(&info.fields[i]); err != nil {
			return err
		}
	}
	if reason := d.seq.place(&d.record); reason != "" {
		return d.malformed(reason)
	}
	return nil
}

// field decodes one field into its place.
func (d *Reader) field(f *field) error {
	if f.encoding == asHash {
		if len(d.window)-d.at < 4 {
			return d.cut()
		}
		d.record.Hash = binary.LittleEndian.Uint32(d.window[d.at:])
		d.at += 4
		return nil
	}
	v, err := d.number()
	if err != nil {
		return err
	}
	switch f.encoding {
	case asNumber:
		if v < f.min || v > f.max {
			return d.malformed(f.numberReason(v))
		}
		*f.number(&d.record) = v
	case asString:
		if v == 0 {
			return nil
		}
		if v > uint64(len(d.texts)) {
			return d.malformed(fmt.Sprintf("%s is string %d, but only %d were given", f.name, v, len(d.texts)))
		}
		*f.text(&d.record) = d.texts[v-1]
	case asText:
		return d.text(f, v)
	}
	return nil
}

// number decodes an unsigned LEB128 number; most are one byte long.
func (d *Reader) number() (uint64, error) {
	if d.at < len(d.window) && d.window[d.at] < 0x80 {
		d.at++
		return uint64(d.window[d.at-1]), nil
	}
	var v uint64
	for i, b := range d.window[d.at:] {
		v |= uint64(b&0x7f) << (7 * i)
		switch {
		case v > maxNumber, i == 7 && b >= 0x80:
			return 0, d.malformed("a number is more than 53 bits long")
		case b == 0:
			return 0, d.malformed("a number is not in its shortest form")
		case b < 0x80:
			d.at += i + 1
			return v, nil
		}
	}
	return 0, d.cut()
}

// text decodes the n bytes of a text.
func (d *Reader) text(f *field, n uint64) error {
	if n > maxText {
		return d.malformed(f.tooLong())
	}
	var value string
	if size := int(n); size <= len(d.window)-d.at {
		value = string(d.window[d.at : d.at+size])
		d.at += size
	} else {
		if d.ended != nil {
			return d.cut()
		}
		long, err := d.longText(size)
		if err != nil {
			return err
		}
		value = long
	}
	if reason := f.textReason(value); reason != "" {
		return d.malformed(reason)
	}
	*f.text(&d.record) = value
	d.fill()
	return nil
}

// longText reads a text that reaches beyond the window.
func (d *Reader) longText(size int) (string, error) {
	d.in.Discard(d.at) // only bytes of the window: it cannot fail
	value := make([]byte, size)
	n, err := io.ReadFull(d.in, value)
	d.base += int64(d.at + n)
	d.window, d.at = nil, 0
	if err != nil {
		d.ended = err
		if err == io.ErrUnexpectedEOF {
			d.ended = io.EOF
		}
		return "", d.cut()
	}
	return string(value), nil
}

// fill makes maxRun bytes stand in the window if the file has them.
func (d *Reader) fill() {
	if len(d.window)-d.at >= maxRun || d.ended != nil {
		return
	}
	d.in.Discard(d.at) // only bytes of the window: it cannot fail
	d.base += int64(d.at)
	d.at = 0
	_, d.ended = d.in.Peek(maxRun)
	d.window, _ = d.in.Peek(d.in.Buffered())
}

func (d *Reader) offset() int64 { return d.base + int64(d.at) }

// cut is the error for a record that the file does not have whole.
func (d *Reader) cut() error {
	if d.ended == io.EOF {
		return &TruncatedError{Offset: d.record.Offset}
	}
	return d.unreadable()
}

func (d *Reader) unreadable() error {
	return fmt.Errorf("read trace at offset %d: %w", d.offset(), d.ended)
}

func (d *Reader) malformed(reason string) error {
	return &MalformedError{Offset: d.record.Offset, Kind: d.record.Kind, Reason: reason}
}
