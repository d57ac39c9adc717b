// Package wholefile writes a file as a whole or not at all. It takes a path and
// bytes; whoever reads the path meanwhile, or after a crash, finds the old file
// or the new one, never a piece of either. It never creates folders.
package wholefile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

const defaultMode = 0o644 // before the umask

// Write puts data into the file at path: a temporary file in the same folder is
// filled, flushed to the disk and renamed. After an error the old file is as it
// was and the temporary one is gone. The mode of an old file is kept; a
// symbolic link stays one, its target is replaced.
func Write(path string, data []byte) error {
	mode := fs.FileMode(defaultMode)
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
		if info, err := os.Stat(path); err == nil {
			mode = info.Mode().Perm()
		}
	}
	file, err := createBeside(path, mode)
	if err != nil {
		return fmt.Errorf("write %q: %w", path, err)
	}
	err = fill(file, data)
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		// The first error is the one that says what went wrong.
		_ = os.Remove(file.Name())
		return fmt.Errorf("write %q: %w", path, err)
	}
	return nil
}

// createBeside opens a new file next to path. os.CreateTemp would ignore the
// umask: results must be readable for the same people as any other output.
func createBeside(path string, mode fs.FileMode) (*os.File, error) {
	for {
		name := fmt.Sprintf("%s.%08x.tmp", path, rand.Uint32())
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
}

func fill(file *os.File, data []byte) error {
	_, err := file.Write(data)
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}
