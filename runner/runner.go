// Package runner runs a test command: plain, or with the agent in record or
// steer mode. It takes argv, a session and a deadline and gives the outcome, the
// bounded output and the trace files. It ends every process that it started, and
// it never interprets a trace beyond the releases of a steered run.
package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/raceseed/raceseed/agent"
	"github.com/raceseed/raceseed/internal/diag"
	"github.com/raceseed/raceseed/trace"
)

// Runner runs one test command as often as asked. Its methods may be called
// from several goroutines at once.
type Runner struct {
	Command []string      // argv of the test command, never interpreted by a shell
	Dir     string        // working directory of the command
	Root    string        // project root that trace files name paths from
	Include []string      // packages whose memory accesses are recorded as well
	Agent   string        // path of the installed agent
	Work    string        // folder for the session folders of steered runs
	Environ []string      // environment to start from, usually os.Environ()
	Tee     io.Writer     // gets the output as it comes, or nil
	Grace   time.Duration // between SIGTERM and SIGKILL
}

// Run is the outcome of one run of the test command.
type Run struct {
	Outcome  trace.Outcome
	ExitCode int    // 128 + signal if a signal ended it, -1 if killed at the deadline
	Output   string // stdout and stderr together, head and tail
	Failure  string // first lines of the failure message in Output, "" if passed
	Seconds  float64
	CPU      float64 // user and system seconds of the command and the children it waited for
	Traces   []trace.File
}

// Plain runs the command without the agent. It is killed after timeout.
func (r *Runner) Plain(ctx context.Context, timeout time.Duration) (Run, error) {
	return r.run(ctx, timeout, "")
}

// Record runs the command with the agent in record mode; the trace files go to
// the folder session, which is created and must be empty.
func (r *Runner) Record(ctx context.Context, session string, timeout time.Duration) (Run, error) {
	return r.withAgent(ctx, session, nil, timeout)
}

// Steer runs the command once as steering says; the empty steering is a
// control run. The trace files of the run are removed.
func (r *Runner) Steer(ctx context.Context, steering trace.Steering, timeout time.Duration) (trace.Observation, error) {
	session, err := os.MkdirTemp(r.Work, "steer-")
	if err != nil {
		return trace.Observation{}, fmt.Errorf("make session folder: %w", err)
	}
	defer os.RemoveAll(session)
	run, err := r.withAgent(ctx, session, &steering, timeout)
	if err != nil {
		return trace.Observation{}, err
	}
	return observe(run)
}

// withAgent makes one run with a session. A run without any trace file is an
// error: the command is not a Node program, and nothing was seen or steered.
func (r *Runner) withAgent(ctx context.Context, session string, steering *trace.Steering, timeout time.Duration) (Run, error) {
	if err := os.MkdirAll(session, 0o755); err != nil {
		return Run{}, fmt.Errorf("make session folder: %w", err)
	}
	if err := trace.WriteSession(session, trace.NewSession(r.Root, r.Include, steering)); err != nil {
		return Run{}, fmt.Errorf("write session: %w", err)
	}
	run, err := r.run(ctx, timeout, session)
	if err != nil {
		return Run{}, err
	}
	run.Traces, err = trace.ListFiles(session)
	if errors.Is(err, trace.ErrNoTraces) {
		return Run{}, diag.Errorf("test command %q wrote no trace", r.Command[0]).
			Hint("is it a Node.js program that keeps NODE_OPTIONS? try: raceseed check -- node --test").
			Code(diag.ExitIncomplete)
	}
	return run, err
}

func (r *Runner) run(ctx context.Context, timeout time.Duration, session string) (Run, error) {
	cmd := exec.Command(r.Command[0], r.Command[1:]...)
	cmd.Dir = r.Dir
	cmd.Env = r.environment(session)
	output := newCapture(r.Tee)
	begin := time.Now()
	end, err := runGroup(ctx, cmd, output, timeout, r.Grace)
	if err != nil {
		return Run{}, startError(r.Command[0], err)
	}
	run := Run{
		Outcome:  trace.Passed,
		ExitCode: end.exitCode,
		Output:   output.String(),
		Seconds:  time.Since(begin).Seconds(),
		CPU:      end.cpu.Seconds(),
	}
	switch {
	case end.expired:
		run.Outcome, run.ExitCode = trace.Hung, -1
		run.Failure = fmt.Sprintf("the run did not end within %s", timeout)
	case end.exitCode != 0:
		run.Outcome = trace.Failed
		run.Failure = FailureMessage(run.Output)
	}
	return run, nil
}

// startError turns the reasons why a command cannot start into advice; an
// interruption stays what it is.
func startError(name string, err error) error {
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, os.ErrNotExist):
		return diag.Errorf("test command %q not found: %w", name, err).
			Hint("everything after -- is started directly, not by a shell; try: raceseed check -- npm test")
	case errors.Is(err, os.ErrPermission), errors.Is(err, syscall.ENOEXEC):
		return diag.Errorf("test command %q cannot be started: %w", name, err).
			Hint("is the file executable? try: raceseed check -- node %s", name)
	}
	return err
}

// environment is that of one run: secrets out, the session and the agent in.
func (r *Runner) environment(session string) []string {
	env := WithoutSecrets(r.Environ)
	if session == "" {
		return env
	}
	options := ""
	env = slices.DeleteFunc(env, func(entry string) bool {
		name, value, _ := strings.Cut(entry, "=")
		if name == "NODE_OPTIONS" {
			options = value
		}
		return name == "NODE_OPTIONS" || name == sessionVariable
	})
	return append(env, sessionVariable+"="+absolute(session), "NODE_OPTIONS="+agent.NodeOptions(options, r.Agent))
}

// sessionVariable names the session folder to the agent.
const sessionVariable = "RACESEED_SESSION"

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// WithoutSecrets gives a copy of an environment without the tokens that a CI
// job holds: the tests are the project's code, and a pull request can change it.
// INPUT_* are the inputs of a GitHub Action, its token among them.
func WithoutSecrets(environ []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(entry string) bool {
		name, _, _ := strings.Cut(strings.ToUpper(entry), "=")
		return name == "RACESEED_TOKEN" || name == "GITHUB_TOKEN" ||
			strings.HasPrefix(name, "INPUT_") ||
			strings.HasPrefix(name, "ACTIONS_") && strings.Contains(name, "TOKEN")
	})
}
