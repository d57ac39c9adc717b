package trace

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

// ErrNoTraces is what errors.Is finds in the error for a session folder without
// trace files: no Node process of the run had the agent.
var ErrNoTraces = errors.New("no trace files")

// File is one trace file of a session folder.
type File struct {
	Path   string
	PID    int
	Thread int // 0 is the main thread
}

var fileName = regexp.MustCompile(`^trace-(\d{1,18})-(\d{1,18})\.rst$`)

// ListFiles gives the trace files of a session folder by process and thread.
func ListFiles(dir string) ([]File, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("session folder %q does not exist: %w", dir, err)
	}
	if err != nil {
		return nil, fmt.Errorf("read session folder: %w", err)
	}
	var files []File
	for _, entry := range entries {
		parts := fileName.FindStringSubmatch(entry.Name())
		if parts == nil || entry.IsDir() {
			continue
		}
		file := File{Path: filepath.Join(dir, entry.Name())}
		file.PID, _ = strconv.Atoi(parts[1]) // up to 18 digits: they fit
		file.Thread, _ = strconv.Atoi(parts[2])
		files = append(files, file)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%w in session folder %q: was the test command a Node.js program?", ErrNoTraces, dir)
	}
	slices.SortFunc(files, func(a, b File) int {
		return cmp.Or(cmp.Compare(a.PID, b.PID), cmp.Compare(a.Thread, b.Thread))
	})
	return files, nil
}

// FileReader is a Reader that closes its file.
type FileReader struct {
	*Reader
	file *os.File
}

// Close ends the reading.
func (r *FileReader) Close() error { return r.file.Close() }

// Open reads the header of the file. The errors are those of NewReader, with
// the path; ErrTruncated among them for a file that has nothing yet.
func (f File) Open() (*FileReader, error) {
	file, err := os.Open(f.Path)
	if err != nil {
		return nil, fmt.Errorf("open trace: %w", err)
	}
	reader, err := NewReader(file)
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("open trace %s: %w", f.Path, err)
	}
	return &FileReader{Reader: reader, file: file}, nil
}
