package config

import (
	"slices"
	"strings"

	"github.com/raceseed/raceseed/internal/diag"
)

// command describes one command of raceseed; the table is its documentation.
type command struct {
	name     string
	operands []string
	test     bool // a test command follows --
	does     string
	flags    []string // names in the table of flags
	exits    string   // exit codes that differ from the general ones
}

var commands = []command{
	{"check", nil, true, "record the test command, predict races, prove them by steering, compare with the baseline",
		[]string{"budget", "runs", "max-findings", "jobs", "seed", "timeout", "include-package", "no-predict", "strategy", "fail-on", "baseline", "out", "color"}, ""},
	{"record", nil, true, "one recorded run without steering",
		[]string{"o", "include-package", "timeout"}, "exit code of the test command"},
	{"analyze", []string{"DIR"}, false, "predictions of a stored recording, likeliest first",
		[]string{"format", "color"}, ""},
	{"steer", nil, true, "one steered run: an explicit schedule, or holds drawn from a seed",
		[]string{"seed", "schedule", "timeout"}, "exit code of the test command"},
	{"replay", []string{"WITNESS"}, true, "run the test command under a witness and say how often the failure shows",
		[]string{"times", "timeout", "color"}, "1 if the failure was shown, 0 if not, 4 if the witness does not fit"},
	{"explain", []string{"RULE|WITNESS"}, false, "the text of a rule, or a witness in words",
		[]string{"out"}, ""},
	{"baseline create", nil, false, "write a baseline of the findings of the last check",
		[]string{"baseline", "out"}, ""},
	{"baseline update", nil, false, "sort the baseline, refresh its entries, add findings; hand-kept fields stay",
		[]string{"add", "all-new", "baseline", "out"}, ""},
	{"baseline check", nil, false, "report entries that are malformed, duplicate, unsorted or expired",
		[]string{"require-reason", "baseline"}, "1 if the baseline has problems"},
	{"trace dump", []string{"DIR|FILE"}, false, "print trace files as text, one record a line", nil, ""},
	{"trace validate", []string{"DIR|FILE"}, false, "check trace files; a truncated tail is reported and tolerated", nil, ""},
}

// findCommand takes the command's words off args; nil means the overview is wanted.
func findCommand(args []string) (*command, []string, error) {
	if len(args) == 0 {
		return nil, nil, diag.Errorf("no command").Hint("try: raceseed check -- npm test; all commands: raceseed --help")
	}
	if isHelp(args[0]) || args[0] == "help" {
		return nil, nil, nil
	}
	for words := 2; words >= 1; words-- {
		if len(args) < words {
			continue
		}
		name := strings.Join(args[:words], " ")
		if i := slices.IndexFunc(commands, func(c command) bool { return c.name == name }); i >= 0 {
			return &commands[i], args[words:], nil
		}
	}
	return nil, nil, unknownCommand(args)
}

func unknownCommand(args []string) error {
	var names, seconds []string
	for _, c := range commands {
		first, second, double := strings.Cut(c.name, " ")
		names = append(names, first)
		if double && first == args[0] {
			seconds = append(seconds, second)
		}
	}
	if len(seconds) == 0 {
		err := diag.Errorf("unknown command %q", args[0])
		if near := nearest(args[0], names); near != "" {
			return err.Hint("did you mean %q?", near)
		}
		return err.Hint("all commands: raceseed --help")
	}
	if len(args) > 1 && isHelp(args[1]) {
		args = args[:1]
	}
	given := "nothing"
	if len(args) > 1 {
		given = `"` + args[1] + `"`
	}
	return diag.Errorf("%q needs one of %s, not %s", args[0], strings.Join(seconds, ", "), given).
		Hint("all commands: raceseed --help")
}

func isHelp(arg string) bool { return arg == "--help" || arg == "-h" || arg == "-help" }

// usage is the one-line form of the command.
func (c *command) usage() string {
	words := []string{"raceseed", c.name}
	if len(c.flags) > 0 {
		words = append(words, "[flags]")
	}
	words = append(words, c.operands...)
	if c.test {
		words = append(words, "-- COMMAND [ARG]...")
	}
	return strings.Join(words, " ")
}

// example is what stands before -- in a hint.
func (c *command) example() string {
	switch c.name {
	case "replay":
		return "replay rs1…"
	case "steer":
		return "steer --seed 1"
	}
	return c.name
}
