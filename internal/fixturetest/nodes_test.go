package fixturetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNodes demands that the first directed schedules show a race of memory and
// files, in ES modules under node --test, on every supported Node version.
func TestNodes(t *testing.T) {
	bin := raceseed(t)
	nodes, err := filepath.Glob("../../agent/nodes/node_modules/node-*/bin")
	if err != nil || len(nodes) < 4 {
		t.Fatalf("found %d Node versions (%v), want 4: run `make deps`", len(nodes), err)
	}
	for _, f := range fixturesOf(t, "racy") {
		if f.ID != "lost-update" {
			continue
		}
		for _, node := range nodes {
			folder, err := filepath.Abs(node)
			if err != nil {
				t.Fatal(err)
			}
			version := filepath.Base(filepath.Dir(folder))
			t.Run(version, func(t *testing.T) {
				t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
				code, results, out := bin.check(t, copyOf(t, f), f.Cmd, "--runs", "6", "--max-findings", "1", "--budget", "60s", "--seed", "1")
				if major := strings.TrimPrefix(version, "node-"); !strings.HasPrefix(results.Node, "v"+major+".") {
					t.Errorf("ran on Node %s, want %s", results.Node, major)
				}
				if code != 1 || f.race(t, results) == nil {
					t.Errorf("exit code %d, findings:\n%s\n%s", code, describe(results), out)
				}
			})
		}
	}
}
