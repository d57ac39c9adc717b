package baseline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// Encode gives the canonical bytes: known fields in a fixed order, then people's
// own in alphabetical order, two blanks of indent, one newline at the end. Of
// the hand-kept fields only the reason is written when it is empty: it asks to
// be filled in.
func (b *Baseline) Encode() ([]byte, error) {
	data, err := with(b.fields(), b.extra).MarshalJSON()
	var out bytes.Buffer
	if err == nil {
		err = json.Indent(&out, data, "", "  ")
	}
	if err != nil {
		return nil, fmt.Errorf("encode baseline: %w", err)
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// object is a JSON object whose fields keep their order, which maps lose.
type object []field

type field struct {
	name  string
	value any
}

func (b *Baseline) fields() object {
	entries := make([]object, len(b.Entries))
	for i, e := range b.Entries {
		entries[i] = with(e.fields(), e.extra)
	}
	return object{{"version", Version}, {"findings", entries}}
}

// fields are those that we know, in the order of the file; a nil is left out.
func (e Entry) fields() object {
	return object{
		{"fingerprint", e.Fingerprint}, {"rule", e.Rule}, {"a", e.A}, {"b", e.B}, {"test", e.Test}, {"witness", e.Witness},
		{"reason", e.Reason}, {"issue", optional(e.Issue)}, {"expires", optional(e.Expires)}, {"added-by", optional(e.AddedBy)},
	}
}

func optional(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func with(known object, extra map[string]json.RawMessage) object {
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		known = append(known, field{name, extra[name]})
	}
	return known
}

// unknown gives the fields of a JSON object that are not ours.
func unknown(fields map[string]json.RawMessage, known object) map[string]json.RawMessage {
	rest := maps.Clone(fields)
	for _, f := range known {
		delete(rest, f.name)
	}
	return rest
}

// MarshalJSON writes the fields in their order and leaves < > & as they are.
func (o object) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	out.WriteByte('{')
	first := true
	for _, f := range o {
		if f.value == nil {
			continue
		}
		if !first {
			out.WriteByte(',')
		}
		first = false
		if err := encoder.Encode(f.name); err != nil {
			return nil, err
		}
		out.WriteByte(':')
		if err := encoder.Encode(f.value); err != nil {
			return nil, err
		}
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}
