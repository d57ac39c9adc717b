package config

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/raceseed/raceseed/internal/diag"
)

// base is the Config of a command without flags in the folder dir/sub of the project dir.
func base(dir, command string) Config {
	return Config{
		Command:  command,
		Dir:      filepath.Join(dir, "sub"),
		Root:     dir,
		Budget:   time.Minute,
		Jobs:     runtime.NumCPU(),
		Seed:     1,
		Timeout:  5 * time.Minute,
		FailOn:   "confirmed",
		Baseline: filepath.Join(dir, "raceseed-baseline.json"),
		Out:      filepath.Join(dir, ".raceseed"),
		Color:    "auto",
		Format:   "text",
		Times:    5,
	}
}

func project(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestParse(t *testing.T) {
	dir := project(t)
	for _, c := range []struct {
		args string
		want func(*Config)
	}{
		{"check -- npm test", func(c *Config) { c.Test = []string{"npm", "test"} }},
		{"check --budget 90s --runs 7 --max-findings 2 --jobs 3 --seed 9 --timeout=2m --no-predict -- node x.js --budget 1s", func(c *Config) {
			c.Budget, c.Runs, c.MaxFindings, c.Jobs, c.Seed, c.Timeout, c.NoPredict = 90*time.Second, 7, 2, 3, 9, 2*time.Minute, true
			c.Test = []string{"node", "x.js", "--budget", "1s"}
		}},
		{"check --include-package a --include-package @b/c --strategy single,random --strategy single --fail-on none -- t", func(c *Config) {
			c.Include, c.Strategies, c.FailOn, c.Test = []string{"a", "@b/c"}, []string{"single", "random"}, "none", []string{"t"}
		}},
		{"check --out o --baseline /b.json --color never -- t", func(c *Config) {
			c.Out, c.Baseline, c.Color, c.Test = filepath.Join(dir, "sub", "o"), "/b.json", "never", []string{"t"}
		}},
		{"check -- t -- u", func(c *Config) { c.Test = []string{"t", "--", "u"} }},
		{"record -o rec -- t", func(c *Config) { c.Out, c.Test = filepath.Join(dir, "sub", "rec"), []string{"t"} }},
		{"record -- t", func(c *Config) { c.Out, c.Test = filepath.Join(dir, ".raceseed", "recording"), []string{"t"} }},
		{"replay rs1abc --times 3 -- t", func(c *Config) { c.Args, c.Times, c.Test = []string{"rs1abc"}, 3, []string{"t"} }},
		{"replay --times 3 rs1abc -- t", func(c *Config) { c.Args, c.Times, c.Test = []string{"rs1abc"}, 3, []string{"t"} }},
		{"steer --seed 0 -- t", func(c *Config) { c.Seed, c.Test = 0, []string{"t"} }},
		{"steer --schedule rs1x -- t", func(c *Config) { c.Schedule, c.Test = "rs1x", []string{"t"} }},
		{"analyze d --format json", func(c *Config) { c.Args, c.Format = []string{"d"}, "json" }},
		{"explain file-race", func(c *Config) { c.Args = []string{"file-race"} }},
		{"baseline create", func(c *Config) {}},
		{"baseline update --add a --add b --all-new", func(c *Config) { c.Add, c.AllNew = []string{"a", "b"}, true }},
		{"baseline check --require-reason", func(c *Config) { c.RequireReason = true }},
		{"trace dump d", func(c *Config) { c.Args = []string{"d"} }},
	} {
		t.Run(c.args, func(t *testing.T) {
			args := strings.Fields(c.args)
			name := args[0]
			if name == "baseline" || name == "trace" {
				name += " " + args[1]
			}
			want := base(dir, name)
			c.want(&want)
			got, err := Parse(args, filepath.Join(dir, "sub"))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	dir := project(t)
	for _, c := range []struct{ args, want, hint string }{
		{"", "no command", "raceseed check -- npm test"},
		{"chekc", `unknown command "chekc"`, `did you mean "check"?`},
		{"frobnicate", `unknown command "frobnicate"`, "raceseed --help"},
		{"baseline", `"baseline" needs one of create, update, check, not nothing`, ""},
		{"baseline prune", `"baseline" needs one of create, update, check, not "prune"`, ""},
		{"check", "no -- with a test command behind it", "raceseed check -- npm test"},
		{"check npm test", "no -- with a test command behind it", ""},
		{"check --", "no test command after --", "raceseed check -- npm test"},
		{"check stray -- t", `unexpected argument "stray"`, "usage: raceseed check"},
		{"check --bugdet 5s -- t", `unknown flag "--bugdet" of "check"`, "did you mean --budget?"},
		{"check --frobnicate -- t", `unknown flag "--frobnicate" of "check"`, "raceseed check --help"},
		{"check --budget -- t", "flag --budget needs a value", ""},
		{"check --budget 5 -- t", `invalid value "5" for flag --budget: want a positive duration such as 90s or 5m`, ""},
		{"check --budget -5s -- t", `invalid value "-5s" for flag --budget`, ""},
		{"check --jobs 0 -- t", `invalid value "0" for flag --jobs: want a whole number, 1 or more`, ""},
		{"check --seed -1 -- t", `invalid value "-1" for flag --seed`, ""},
		{"check --seed 9007199254740992 -- t", `invalid value "9007199254740992" for flag --seed`, ""},
		{"check --strategy best -- t", `invalid value "best" for flag --strategy: want one of directed, single, random`, ""},
		{"check --fail-on all -- t", `invalid value "all" for flag --fail-on: want one of confirmed, feasible, predicted, none`, ""},
		{"check --out= -- t", `invalid value "" for flag --out: want a path`, ""},
		{"analyze", "DIR is missing", "usage: raceseed analyze [flags] DIR"},
		{"analyze d -- npm test", `"analyze" runs no test command`, ""},
		{"replay -- t", "WITNESS is missing", ""},
		{"steer -- t", "steer needs either --seed or --schedule", ""},
		{"steer --seed 1 --schedule rs1 -- t", "steer needs either --seed or --schedule", ""},
	} {
		t.Run(c.args, func(t *testing.T) {
			_, err := Parse(strings.Fields(c.args), dir)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got error %v, want %q", err, c.want)
			}
			if got := diag.ExitCode(err); got != diag.ExitUsage {
				t.Errorf("got exit code %d, want %d", got, diag.ExitUsage)
			}
			if hints := strings.Join(err.(*diag.Error).Hints(), "\n"); !strings.Contains(hints, c.hint) {
				t.Errorf("got hints %q, want %q", hints, c.hint)
			}
		})
	}
}

func TestRootWithoutPackage(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	cfg, err := Parse([]string{"baseline", "check"}, link)
	if err != nil {
		t.Fatal(err)
	}
	if cfg.Root != dir || cfg.Dir != link {
		t.Errorf("got root %q and folder %q, want %q and %q", cfg.Root, cfg.Dir, dir, link)
	}
}

func TestEveryFlagOfACommandExists(t *testing.T) {
	for _, c := range commands {
		if got := len(c.options()); got != len(c.flags) {
			t.Errorf("%s: %d of %d flags stand in the table", c.name, got, len(c.flags))
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"budget", "runs", "jobs", "seed", "out", "o"}
	for typo, want := range map[string]string{
		"budgte": "budget", "buget": "budget", "run": "runs", "jbos": "jobs", "sed": "seed", "xyz": "", "q": "", "budget": "budget",
	} {
		if got := nearest(typo, names); got != want {
			t.Errorf("nearest(%q) = %q, want %q", typo, got, want)
		}
	}
}
