package fixturetest

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// folder of the fixtures, seen from this package.
const folder = "../../fixtures"

// fixture is a case.json and where it was read.
type fixture struct {
	ID           string   `json:"id"`
	Twin         string   `json:"twin"`          // racy, fixed: the folder of the other one
	Package      string   `json:"package"`       // real: name@version of the package with the race
	Runner       string   `json:"runner"`        // node, node:test, mocha; with ", ESM"
	Cmd          []string `json:"cmd"`           // the test command
	FixedCmd     []string `json:"fixed_cmd"`     // real: the test without the race
	Rules        []string `json:"rules"`         // one of them must be the rule of the finding
	FailureRegex string   `json:"failure_regex"` // matches the output when the race has struck
	Race         string   `json:"race"`          // what goes wrong
	Repair       string   `json:"repair"`        // why the fixed test cannot fail
	KnownPlaces  []string `json:"known_places"`  // real: path:line in the package, instead of marks
	Seeds        int      `json:"seeds"`         // random seeds that a fixed test must stand

	group string // racy, fixed, real
	dir   string
}

func (f fixture) name() string { return f.group + "/" + f.ID }

// fixturesOf reads the case.json files of a group, sorted by folder.
func fixturesOf(t *testing.T, group string) []fixture {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(folder, group))
	if err != nil {
		t.Fatal(err)
	}
	var all []fixture
	for _, entry := range entries {
		f := fixture{group: group, dir: filepath.Join(folder, group, entry.Name())}
		file, err := os.Open(filepath.Join(f.dir, "case.json"))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		decoder := json.NewDecoder(file)
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&f); err != nil {
			t.Fatalf("%s: %v", file.Name(), err)
		}
		if f.ID != entry.Name() {
			t.Errorf("%s: id %q, want the name of the folder", file.Name(), f.ID)
		}
		all = append(all, f)
	}
	if len(all) == 0 {
		t.Fatalf("no fixtures in %s/%s", folder, group)
	}
	return all
}

var mark = regexp.MustCompile(`// race: \S+ \S+`)

// places are the lines, as path:line, where the race of f happens: those with a
// mark `// race: <access> <what>`, and the known places of a package.
func (f fixture) places(t *testing.T) []string {
	t.Helper()
	places := slices.Clone(f.KnownPlaces)
	for _, path := range f.sources(t) {
		for i, line := range strings.Split(f.read(t, path), "\n") {
			if mark.MatchString(line) {
				places = append(places, fmt.Sprintf("%s:%d", path, i+1))
			}
		}
	}
	return places
}

// sources are the JavaScript files of f itself, relative to its folder.
func (f fixture) sources(t *testing.T) []string {
	t.Helper()
	var paths []string
	err := fs.WalkDir(os.DirFS(f.dir), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == ".raceseed") {
			return fs.SkipDir
		}
		if ext := filepath.Ext(path); ext == ".js" || ext == ".mjs" {
			paths = append(paths, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func (f fixture) read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(f.dir, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
