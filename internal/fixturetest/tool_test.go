package fixturetest

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/report/json"
)

// full reports whether the long tests were asked for.
func full() bool { return os.Getenv("RACESEED_FULL") != "" }

// tool is a raceseed binary.
type tool string

// raceseed gives the binary that RACESEED_BIN names, or builds one.
func raceseed(t *testing.T) tool {
	t.Helper()
	if named := os.Getenv("RACESEED_BIN"); named != "" {
		path, err := filepath.Abs(named)
		if err != nil {
			t.Fatal(err)
		}
		return tool(path)
	}
	path := filepath.Join(t.TempDir(), "raceseed")
	build := exec.Command("go", "build", "-o", path, "./cmd/raceseed")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return tool(path)
}

// run starts raceseed in dir and gives its exit code and all its output.
func (r tool) run(t *testing.T, dir string, args ...string) (int, string) {
	t.Helper()
	// More than any command below takes; it only keeps a hanging one from hiding the other results.
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	cmd := exec.CommandContext(ctx, string(r), args...)
	cmd.Dir = dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("raceseed %v: %v", args, err)
	}
	return cmd.ProcessState.ExitCode(), out.String()
}

// check runs `raceseed check` with flags on a test command and gives its exit
// code, its results and its output.
func (r tool) check(t *testing.T, dir string, command []string, flags ...string) (int, finding.Results, string) {
	t.Helper()
	// What an earlier check left would be taken for the results of this one.
	if err := os.RemoveAll(filepath.Join(dir, ".raceseed")); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"check"}, flags...)
	args = append(append(args, "--"), command...)
	code, out := r.run(t, dir, args...)
	file, err := os.Open(filepath.Join(dir, ".raceseed", "results.json"))
	if err != nil {
		t.Fatalf("exit code %d and no results: %v\n%s", code, err, out)
	}
	defer file.Close()
	results, err := json.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return code, results, out
}

// copyOf copies a fixture with its installed packages into a temporary folder.
func copyOf(t *testing.T, f fixture) string {
	t.Helper()
	if _, err := os.Stat(filepath.Join(f.dir, "package-lock.json")); err == nil {
		if _, err := os.Stat(filepath.Join(f.dir, "node_modules")); err != nil {
			t.Fatalf("%s: packages are not installed, run `make deps`: %v", f.name(), err)
		}
	}
	dir := filepath.Join(t.TempDir(), f.ID)
	// cp keeps the links of node_modules/.bin, which os.CopyFS refuses when they lead upward.
	if out, err := exec.Command("cp", "-R", f.dir, dir).CombinedOutput(); err != nil {
		t.Fatalf("cp: %v\n%s", err, out)
	}
	return dir
}
