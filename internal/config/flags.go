package config

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/raceseed/raceseed/internal/diag"
)

// option is one flag: how it is shown and what it does to the Config.
type option struct {
	name  string
	value string // placeholder in the help, "" for a switch
	does  string
	set   func(cfg *Config, text string) error
}

var options = []option{
	{"budget", "DURATION", "time for the search (60s)", duration(func(c *Config) *time.Duration { return &c.Budget })},
	{"runs", "N", "steered runs at most (0: as many as the budget allows)", number(0, func(c *Config) *int { return &c.Runs })},
	{"max-findings", "N", "end the search after N confirmed findings (0: no limit)", number(0, func(c *Config) *int { return &c.MaxFindings })},
	{"jobs", "N", "runs side by side (number of cores)", number(1, func(c *Config) *int { return &c.Jobs })},
	{"seed", "N", "number that every random choice is drawn from (1)", seed},
	{"schedule", "WITNESS", "the holds to apply: rs1…", func(c *Config, text string) error { c.Schedule = text; return nil }},
	{"timeout", "DURATION", "limit of one run (5m)", duration(func(c *Config) *time.Duration { return &c.Timeout })},
	{"times", "N", "number of replays (5)", number(1, func(c *Config) *int { return &c.Times })},
	{"include-package", "NAME", "record memory accesses of this package as well; repeat for several", include},
	{"no-predict", "", "skip the analysis, search undirected", func(c *Config, _ string) error { c.NoPredict = true; return nil }},
	{"strategy", "NAME", "directed, single, random; repeat or join by comma, tried in this order (all three)", strategies},
	{"fail-on", "VERDICT", "lowest verdict of a new finding that gives exit code 1: confirmed, feasible, predicted, none (confirmed)",
		oneOf(failOnValues, func(c *Config) *string { return &c.FailOn })},
	{"add", "ID", "add this finding of the last check; repeat for several", add},
	{"all-new", "", "add all new confirmed findings of the last check", func(c *Config, _ string) error { c.AllNew = true; return nil }},
	{"require-reason", "", "report entries without a reason, too", func(c *Config, _ string) error { c.RequireReason = true; return nil }},
	{"baseline", "FILE", "the baseline (raceseed-baseline.json in the project root)", path(func(c *Config) *string { return &c.Baseline })},
	{"out", "DIR", "folder of the results (.raceseed in the project root)", path(func(c *Config) *string { return &c.Out })},
	{"o", "DIR", "folder of the recording (.raceseed/recording in the project root)", path(func(c *Config) *string { return &c.Out })},
	{"color", "WHEN", "auto, always, never (auto)", oneOf(colorValues, func(c *Config) *string { return &c.Color })},
	{"format", "FORMAT", "text, json (text)", oneOf(formatValues, func(c *Config) *string { return &c.Format })},
}

// parseFlags reads flags and operands in any order and tells which flags were given.
func (c *command) parseFlags(cfg *Config, args []string) (map[string]bool, error) {
	set := flag.NewFlagSet(c.name, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	for _, o := range c.options() {
		apply := func(text string) error { return o.set(cfg, text) }
		if o.value == "" {
			set.BoolFunc(o.name, o.does, apply)
		} else {
			set.Func(o.name, o.does, apply)
		}
	}
	// The flag package stops at the first operand.
	for len(args) > 0 {
		if err := set.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				cfg.Help = c.help()
				return nil, nil
			}
			return nil, c.flagError(err)
		}
		if args = set.Args(); len(args) > 0 {
			cfg.Args = append(cfg.Args, args[0])
			args = args[1:]
		}
	}
	given := map[string]bool{}
	set.Visit(func(f *flag.Flag) { given[f.Name] = true })
	return given, nil
}

func (c *command) options() []option {
	var own []option
	for _, o := range options {
		if slices.Contains(c.flags, o.name) {
			own = append(own, o)
		}
	}
	return own
}

// flagError words the errors of the flag package as ours.
func (c *command) flagError(err error) error {
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		unknown := diag.Errorf("unknown flag %q of %q", dashed(name), c.name)
		if near := nearest(name, c.flags); near != "" {
			return unknown.Hint("did you mean %s?", dashed(near))
		}
		return unknown.Hint("all flags: raceseed %s --help", c.name)
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: -"); ok {
		return diag.Errorf("flag %s needs a value", dashed(name)).Hint("all flags: raceseed %s --help", c.name)
	}
	return diag.Errorf("%s", strings.Replace(text, "for flag -", "for flag --", 1)).
		Hint("all flags: raceseed %s --help", c.name)
}

func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

func duration(field func(*Config) *time.Duration) func(*Config, string) error {
	return func(cfg *Config, text string) error {
		d, err := time.ParseDuration(text)
		if err != nil || d <= 0 {
			return errors.New("want a positive duration such as 90s or 5m")
		}
		*field(cfg) = d
		return nil
	}
}

func number(least int, field func(*Config) *int) func(*Config, string) error {
	return func(cfg *Config, text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < least {
			return fmt.Errorf("want a whole number, %d or more", least)
		}
		*field(cfg) = n
		return nil
	}
}

func oneOf(values []string, field func(*Config) *string) func(*Config, string) error {
	return func(cfg *Config, text string) error {
		if !slices.Contains(values, text) {
			return fmt.Errorf("want one of %s", strings.Join(values, ", "))
		}
		*field(cfg) = text
		return nil
	}
}

// path makes a path absolute; what the user writes is relative to where they are.
func path(field func(*Config) *string) func(*Config, string) error {
	return func(cfg *Config, text string) error {
		if text == "" {
			return errors.New("want a path")
		}
		if !filepath.IsAbs(text) {
			text = filepath.Join(cfg.Dir, text)
		}
		*field(cfg) = text
		return nil
	}
}

// maxSeed keeps seeds exact in the agent's JavaScript numbers.
const maxSeed = 1<<53 - 1

func seed(cfg *Config, text string) error {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n > maxSeed {
		return errors.New("want a whole number from 0 to 9007199254740991")
	}
	cfg.Seed = n
	return nil
}

func include(cfg *Config, text string) error {
	if text == "" {
		return errors.New("want the name of a package")
	}
	cfg.Include = append(cfg.Include, text)
	return nil
}

func add(cfg *Config, text string) error {
	if text == "" {
		return errors.New("want the id of a finding")
	}
	cfg.Add = append(cfg.Add, text)
	return nil
}

func strategies(cfg *Config, text string) error {
	for name := range strings.SplitSeq(text, ",") {
		if !slices.Contains(strategyValues, name) {
			return fmt.Errorf("want one of %s", strings.Join(strategyValues, ", "))
		}
		if !slices.Contains(cfg.Strategies, name) {
			cfg.Strategies = append(cfg.Strategies, name)
		}
	}
	return nil
}
