// Package config turns argv into one validated struct that knows every default.
// It takes the arguments and the working directory, gives a Config or an error
// with a hint, and never runs anything.
package config

import (
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/raceseed/raceseed/internal/diag"
)

// Config is one invocation of raceseed. Fields that the command has no flag for
// hold their defaults.
type Config struct {
	Command string   // name of the raceseed command: check, "baseline create", …
	Help    string   // not "": print this and do nothing else
	Args    []string // operands before --
	Test    []string // argv of the test command, after --
	Dir     string   // working directory, absolute
	Root    string   // project root: nearest folder upward with a package.json, else Dir; symbolic links resolved

	Budget      time.Duration // for the search
	Runs        int           // steered runs at most, 0: as many as the budget allows
	MaxFindings int           // confirmed findings after which the search ends, 0: no limit
	Jobs        int           // runs side by side
	Seed        uint64
	Timeout     time.Duration // of one run
	Include     []string      // packages whose memory accesses are recorded
	NoPredict   bool          // search without the analysis
	Strategies  []string      // in this order; empty: directed, single, random
	FailOn      string        // lowest verdict that gives exit code 1, or none
	Baseline    string        // absolute path
	Out         string        // absolute path
	Color       string        // auto, always, never
	Format      string        // text, json
	Times       int           // replays
	Schedule    string        // rs1…, "" if Seed is to be drawn from

	Add           []string // findings that the baseline is to accept
	AllNew        bool     // all new ones
	RequireReason bool     // of every entry of the baseline
}

// Values of --fail-on, --strategy, --color and --format.
var (
	failOnValues   = []string{"confirmed", "feasible", "predicted", "none"}
	strategyValues = []string{"directed", "single", "random"}
	colorValues    = []string{"auto", "always", "never"}
	formatValues   = []string{"text", "json"}
)

// defaults are those of every command; record writes one folder deeper.
func defaults(dir string) Config {
	root := projectRoot(dir)
	return Config{
		Dir:      dir,
		Root:     root,
		Budget:   60 * time.Second,
		Jobs:     runtime.NumCPU(),
		Seed:     1,
		Timeout:  5 * time.Minute,
		FailOn:   "confirmed",
		Baseline: filepath.Join(root, "raceseed-baseline.json"),
		Out:      filepath.Join(root, ".raceseed"),
		Color:    "auto",
		Format:   "text",
		Times:    5,
	}
}

// projectRoot is the nearest folder upward from dir with a package.json, else
// dir. Symbolic links are resolved because Node names files that way.
func projectRoot(dir string) string {
	if resolved, err := filepath.EvalSymlinks(dir); err == nil {
		dir = resolved
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "package.json")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

// Parse reads the arguments of raceseed, without its own name. dir is the
// working directory, absolute. Every error has ExitUsage.
func Parse(args []string, dir string) (Config, error) {
	cfg := defaults(dir)
	cmd, args, err := findCommand(args)
	if err != nil {
		return cfg, err
	}
	if cmd == nil {
		cfg.Help = overview()
		return cfg, nil
	}
	cfg.Command = cmd.name
	if cmd.name == "record" {
		cfg.Out = filepath.Join(cfg.Out, "recording")
	}
	own, test, dashes := cutDashes(args)
	given, err := cmd.parseFlags(&cfg, own)
	if err != nil || cfg.Help != "" {
		return cfg, err
	}
	cfg.Test = test
	return cfg, cmd.check(&cfg, given, dashes)
}

// cutDashes splits at the first "--"; what follows belongs to the test command.
func cutDashes(args []string) (own, test []string, found bool) {
	for i, arg := range args {
		if arg == "--" {
			return args[:i], args[i+1:], true
		}
	}
	return args, nil, false
}

// check demands operands, a test command and flags that fit together.
func (c *command) check(cfg *Config, given map[string]bool, dashes bool) error {
	if c.test && len(cfg.Test) == 0 {
		err := diag.Errorf("no test command after --")
		if !dashes {
			err = diag.Errorf("no -- with a test command behind it")
		}
		return err.Hint("try: raceseed %s -- npm test", c.example())
	}
	if !c.test && dashes {
		return diag.Errorf("%q runs no test command: nothing may stand after --", c.name)
	}
	if n := len(cfg.Args); n > len(c.operands) {
		return diag.Errorf("unexpected argument %q", cfg.Args[len(c.operands)]).Hint("usage: %s", c.usage())
	} else if n < len(c.operands) {
		return diag.Errorf("%s is missing", c.operands[n]).Hint("usage: %s", c.usage())
	}
	if c.name == "steer" && given["seed"] == given["schedule"] {
		return diag.Errorf("steer needs either --seed or --schedule").Hint("usage: %s", c.usage())
	}
	return nil
}
