// Package agent carries the JavaScript that runs inside the user's Node
// processes. It takes a folder and gives the path of the agent's file in it and
// the NODE_OPTIONS value that loads it. It imports nothing of ours and never
// starts a process.
package agent

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// The whole folder is named because the bundle is built, not committed: a
// pattern for the file alone would not compile before the first `make build`.
//
//go:embed all:dist
var dist embed.FS

// bundleName is the file that agent/bundle writes into agent/dist.
const bundleName = "agent.cjs"

// ErrNotBuilt says that this binary was compiled before the agent was bundled.
var ErrNotBuilt = errors.New("this raceseed was built without its agent")

// Install writes the agent into dir, which it creates, and returns the absolute
// path of the file. The name contains a hash of the content, so two versions
// never meet in one file; the file appears whole or not at all. The error is
// ErrNotBuilt if the binary has no agent.
func Install(dir string) (string, error) {
	code, err := dist.ReadFile("dist/" + bundleName)
	if err != nil {
		return "", ErrNotBuilt
	}
	return install(dir, code)
}

func install(dir string, code []byte) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("install agent: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("install agent: %w", err)
	}
	sum := sha256.Sum256(code)
	path := filepath.Join(dir, "raceseed-agent-"+hex.EncodeToString(sum[:6])+".cjs")
	if old, err := os.ReadFile(path); err == nil && string(old) == string(code) {
		return path, nil
	}
	if err := writeWhole(path, code); err != nil {
		return "", fmt.Errorf("install agent: %w", err)
	}
	return path, nil
}

// writeWhole is a copy of what internal/wholefile does, kept here because this
// package imports nothing of ours.
func writeWhole(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".agent-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if _, err := f.Write(data); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// NodeOptions appends `--require "path"` to a NODE_OPTIONS value and keeps what
// is there. Node splits the value at blanks outside double quotes and takes a
// backslash inside them as an escape, so path may contain anything.
func NodeOptions(existing, path string) string {
	quoted := `--require "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(path) + `"`
	if strings.TrimSpace(existing) == "" {
		return quoted
	}
	return existing + " " + quoted
}
