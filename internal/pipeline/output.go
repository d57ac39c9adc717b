package pipeline

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/raceseed/raceseed/detect/witness"
	"github.com/raceseed/raceseed/internal/diag"
	"github.com/raceseed/raceseed/internal/term"
)

// Output is where people and scripts read: results on Out, all else on Err.
type Output struct {
	Out, Err io.Writer
	Color    bool
	progress *term.Progress
}

// NewOutput decides colour and progress by what the writers are: both need a
// terminal. color is the value of --color.
func NewOutput(out, err io.Writer, color string) (*Output, error) {
	colored, failed := term.Color(color, isTerminal(out), os.Getenv)
	if failed != nil {
		return nil, failed
	}
	return &Output{Out: out, Err: err, Color: colored, progress: term.NewProgress(err, isTerminal(err))}, nil
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(file)
}

// Progress replaces the progress line.
func (o *Output) Progress(format string, args ...any) {
	o.progress.Update("raceseed: " + fmt.Sprintf(format, args...))
}

// Note prints one line that does not stop the command.
func (o *Output) Note(format string, args ...any) {
	o.progress.Clear()
	fmt.Fprintf(o.Err, "raceseed: note: %s\n", fmt.Sprintf(format, args...))
}

// Results clears the progress line and gives the writer for results.
func (o *Output) Results() io.Writer {
	o.progress.Clear()
	return o.Out
}

// Failure prints an error and its hints.
func (o *Output) Failure(err error) {
	o.progress.Clear()
	PrintError(o.Err, err)
}

// PrintError prints an error the way every command does.
func PrintError(w io.Writer, err error) {
	fmt.Fprintf(w, "raceseed: %v\n", err)
	var told *diag.Error
	if errors.As(err, &told) {
		for _, hint := range told.Hints() {
			fmt.Fprintf(w, "hint: %s\n", hint)
		}
	}
}

// progressLine says how far the search is.
func progressLine(p witness.Progress, budget time.Duration) string {
	what := p.Strategy
	if p.Phase == witness.PhaseConfirm {
		what = "confirming a failure"
	}
	return fmt.Sprintf("%s, run %d, %d confirmed, %.0fs of %.0fs", what, p.Runs, p.Confirmed, p.Seconds, budget.Seconds())
}
