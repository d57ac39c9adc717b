package baseline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/raceseed/raceseed/internal/diag"
	"github.com/raceseed/raceseed/internal/wholefile"
)

// Load reads a baseline. A missing file is an error that wraps fs.ErrNotExist; a
// malformed one says line and column.
func Load(path string) (*Baseline, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, diag.Errorf("there is no baseline %q: %w", path, err).Hint("make one: raceseed baseline create")
	}
	if err != nil {
		return nil, diag.Errorf("read baseline: %w", err)
	}
	return parse(path, data)
}

// Save writes the baseline in its canonical form, as a whole or not at all.
func (b *Baseline) Save(path string) error {
	data, err := b.Encode()
	if err != nil {
		return err
	}
	return wholefile.Write(path, data)
}

// content is the file as it is checked: the types of all fields that we know.
type content struct {
	Version  *int    `json:"version"`
	Findings []Entry `json:"findings"`
}

func parse(path string, data []byte) (*Baseline, error) {
	if at := bytes.Index(data, []byte("<<<<<<<")); at >= 0 {
		return nil, malformed(path, data, at, "there is an unresolved merge conflict").
			Hint("keep the entries of both sides, then run raceseed baseline update to sort them")
	}
	var c content
	if err := json.Unmarshal(data, &c); err != nil {
		return nil, malformed(path, data, offset(err, data), describe(err))
	}
	if c.Version == nil || *c.Version != Version {
		return nil, malformed(path, data, 0, versionProblem(c.Version)).
			Hint("this raceseed reads and writes version %d", Version)
	}
	// What people added beside the fields that we know is kept as it is written.
	var raw struct {
		top     map[string]json.RawMessage
		entries []map[string]json.RawMessage
	}
	err := json.Unmarshal(data, &raw.top)
	if err == nil && raw.top["findings"] != nil {
		err = json.Unmarshal(raw.top["findings"], &raw.entries)
	}
	if err != nil {
		return nil, malformed(path, data, offset(err, data), describe(err))
	}
	if len(raw.entries) != len(c.Findings) {
		return nil, malformed(path, data, 0, `the name "findings" is not written in small letters`)
	}
	b := &Baseline{Entries: c.Findings}
	b.extra = unknown(raw.top, b.fields())
	for i, e := range b.Entries {
		b.Entries[i].extra = unknown(raw.entries[i], e.fields())
	}
	return b, nil
}

func versionProblem(version *int) string {
	if version == nil {
		return "there is no version"
	}
	return fmt.Sprintf("version %d is unknown", *version)
}

// malformed makes an error of the form path:line:column: problem.
func malformed(path string, data []byte, at int, problem string) *diag.Error {
	before := data[:min(max(at, 0), len(data))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := len(bytes.Runes(before[bytes.LastIndexByte(before, '\n')+1:])) + 1
	return diag.Errorf("%s:%d:%d: malformed baseline: %s", path, line, column, problem).
		Hint("repair the file by hand, or restore it from version control; docs/baseline.md describes it")
}

// offset gives the byte that a JSON error points at. encoding/json counts the
// bytes read, so the faulty one is the last of them.
func offset(err error, data []byte) int {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		if int(syntax.Offset) >= len(data) {
			return len(data)
		}
		return int(syntax.Offset) - 1
	}
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return int(kind.Offset) - 1
	}
	return 0
}

func describe(err error) string {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) && kind.Field != "" {
		return fmt.Sprintf("%s is a %s, not a %s", kind.Field, kind.Value, kind.Type)
	}
	return err.Error()
}
