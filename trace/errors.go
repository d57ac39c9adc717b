package trace

import (
	"errors"
	"fmt"
)

// ErrTruncated is what errors.Is finds in the error for a file that ends inside
// a record or its header. Every record before is valid.
var ErrTruncated = errors.New("trace is truncated")

// TruncatedError is ErrTruncated with its place.
type TruncatedError struct {
	Offset int64 // of the record that is cut, in bytes
}

func (e *TruncatedError) Error() string {
	if e.Offset == 0 {
		return "trace is truncated inside its header: the process was killed before it wrote a record"
	}
	return fmt.Sprintf("trace is truncated: the record at offset %d is cut", e.Offset)
}

// Is makes errors.Is(err, ErrTruncated) true.
func (e *TruncatedError) Is(target error) bool { return target == ErrTruncated }

// MalformedError is a trace that breaks docs/trace-format.md.
type MalformedError struct {
	Offset int64 // of the record in bytes; 0 in text
	Line   int   // of the record in text, from 1; 0 in a binary trace
	Kind   Kind  // of the record; 0 if it is not known
	Reason string
}

func (e *MalformedError) Error() string {
	place := fmt.Sprintf("offset %d", e.Offset)
	if e.Line > 0 {
		place = fmt.Sprintf("line %d", e.Line)
	}
	if e.Kind == 0 {
		return fmt.Sprintf("malformed trace at %s: %s", place, e.Reason)
	}
	return fmt.Sprintf("malformed trace at %s: %s record: %s", place, e.Kind, e.Reason)
}
