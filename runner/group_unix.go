//go:build unix

package runner

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// ending says how the leader of a process group ended.
type ending struct {
	exitCode int           // 128 + signal if a signal ended it
	expired  bool          // killed at its deadline
	cpu      time.Duration // of the leader and of the children it waited for
}

// strayOutput is how long output is awaited from processes that left the group
// and keep the pipe open; all others are dead by then.
const strayOutput = 500 * time.Millisecond

// runGroup runs cmd as leader of its own process group, with both outputs going
// to output, and returns when the leader has ended and the group is killed. At
// the deadline and on cancellation the group gets SIGTERM, and SIGKILL after
// grace: a signal to the leader alone would leave npm's and the shell's children
// alive. A cancellation gives the cause of ctx as error.
func runGroup(ctx context.Context, cmd *exec.Cmd, output io.Writer, timeout, grace time.Duration) (ending, error) {
	if err := ctx.Err(); err != nil {
		return ending{}, context.Cause(ctx)
	}
	read, write, err := os.Pipe()
	if err != nil {
		return ending{}, err
	}
	defer read.Close()
	cmd.Stdout, cmd.Stderr = write, write
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	err = cmd.Start()
	write.Close()
	if err != nil {
		return ending{}, err
	}
	copied := make(chan struct{})
	go func() {
		defer close(copied)
		io.Copy(output, read)
	}()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()

	expired, err := await(ctx, cmd.Process.Pid, ended, timeout, grace)
	killGroup(cmd.Process.Pid, syscall.SIGKILL) // stragglers that outlived the leader
	read.SetReadDeadline(time.Now().Add(strayOutput))
	<-copied
	if ctx.Err() != nil {
		return ending{}, context.Cause(ctx)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return ending{}, err
	}
	state := cmd.ProcessState
	return ending{exitCode(state), expired, state.UserTime() + state.SystemTime()}, nil
}

// await waits for the leader and enforces deadline and cancellation.
func await(ctx context.Context, pid int, ended <-chan error, timeout, grace time.Duration) (expired bool, err error) {
	deadline := time.NewTimer(timeout)
	defer deadline.Stop()
	select {
	case err = <-ended:
		return false, err
	case <-ctx.Done():
	case <-deadline.C:
		expired = true
	}
	killGroup(pid, syscall.SIGTERM)
	patience := time.NewTimer(grace)
	defer patience.Stop()
	select {
	case err = <-ended:
	case <-patience.C:
		killGroup(pid, syscall.SIGKILL)
		err = <-ended
	}
	return expired, err
}

// killGroup signals a whole group; a group that is gone is no error.
func killGroup(pid int, signal syscall.Signal) {
	_ = syscall.Kill(-pid, signal)
}

func exitCode(state *os.ProcessState) int {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return state.ExitCode()
}
