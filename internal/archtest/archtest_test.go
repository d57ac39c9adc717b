package archtest

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/raceseed/raceseed/"

// maxLines of a source file, Go and agent alike (CONTRIBUTING.md, house style).
const maxLines = 450

// imports says which of our packages a package may import; test files may also
// import any package of ours. The order is that of the data: what stands lower
// may know what stands higher, never the other way round.
var imports = map[string][]string{
	"agent":              {}, // the JavaScript must not depend on how it is used
	"agent/bundle":       {},
	"trace":              {}, // the format: shared by all, so it knows nobody
	"finding":            {}, // the one type that detect gives and report takes
	"docs":               {}, // texts for explain and SARIF
	"internal/diag":      {},
	"internal/term":      {},
	"internal/wholefile": {},
	"internal/config":    {"internal/diag"},
	"runner":             {"agent", "internal/diag", "trace"}, // never detect: it runs, it does not judge

	"detect/candidate": {"finding", "trace"},
	"detect/hb":        {"trace"}, // decides order and does not know what a race is
	"detect/race":      {"detect/candidate", "detect/hb", "finding", "trace"},
	"detect/atomicity": {"detect/candidate", "detect/hb", "detect/race", "finding", "trace"},
	"detect/classify":  {"detect/candidate", "detect/hb", "detect/race", "finding", "trace"},
	"detect/direct":    {"detect/candidate", "detect/hb", "detect/race", "finding", "trace"},
	"detect/witness":   {"detect/candidate", "finding", "trace"}, // starts no process: it asks an Executor
	"detect": {"detect/atomicity", "detect/candidate", "detect/classify", "detect/direct", "detect/hb", "detect/race",
		"finding", "trace"},

	"report":          {"docs", "finding"}, // report/… knows findings, never how they were found
	"report/baseline": {"finding", "internal/diag", "internal/wholefile"},
	"report/json":     {"finding", "internal/diag"},
	"report/sarif":    {"finding", "internal/term", "report"},
	"report/text":     {"finding", "internal/term", "report"},

	// the only place that joins them
	"internal/pipeline": {"agent", "detect", "detect/candidate", "detect/witness", "finding", "internal/config",
		"internal/diag", "internal/term", "internal/wholefile", "report", "report/baseline", "report/json",
		"report/sarif", "report/text", "runner", "trace"},
	"cmd/raceseed": {"internal/config", "internal/diag", "internal/pipeline"},

	"bench":                {}, // benchmarks only
	"internal/archtest":    {},
	"internal/fixturetest": {},
	"internal/golden":      {}, // imported by tests only
}

// modules says which packages may import a third-party module outside of tests;
// a module without packages is for tests only.
var modules = map[string][]string{
	"github.com/evanw/esbuild":                 {"agent/bundle"},
	"github.com/owenrumney/go-sarif/v2":        {"report/sarif"},
	"golang.org/x/sync":                        {"internal/pipeline"},
	"golang.org/x/term":                        {"internal/term"},
	"github.com/google/go-cmp":                 {"internal/golden"},
	"github.com/rogpeppe/go-internal":          {},
	"github.com/santhosh-tekuri/jsonschema/v6": {},
	"go.uber.org/goleak":                       {},
	"pgregory.net/rapid":                       {},
}

// exits are the packages with a main function: only they may end the process.
var exits = []string{"agent/bundle", "cmd/raceseed"}

type source struct {
	path string // relative to the root, with "/"
	pkg  string
	test bool
	file *ast.File
}

func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// walk calls visit for every file of ours. It reads the folders itself: a test
// that asks `go list` is cached and misses violations.
func walk(t *testing.T, visit func(path string, data func() []byte)) {
	t.Helper()
	root := root(t)
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := filepath.ToSlash(strings.TrimPrefix(strings.TrimPrefix(path, root), string(filepath.Separator)))
		if entry.IsDir() {
			if name := entry.Name(); rel != "" && (name == "node_modules" || name[0] == '.' || name == "testdata" || rel == "fixtures" || rel == "bin" || rel == "agent/dist") {
				return fs.SkipDir
			}
			return nil
		}
		visit(rel, func() []byte {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			return data
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	walk(t, func(path string, data func() []byte) {
		if !strings.HasSuffix(path, ".go") {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, data(), parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, source{path, filepath.ToSlash(filepath.Dir(path)), strings.HasSuffix(path, "_test.go"), file})
	})
	if len(all) < 20 {
		t.Fatalf("found only %d Go files: is the root right?", len(all))
	}
	return all
}

func TestImports(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range sources(t) {
		allowed, known := imports[s.pkg]
		if !known {
			t.Errorf("%s: package %q is not in the table of internal/archtest: say there what it may import", s.path, s.pkg)
			continue
		}
		seen[s.pkg] = true
		if s.test {
			continue
		}
		for _, spec := range s.file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if own, ok := strings.CutPrefix(path, module); ok {
				if !slices.Contains(allowed, own) {
					t.Errorf("%s imports %q: %q may import only %q", s.path, own, s.pkg, allowed)
				}
			} else if err := thirdParty(s.pkg, path); err != nil {
				t.Errorf("%s: %v", s.path, err)
			}
		}
	}
	for pkg := range imports {
		if !seen[pkg] {
			t.Errorf("the table names %q, which does not exist", pkg)
		}
	}
}

func thirdParty(pkg, path string) error {
	if first, _, _ := strings.Cut(path, "/"); !strings.Contains(first, ".") {
		return nil // standard library
	}
	for module, allowed := range modules {
		if path == module || strings.HasPrefix(path, module+"/") {
			if !slices.Contains(allowed, pkg) {
				return fmt.Errorf("imports %q: only %q may", path, allowed)
			}
			return nil
		}
	}
	return fmt.Errorf("imports %q, a module that the table does not name", path)
}

func TestPackageDocs(t *testing.T) {
	documented := map[string]bool{}
	for _, s := range sources(t) {
		if !s.test {
			documented[s.pkg] = documented[s.pkg] || s.file.Doc.Text() != ""
		}
	}
	for pkg, ok := range documented {
		if !ok {
			t.Errorf("package %s has no comment that says what it takes, gives and never does", pkg)
		}
	}
}

func TestOnlyMainExits(t *testing.T) {
	for _, s := range sources(t) {
		if slices.Contains(exits, s.pkg) && strings.HasSuffix(s.path, "/main.go") {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if call, ok := n.(*ast.SelectorExpr); ok {
				if pkg, ok := call.X.(*ast.Ident); ok {
					switch name := pkg.Name + "." + call.Sel.Name; name {
					case "os.Exit", "log.Fatal", "log.Fatalf", "log.Fatalln":
						t.Errorf("%s calls %s: return an exit code instead", s.path, name)
					}
				}
			}
			return true
		})
	}
}

func TestFileLength(t *testing.T) {
	walk(t, func(path string, data func() []byte) {
		if !strings.HasSuffix(path, ".go") && !(strings.HasPrefix(path, "agent/") && strings.HasSuffix(path, "js")) {
			return
		}
		if n := bytes.Count(data(), []byte("\n")); n > maxLines {
			t.Errorf("%s has %d lines, more than %d: split it by what its parts do", path, n, maxLines)
		}
	})
}

// Every direct dependency has its reason in CONTRIBUTING.md.
func TestDependenciesAreExplained(t *testing.T) {
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(root(t), name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	contributing := read("CONTRIBUTING.md")
	direct := regexp.MustCompile(`(?m)^\t(\S+\.\S+/\S+) v\S+$`).FindAllStringSubmatch(read("go.mod"), -1)
	if len(direct) == 0 {
		t.Fatal("go.mod names no dependency: is the pattern right?")
	}
	for _, match := range direct {
		name := match[1]
		if _, ok := modules[name]; !ok {
			t.Errorf("go.mod requires %s, which the table of modules does not name", name)
		}
		if !strings.Contains(contributing, "`"+name+"`") {
			t.Errorf("CONTRIBUTING.md does not say why we depend on %s", name)
		}
	}
}
