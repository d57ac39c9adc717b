package pipeline

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/raceseed/raceseed/agent"
	"github.com/raceseed/raceseed/internal/config"
	"github.com/raceseed/raceseed/internal/diag"
	"github.com/raceseed/raceseed/internal/wholefile"
	"github.com/raceseed/raceseed/runner"
)

// grace is the time between SIGTERM and SIGKILL for a run at its deadline.
const grace = 2 * time.Second

// workspace is what one invocation needs around its runs.
type workspace struct {
	runner *runner.Runner
	node   string // version, "" if there is no node on PATH
	folder string // temporary: the agent and the sessions of steered runs
}

// openWorkspace checks Node, makes the temporary folder and installs the agent.
// It lies outside the project, whose tests may list or watch their folders.
func openWorkspace(ctx context.Context, cfg config.Config) (*workspace, error) {
	folder, err := os.MkdirTemp("", "raceseed-")
	if err != nil {
		return nil, diag.Errorf("make a temporary folder: %w", err).Code(diag.ExitIncomplete)
	}
	w := &workspace{folder: folder, runner: &runner.Runner{
		Command: cfg.Test,
		Dir:     cfg.Dir,
		Root:    cfg.Root,
		Include: cfg.Include,
		Work:    folder,
		Environ: os.Environ(),
		Grace:   grace,
	}}
	if w.node, err = w.runner.NodeVersion(ctx); err != nil {
		w.close()
		return nil, err
	}
	if w.runner.Agent, err = agent.Install(folder); err != nil {
		w.close()
		if errors.Is(err, agent.ErrNotBuilt) {
			return nil, diag.Errorf("%w", err).Hint("build it in the checkout of raceseed: make build").Code(diag.ExitIncomplete)
		}
		return nil, err
	}
	return w, nil
}

// close removes the temporary folder. Nothing depends on it any more, so an
// error is not worth an exit code.
func (w *workspace) close() { _ = os.RemoveAll(w.folder) }

// makeWritable makes dir and proves that files can be written there, before
// anything runs: results that cannot be stored would be lost after minutes.
func makeWritable(dir string) error {
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		var probe *os.File
		if probe, err = os.CreateTemp(dir, ".writable-*"); err == nil {
			err = errors.Join(probe.Close(), os.Remove(probe.Name()))
		}
	}
	if err != nil {
		return diag.Errorf("output folder %q is not writable: %w", dir, err).
			Hint("name another one: --out DIR").Code(diag.ExitIncomplete)
	}
	return nil
}

// prepareOutput makes the output folder of check ready. Results of an earlier
// check are removed: if this one ends early, nobody must take them for its own.
// Git is told to ignore a folder that is made here, without touching the
// project's .gitignore.
func prepareOutput(dir string) error {
	_, err := os.Stat(dir)
	fresh := errors.Is(err, os.ErrNotExist)
	if err := makeWritable(dir); err != nil {
		return err
	}
	for _, name := range []string{resultsName, sarifName} {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			return diag.Errorf("remove old results: %w", err).Code(diag.ExitIncomplete)
		}
	}
	if !fresh {
		return nil
	}
	return wholefile.Write(filepath.Join(dir, ".gitignore"), []byte("*\n"))
}

// commit gives the checked-out commit of the project, "" outside a git repository.
func commit(ctx context.Context, root string) string {
	cmd := exec.CommandContext(ctx, "git", "rev-parse", "HEAD")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
