package wholefile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/raceseed/raceseed/internal/wholefile"
)

// content gives the names in a folder with what stands in them.
func content(t *testing.T, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, entry := range entries {
		text := "folder"
		if !entry.IsDir() {
			data, err := os.ReadFile(filepath.Join(folder, entry.Name()))
			if err != nil {
				t.Fatal(err)
			}
			text = string(data)
		}
		all = append(all, entry.Name()+"="+text)
	}
	return strings.Join(all, " ")
}

func seed(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func TestWriteReplaces(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.json")
	for _, text := range []string{"a long first text", "short", ""} {
		if err := wholefile.Write(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got := content(t, folder); got != "a.json="+text {
			t.Errorf("folder holds %q, want only %q", got, "a.json="+text)
		}
	}
}

func TestWriteKeepsModeAndLink(t *testing.T) {
	folder := t.TempDir()
	target, link := filepath.Join(folder, "target"), filepath.Join(folder, "link")
	seed(t, target, "old", 0o600)
	if err := os.Symlink("target", link); err != nil {
		t.Fatal(err)
	}
	if err := wholefile.Write(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(target)
	if err != nil {
		t.Fatal(err)
	}
	if got := content(t, folder); got != "link=new target=new" || info.Mode() != 0o600 {
		t.Errorf("folder holds %q, mode of the target %v", got, info.Mode())
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is no link any more: %v, %v", info, err)
	}
}

func TestWriteErrors(t *testing.T) {
	folder := t.TempDir()
	seed(t, filepath.Join(folder, "file"), "old", 0o644)
	if err := os.Mkdir(filepath.Join(folder, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	before := content(t, folder)
	for _, name := range []string{"missing/a.json", "file/a.json", "sub"} {
		err := wholefile.Write(filepath.Join(folder, name), []byte("new"))
		if err == nil || !strings.Contains(err.Error(), filepath.Base(name)) {
			t.Errorf("Write(%q) = %v, want an error that names the file", name, err)
		}
		if got := content(t, folder); got != before {
			t.Errorf("after Write(%q) the folder holds %q, want %q", name, got, before)
		}
	}
}

// Root may write into a read-only folder, so the law is tested: an error means
// the old file, no error means the new one, and never anything beside it.
func TestWriteInReadOnlyFolder(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.json")
	seed(t, path, "old", 0o644)
	if err := os.Chmod(folder, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(folder, 0o755) })
	want := "a.json=new"
	if err := wholefile.Write(path, []byte("new")); err != nil {
		want = "a.json=old"
	}
	if got := content(t, folder); got != want {
		t.Errorf("folder holds %q, want %q", got, want)
	}
}
