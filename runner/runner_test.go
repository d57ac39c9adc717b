package runner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/google/go-cmp/cmp"

	"github.com/raceseed/raceseed/internal/diag"
	"github.com/raceseed/raceseed/trace"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const long = time.Minute // a deadline that no run here meets

func newRunner(t *testing.T, command ...string) *Runner {
	t.Helper()
	return &Runner{
		Command: command,
		Dir:     t.TempDir(),
		Root:    t.TempDir(),
		Work:    t.TempDir(),
		Environ: os.Environ(),
		Grace:   5 * time.Second,
	}
}

func TestPlainRun(t *testing.T) {
	for _, c := range []struct {
		name   string
		script string
		want   Run
	}{
		{"passes", "echo fine", Run{Outcome: trace.Passed, Output: "fine\n"}},
		{"both outputs", "echo out; echo err >&2", Run{Outcome: trace.Passed, Output: "out\nerr\n"}},
		{"fails", "echo 'Error: lost'; exit 3", Run{Outcome: trace.Failed, ExitCode: 3, Output: "Error: lost\n", Failure: "Error: lost"}},
		{"killed by a signal", "kill -9 $$", Run{Outcome: trace.Failed, ExitCode: 137}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := newRunner(t, "sh", "-c", c.script).Plain(t.Context(), long)
			if err != nil {
				t.Fatal(err)
			}
			if got.Seconds <= 0 || got.CPU < 0 {
				t.Errorf("got %g s and %g CPU s", got.Seconds, got.CPU)
			}
			got.Seconds, got.CPU = 0, 0
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestCPUTimeCountsChildren(t *testing.T) {
	run, err := newRunner(t, "sh", "-c", `sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'; :`).Plain(t.Context(), long)
	if err != nil {
		t.Fatal(err)
	}
	if run.CPU <= 0.01 {
		t.Errorf("got %g CPU seconds for a child that counts to 200000", run.CPU)
	}
}

// The shape of npm -> sh -> node: the child of the command must die with it.
func TestDeadlineKillsTheGroup(t *testing.T) {
	for _, c := range []struct{ name, prepare string }{
		{"children obey SIGTERM", ""},
		{"children ignore SIGTERM", "trap '' TERM; "},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRunner(t, "sh", "-c", c.prepare+"sleep 1000 & echo $! > pid; wait; sleep 1000")
			r.Grace = 50 * time.Millisecond
			run, err := r.Plain(t.Context(), 300*time.Millisecond)
			if err != nil {
				t.Fatal(err)
			}
			if run.Outcome != trace.Hung || run.ExitCode != -1 {
				t.Errorf("got %s, exit %d, want hung, -1", run.Outcome, run.ExitCode)
			}
			if want := "the run did not end within 300ms"; run.Failure != want {
				t.Errorf("got failure %q, want %q", run.Failure, want)
			}
			wantDead(t, filepath.Join(r.Dir, "pid"))
		})
	}
}

func TestStragglersAreKilled(t *testing.T) {
	r := newRunner(t, "sh", "-c", "sleep 1000 & echo $! > pid")
	run, err := r.Plain(t.Context(), long)
	if err != nil {
		t.Fatal(err)
	}
	if run.Outcome != trace.Passed {
		t.Errorf("got %s, want passed", run.Outcome)
	}
	wantDead(t, filepath.Join(r.Dir, "pid"))
}

// A process that leaves the group keeps the pipe open; the run must end all the same.
func TestDaemonDoesNotHoldTheRun(t *testing.T) {
	r := newRunner(t, "sh", "-c", "setsid sh -c 'echo $$ > pid; exec sleep 1000' & while [ ! -s pid ]; do :; done")
	run, err := r.Plain(t.Context(), long)
	if err != nil {
		t.Fatal(err)
	}
	if run.Outcome != trace.Passed {
		t.Errorf("got %s, want passed", run.Outcome)
	}
	text, err := os.ReadFile(filepath.Join(r.Dir, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if p, err := os.FindProcess(pid); err == nil {
		p.Kill()
	}
}

func TestCancelKillsTheGroup(t *testing.T) {
	r := newRunner(t, "sh", "-c", "sleep 1000 & echo $! > pid; echo ready; wait")
	reason := errors.New("interrupted")
	ctx, cancel := context.WithCancelCause(t.Context())
	r.Tee = writerFunc(func(p []byte) { cancel(reason) })
	if _, err := r.Plain(ctx, long); !errors.Is(err, reason) {
		t.Errorf("got error %v, want %v", err, reason)
	}
	wantDead(t, filepath.Join(r.Dir, "pid"))
	if _, err := r.Plain(ctx, long); !errors.Is(err, reason) {
		t.Errorf("a run after the cancellation gave %v, want %v", err, reason)
	}
}

type writerFunc func([]byte)

func (f writerFunc) Write(p []byte) (int, error) { f(p); return len(p), nil }

// wantDead waits until the process is gone or a zombie: a killed child of a
// container whose init does not reap stays as one, and a signal still reaches it.
func wantDead(t *testing.T, pidFile string) {
	t.Helper()
	text, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	pid := strings.TrimSpace(string(text))
	state := ""
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		if err != nil {
			return
		}
		_, rest, _ := strings.Cut(string(stat), ") ")
		if state = rest[:1]; state == "Z" || state == "X" {
			return
		}
	}
	t.Errorf("process %s is in state %s, want it dead", pid, state)
}

func TestStartErrors(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "script.js")
	if err := os.WriteFile(script, []byte("1"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ command, want string }{
		{"no-such-command", `test command "no-such-command" not found`},
		{filepath.Join(dir, "missing"), "not found"},
		{script, "cannot be started"},
	} {
		_, err := newRunner(t, c.command).Plain(t.Context(), long)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", c.command, err, c.want)
		}
		if got := diag.ExitCode(err); got != diag.ExitUsage {
			t.Errorf("%s: got exit code %d, want %d", c.command, got, diag.ExitUsage)
		}
	}
}

func TestRecordWithoutTrace(t *testing.T) {
	_, err := newRunner(t, "echo", "hi").Record(t.Context(), filepath.Join(t.TempDir(), "session"), long)
	if want := `test command "echo" wrote no trace`; err == nil || err.Error() != want {
		t.Fatalf("got error %v, want %q", err, want)
	}
	if got := diag.ExitCode(err); got != diag.ExitIncomplete {
		t.Errorf("got exit code %d, want %d", got, diag.ExitIncomplete)
	}
}

func TestEnvironment(t *testing.T) {
	r := &Runner{Agent: "/a b/agent.cjs", Environ: []string{
		"PATH=/bin", "NODE_OPTIONS=--no-warnings", "RACESEED_SESSION=/old", "RACESEED_TOKEN=1", "GITHUB_TOKEN=1",
		"ACTIONS_RUNTIME_TOKEN=1", "ACTIONS_ID_TOKEN_REQUEST_URL=1", "ACTIONS_CACHE_URL=u", "INPUT_TOKEN=1", "GITHUB_SHA=s",
	}}
	kept := []string{"PATH=/bin", "ACTIONS_CACHE_URL=u", "GITHUB_SHA=s"}
	want := append(kept, "RACESEED_SESSION=/s", `NODE_OPTIONS=--no-warnings --require "/a b/agent.cjs"`)
	if d := cmp.Diff(want, r.environment("/s")); d != "" {
		t.Error(d)
	}
	want = []string{"PATH=/bin", "NODE_OPTIONS=--no-warnings", "RACESEED_SESSION=/old", "ACTIONS_CACHE_URL=u", "GITHUB_SHA=s"}
	if d := cmp.Diff(want, r.environment("")); d != "" {
		t.Error("plain run:", d)
	}
}

func TestCaptureKeepsHeadAndTail(t *testing.T) {
	var tee bytes.Buffer
	c := newCapture(&tee)
	total := 0
	for i := range 40000 {
		n, _ := fmt.Fprintf(c, "line %05d padding padding padding\n", i)
		total += n
	}
	got := c.String()
	if !strings.HasPrefix(got, "line 00000") || !strings.HasSuffix(got, "line 39999 padding padding padding\n") {
		t.Error("head or tail is missing")
	}
	if want := fmt.Sprintf("… %d bytes of output left out …", total-maxHeadBytes-maxTailBytes); !strings.Contains(got, want) {
		t.Errorf("the output does not say %q", want)
	}
	if tee.Len() != total {
		t.Errorf("tee got %d bytes, want %d", tee.Len(), total)
	}
}

func TestNodeVersion(t *testing.T) {
	for _, c := range []struct{ prints, want, wantErr string }{
		{"v20.0.0", "v20.0.0", ""},
		{"v19.9.0", "", "is too old: raceseed needs Node 20 or newer"},
		{"v8.1.2", "", "is too old"},
		{"something else", "something else", ""},
	} {
		r := newRunner(t)
		node := filepath.Join(r.Dir, "node")
		if err := os.WriteFile(node, []byte("#!/bin/sh\necho "+c.prints+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		r.Command = []string{node, "x.js"}
		got, err := r.NodeVersion(t.Context())
		if got != c.want || (err == nil) != (c.wantErr == "") || err != nil && !strings.Contains(err.Error(), c.wantErr) {
			t.Errorf("%s: got %q, %v", c.prints, got, err)
		}
	}
}
