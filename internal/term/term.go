// Package term knows the terminal: is there one, how wide is it, may it be
// coloured, what is safe to print on it. It takes files, flags and environment
// look-ups and gives plain values. It is the only package that uses x/term.
//
// The rules of our output: results go to standard output, once, at the end;
// everything else goes to standard error. A progress line is drawn only on a
// terminal and erased before anything else is printed. Text of the tested
// project is escaped, so that it cannot move the cursor or hide a line.
package term

import (
	"fmt"
	"os"

	"golang.org/x/term"
)

// The values of --color.
const (
	ColorAuto   = "auto"
	ColorAlways = "always"
	ColorNever  = "never"
)

// IsTerminal reports whether file is a terminal.
func IsTerminal(file *os.File) bool { return term.IsTerminal(int(file.Fd())) }

// Width gives the columns of the terminal behind file, 0 if it is none or does
// not say: then nothing is wrapped.
func Width(file *os.File) int {
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// Color decides whether output is coloured. mode is the value of --color,
// terminal says whether the output is one, getenv looks up the environment.
// Under auto it is coloured on a terminal unless NO_COLOR is set (no-color.org),
// TERM is dumb or CI is set: the log of a CI system is plain text even where the
// system provides a terminal.
func Color(mode string, terminal bool, getenv func(string) string) (bool, error) {
	switch mode {
	case ColorAlways:
		return true, nil
	case ColorNever:
		return false, nil
	case ColorAuto:
		return terminal && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb" && !inCI(getenv), nil
	}
	return false, fmt.Errorf("--color %q is unknown: use %s, %s or %s", mode, ColorAuto, ColorAlways, ColorNever)
}

// inCI follows the variable that GitHub, GitLab, CircleCI, Travis, Buildkite and
// others set, and the own ones of Jenkins, TeamCity and Azure, which do not.
func inCI(getenv func(string) string) bool {
	if ci := getenv("CI"); ci != "" && ci != "false" && ci != "0" {
		return true
	}
	for _, name := range []string{"JENKINS_URL", "TEAMCITY_VERSION", "TF_BUILD"} {
		if getenv(name) != "" {
			return true
		}
	}
	return false
}
