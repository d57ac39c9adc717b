// Package diag carries errors that a person reads: one message, hints that say
// what to do next, and the exit code that the command ends with. It takes
// nothing of ours, prints nothing and never calls os.Exit.
package diag

import (
	"errors"
	"fmt"
)

// Exit codes of the raceseed commands; docs/exit-codes.md lists them for people.
const (
	ExitClean      = 0 // nothing new: clean, or only known findings
	ExitFindings   = 1 // new confirmed findings (check), or the witness showed its failure (replay)
	ExitUsage      = 2 // wrong flags, configuration or input files
	ExitSuiteFails = 3 // the test command fails without steering
	ExitIncomplete = 4 // the run could not be finished: nothing recorded, a stale witness, output not writable
)

// Error is a message for people with hints and the exit code of the command.
type Error struct {
	message string
	hints   []string
	code    int
	cause   error
}

// Errorf makes an Error with ExitUsage. %w keeps a cause for errors.Is.
func Errorf(format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{message: err.Error(), code: ExitUsage, cause: errors.Unwrap(err)}
}

// Hint adds one line that says what to do next.
func (e *Error) Hint(format string, args ...any) *Error {
	e.hints = append(e.hints, fmt.Sprintf(format, args...))
	return e
}

// Code sets the exit code of the command that stops with this error.
func (e *Error) Code(code int) *Error {
	e.code = code
	return e
}

func (e *Error) Error() string { return e.message }

// Unwrap gives the cause that %w named, or nil.
func (e *Error) Unwrap() error { return e.cause }

// Hints are the lines to print after the message.
func (e *Error) Hints() []string { return e.hints }

// ExitCode is the exit code that err asks for: that of the Error in its chain,
// else ExitIncomplete; nil gives ExitClean.
func ExitCode(err error) int {
	if err == nil {
		return ExitClean
	}
	var e *Error
	if errors.As(err, &e) {
		return e.code
	}
	return ExitIncomplete
}
