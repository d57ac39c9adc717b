package trace

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestListFiles(t *testing.T) {
	dir := t.TempDir()
	sample := encode(t, sampleTrace()...)
	for _, name := range []string{"trace-900-0.rst", "trace-1000-12.rst", "trace-1000-2.rst", "session.json", "trace-1-0.rst.old", "trace-x-0.rst", "trace--1-0.rst"} {
		if err := os.WriteFile(filepath.Join(dir, name), sample, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "trace-7-0.rst"), 0o755); err != nil {
		t.Fatal(err)
	}
	got, err := ListFiles(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []File{
		{Path: filepath.Join(dir, "trace-900-0.rst"), PID: 900},
		{Path: filepath.Join(dir, "trace-1000-2.rst"), PID: 1000, Thread: 2},
		{Path: filepath.Join(dir, "trace-1000-12.rst"), PID: 1000, Thread: 12},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	r, err := got[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	records, err := all(r)
	if len(records) != len(sampleTrace()) || err != io.EOF {
		t.Errorf("%d records, %v", len(records), err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

func TestListFilesErrors(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	if _, err := ListFiles(missing); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("missing folder: %v", err)
	}
	if _, err := ListFiles(t.TempDir()); !errors.Is(err, ErrNoTraces) {
		t.Errorf("empty folder: %v", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ListFiles(file); err == nil || errors.Is(err, ErrNoTraces) {
		t.Errorf("a file: %v", err)
	}
	if _, err := (File{Path: file}).Open(); !errors.Is(err, ErrTruncated) || !strings.Contains(err.Error(), file) {
		t.Errorf("an empty trace: %v", err)
	}
	if _, err := (File{Path: missing}).Open(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing trace: %v", err)
	}
}
