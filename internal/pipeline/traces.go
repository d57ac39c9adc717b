package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/raceseed/raceseed/detect"
	"github.com/raceseed/raceseed/detect/candidate"
	"github.com/raceseed/raceseed/internal/config"
	"github.com/raceseed/raceseed/internal/diag"
	"github.com/raceseed/raceseed/report"
	"github.com/raceseed/raceseed/trace"
)

// analyzeFolder runs the analysis on all trace files of a recording.
func analyzeFolder(dir string) (candidate.Prediction, error) {
	files, err := traceFiles(dir)
	if err != nil {
		return candidate.Prediction{}, err
	}
	var sources []trace.Source
	var empty []string
	for _, file := range files {
		source, closeFile, err := openTrace(file)
		if errors.Is(err, trace.ErrTruncated) {
			empty = append(empty, err.Error())
			continue
		}
		if err != nil {
			return candidate.Prediction{}, err
		}
		defer closeFile()
		sources = append(sources, source)
	}
	prediction, err := detect.Analyze(sources)
	prediction.Lost = append(prediction.Lost, empty...)
	return prediction, err
}

// traceFiles gives the trace files of a folder, or the file itself.
func traceFiles(path string) ([]trace.File, error) {
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return []trace.File{{Path: path}}, nil
	}
	files, err := trace.ListFiles(path)
	if err != nil {
		return nil, diag.Errorf("no recording at %q: %w", path, err).
			Hint("make one: raceseed record -o %s -- npm test", report.Quote(path))
	}
	return files, nil
}

// namedSource puts the file into the errors of a trace and makes them usage
// errors: a corrupt trace is broken input.
type namedSource struct {
	trace.Source
	path string
}

func (s namedSource) Next() (trace.Record, error) {
	record, err := s.Source.Next()
	if err == nil || err == io.EOF {
		return record, err
	}
	return record, traceError(s.path, err)
}

func traceError(path string, err error) error {
	return diag.Errorf("%s: %w", filepath.Base(path), err).
		Hint("what comes before it: raceseed trace dump %s", report.Quote(path)).
		Hint("record again: raceseed record -o DIR -- npm test")
}

// openTrace opens one trace file. The caller closes it.
func openTrace(file trace.File) (source trace.Source, closeFile func() error, err error) {
	reader, err := file.Open()
	if err != nil {
		return nil, nil, traceError(file.Path, err)
	}
	return namedSource{reader, file.Path}, reader.Close, nil
}

// TraceDump prints trace files as text, one record a line.
func TraceDump(_ context.Context, cfg config.Config, out *Output) (int, error) {
	return eachTrace(cfg, out, func(path string, source trace.Source) error {
		if _, err := fmt.Fprintf(out.Results(), "# %s\n", path); err != nil {
			return err
		}
		for {
			record, err := source.Next()
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintln(out.Results(), trace.FormatText(record)); err != nil {
				return err
			}
		}
	})
}

// TraceValidate checks trace files.
func TraceValidate(_ context.Context, cfg config.Config, out *Output) (int, error) {
	return eachTrace(cfg, out, func(path string, source trace.Source) error {
		summary, err := trace.Validate(source)
		if err != nil {
			return traceError(path, err)
		}
		records := uint64(0)
		for _, n := range summary.Counts {
			records += n
		}
		state := "valid"
		if summary.Truncated {
			state = fmt.Sprintf("valid, truncated at offset %d", summary.TruncatedAt)
		}
		_, err = fmt.Fprintf(out.Results(), "%s: %s, %d records, %d events\n", filepath.Base(path), state, records, summary.Events)
		return err
	})
}

// eachTrace visits the trace files of a folder, or one file. A truncated tail
// is what a killed process leaves: it is noted and tolerated.
func eachTrace(cfg config.Config, out *Output, visit func(path string, source trace.Source) error) (int, error) {
	files, err := traceFiles(inDir(cfg, cfg.Args[0]))
	if err != nil {
		return 0, err
	}
	for _, file := range files {
		source, closeFile, err := openTrace(file)
		if err == nil {
			err = errors.Join(visit(file.Path, source), closeFile())
		}
		if errors.Is(err, trace.ErrTruncated) {
			out.Note("%v", err)
			continue
		}
		if err != nil {
			return 0, err
		}
	}
	return diag.ExitClean, nil
}

// inDir makes an operand absolute.
func inDir(cfg config.Config, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(cfg.Dir, path)
}
