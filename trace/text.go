package trace

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

const maxLine = 64 << 20 // bytes: more than a record of the longest texts, all escaped

// FormatText gives the line of a record in the text form, without line end:
// all fields of its kind in the order of the table.
func FormatText(r Record) string {
	info := kindByTag[r.Kind]
	if info == nil {
		return r.Kind.String()
	}
	line := []byte(info.name)
	for i := range info.fields {
		f := &info.fields[i]
		line = append(line, ' ')
		line = append(line, f.name...)
		line = append(line, '=')
		switch f.encoding {
		case asNumber:
			line = strconv.AppendUint(line, *f.number(&r), 10)
		case asHash:
			line = fmt.Appendf(line, "%08x", r.Hash)
		default:
			line = strconv.AppendQuote(line, *f.text(&r))
		}
	}
	return string(line)
}

// TextReader reads the text form as a stream.
type TextReader struct {
	lines *bufio.Scanner
	line  int
	seq   sequence
	err   error
}

// NewTextReader reads nothing yet.
func NewTextReader(r io.Reader) *TextReader {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	return &TextReader{lines: lines}
}

// Line is the number of the line of the last record, from 1.
func (d *TextReader) Line() int { return d.line }

// Next gives the next record. The error is io.EOF at the end, *MalformedError
// with the line if that breaks the format, else that of the underlying reader.
func (d *TextReader) Next() (Record, error) {
	if d.err != nil {
		return Record{}, d.err
	}
	for d.lines.Scan() {
		d.line++
		line := strings.TrimSpace(d.lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		r, reason := parseRecord(line)
		if reason == "" {
			reason = d.seq.place(&r)
		}
		if reason != "" {
			d.err = &MalformedError{Line: d.line, Kind: r.Kind, Reason: reason}
			return Record{}, d.err
		}
		return r, nil
	}
	d.err = io.EOF
	if err := d.lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		d.err = &MalformedError{Line: d.line + 1, Reason: fmt.Sprintf("line is longer than %d bytes", maxLine)}
	} else if err != nil {
		d.err = fmt.Errorf("read trace after line %d: %w", d.line, err)
	}
	return Record{}, d.err
}

// parseRecord reads one line. The reason says what is wrong with it.
func parseRecord(line string) (r Record, reason string) {
	name, rest, _ := strings.Cut(line, " ")
	info := kindByName[name]
	if info == nil {
		return r, fmt.Sprintf("unknown record %q", name)
	}
	r.Kind = info.kind
	if r.Kind == KindString {
		return r, "the text form has strings in place"
	}
	seen := uint64(0)
	for rest = strings.TrimLeft(rest, " \t"); rest != ""; rest = strings.TrimLeft(rest, " \t") {
		fieldName, value, found := strings.Cut(rest, "=")
		i := info.index(fieldName)
		if !found || i < 0 {
			return r, fmt.Sprintf("no field %q", fieldName)
		}
		if seen&(1<<i) != 0 {
			return r, fmt.Sprintf("%s is given twice", fieldName)
		}
		seen |= 1 << i
		if rest, reason = info.fields[i].parse(&r, value); reason != "" {
			return r, reason
		}
	}
	return r, info.reason(&r)
}

// parse reads the value at the beginning of text into its place and gives what
// follows it.
func (f *field) parse(r *Record, text string) (rest, reason string) {
	if f.encoding == asString || f.encoding == asText {
		quoted, err := strconv.QuotedPrefix(text)
		if err != nil || quoted[0] != '"' {
			return "", fmt.Sprintf("%s is not a text in double quotes", f.name)
		}
		*f.text(r), _ = strconv.Unquote(quoted) // QuotedPrefix has checked it
		rest = text[len(quoted):]
		if rest != "" && rest[0] != ' ' && rest[0] != '\t' {
			return "", fmt.Sprintf("no space after %s", f.name)
		}
		return rest, ""
	}
	value := text
	if end := strings.IndexAny(text, " \t"); end >= 0 {
		value, rest = text[:end], text[end:]
	}
	if f.encoding == asHash {
		v, err := parseHash(value)
		if err != nil {
			return "", fmt.Sprintf("%s is %v", f.name, err)
		}
		r.Hash = v
		return rest, ""
	}
	v, err := strconv.ParseUint(value, 10, 64)
	if err != nil {
		return "", fmt.Sprintf("%s is %q, not a number", f.name, value)
	}
	*f.number(r) = v
	return rest, ""
}

func (k *kindInfo) index(name string) int {
	for i := range k.fields {
		if k.fields[i].name == name {
			return i
		}
	}
	return -1
}

// reason says why the fields of r may not stand in a trace, "" if they may.
// Fields that the text form left out are judged like given ones.
func (k *kindInfo) reason(r *Record) string {
	for i := range k.fields {
		f := &k.fields[i]
		reason := ""
		switch f.encoding {
		case asNumber:
			reason = f.numberReason(*f.number(r))
		case asString, asText:
			reason = f.textReason(*f.text(r))
		}
		if reason != "" {
			return reason
		}
	}
	return ""
}
