package trace

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
)

// What the reader takes, the writer writes and the text form says.
func FuzzReader(f *testing.F) {
	f.Fuzz(func(t *testing.T, file []byte) {
		records, _ := readAll(file)
		want := withoutOffsets(records)
		got, err := readAll(encode(t, want...))
		if err != io.EOF || !slices.Equal(withoutOffsets(got), want) {
			t.Errorf("written again: %v, %v, want %v", got, err, want)
		}
		got, err = all(NewTextReader(strings.NewReader(format(want))))
		if err != io.EOF || !slices.Equal(got, want) {
			t.Errorf("as text: %v, %v, want %v", got, err, want)
		}
		if r, err := NewReader(bytes.NewReader(file)); err == nil {
			Validate(r) // must not panic
		}
		if r, err := NewReader(bytes.NewReader(file)); err == nil {
			ReadReleases(r) // must not panic
		}
	})
}

// What the reader of the text form takes comes back from its usual form.
func FuzzTextReader(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		records, _ := all(NewTextReader(strings.NewReader(text)))
		got, err := all(NewTextReader(strings.NewReader(format(records))))
		if err != io.EOF || !slices.Equal(got, records) {
			t.Errorf("%v, %v, want %v", got, err, records)
		}
	})
}

// What is taken as a witness is the witness of its schedule.
func FuzzParseWitness(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseWitness(text)
		if err != nil {
			return
		}
		if got, err := s.Witness(); err != nil || got != usual(text) {
			t.Errorf("%q is the witness of %+v, which has %q, %v", text, s, got, err)
		}
		for _, h := range s.Holds {
			if back, err := ParseHorizon(h.Horizon.String()); err != nil || back != h.Horizon {
				t.Errorf("horizon %v comes back as %v, %v", h.Horizon, back, err)
			}
		}
	})
}
