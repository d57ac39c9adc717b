package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The same sources give the same bytes, and the licence of what is bundled stays in.
func TestBundleIsDeterministic(t *testing.T) {
	t.Chdir("../..")
	var last []byte
	for i := range 2 {
		out := filepath.Join(t.TempDir(), "agent.cjs")
		if err := bundle("agent/src/main.cjs", out); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 && !bytes.Equal(last, data) {
			t.Error("two builds of the same sources differ")
		}
		last = data
	}
	if !bytes.Contains(last, []byte("Copyright (C) 2012-2022 by various contributors")) {
		t.Error("the licence of acorn is missing")
	}
	if folder, err := filepath.Abs("."); err != nil || bytes.Contains(last, []byte(folder)) {
		t.Errorf("the bundle names the folder it was built in (%v)", err)
	}
}
