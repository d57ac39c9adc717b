package sarif

import (
	"bytes"
	"encoding/json"

	"github.com/owenrumney/go-sarif/v2/sarif"
)

// encode works around what go-sarif v2.3.3 cannot do: it writes null for the
// fields of suppressions and of some other types that have no value, which the
// schema refuses, and it writes < > & as \u003c. Its Report.WriteFile moreover
// does not truncate an old file; ours gives bytes only.
func encode(log *sarif.Report) ([]byte, error) {
	raw, err := json.Marshal(log)
	if err != nil {
		return nil, err
	}
	var tree struct {
		Schema  string `json:"$schema"`
		Version string `json:"version"`
		Runs    any    `json:"runs"`
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber() // numbers keep their digits
	if err := decoder.Decode(&tree); err != nil {
		return nil, err
	}
	tree.Runs = withoutNulls(tree.Runs)
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err = encoder.Encode(tree)
	return out.Bytes(), err
}

// withoutNulls removes the fields of a JSON value that are null, at any depth.
func withoutNulls(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key, field := range v {
			if field == nil {
				delete(v, key)
				continue
			}
			v[key] = withoutNulls(field)
		}
	case []any:
		for i, item := range v {
			v[i] = withoutNulls(item)
		}
	}
	return value
}
