package runner

import (
	"context"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/raceseed/raceseed/internal/diag"
)

// OldestNode is the first major version of Node that the agent runs on.
const OldestNode = 20

// NodeVersion asks the Node that the command will use for its version: the
// command itself if it is a node binary, else the one on PATH. It gives "" if
// there is none, and an error if it is older than OldestNode.
func (r *Runner) NodeVersion(ctx context.Context) (string, error) {
	node := "node"
	if name := filepath.Base(r.Command[0]); name == "node" || name == "nodejs" {
		node = r.Command[0]
	}
	path, err := exec.LookPath(node)
	if err != nil {
		return "", nil
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.Dir = r.Dir
	cmd.Env = WithoutSecrets(r.Environ)
	out, err := cmd.Output()
	if err != nil {
		return "", nil // the preflight run will show what is wrong with it
	}
	version := strings.TrimSpace(string(out))
	major, _, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	if n, err := strconv.Atoi(major); err == nil && n < OldestNode {
		return "", diag.Errorf("node %s at %s is too old: raceseed needs Node %d or newer", version, path, OldestNode).
			Hint("put a newer node first on PATH, for example: nvm use 22")
	}
	return version, nil
}
