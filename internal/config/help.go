package config

import (
	"fmt"
	"strings"
)

// overview is the text of `raceseed --help`.
func overview() string {
	var b strings.Builder
	b.WriteString(`raceseed finds event races in a Node.js project from its own tests and proves
each one with a witness that anybody can replay.

  raceseed check -- npm test
  raceseed replay rs1... -- npm test
  raceseed explain file-race

Commands:
`)
	for _, c := range commands {
		fmt.Fprintf(&b, "  %-16s %s\n", c.name, c.does)
	}
	b.WriteString(`
Everything after -- is the test command, started directly and not by a shell.
Flags of a command: raceseed COMMAND --help

Exit codes:
  0  clean, or only known findings
  1  new findings (check), or the witness showed its failure (replay)
  2  wrong flags, configuration or input files
  3  the tests fail without steering
  4  incomplete: nothing recorded, a stale witness, results not writable, interrupted
`)
	return b.String()
}

// help is the text of `raceseed COMMAND --help`.
func (c *command) help() string {
	var b strings.Builder
	fmt.Fprintf(&b, "usage: %s\n\n%s\n", c.usage(), c.does)
	if c.exits != "" {
		fmt.Fprintf(&b, "\nexit code: %s\n", c.exits)
	}
	if len(c.flags) > 0 {
		b.WriteString("\nFlags (default):\n")
	}
	for _, o := range c.options() {
		fmt.Fprintf(&b, "  %-24s %s\n", strings.TrimSpace(dashed(o.name)+" "+o.value), o.does)
	}
	return b.String()
}
