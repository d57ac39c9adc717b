// Package trace is the contract with the agent: the records that it writes, the
// schedules that it follows, the session file that it reads. It takes bytes and
// gives typed records, in a binary and a text form (docs/trace-format.md), and
// turns schedules into witnesses and back (docs/schedules.md). It never judges
// what a record means for a race, never panics on bad input, and imports the
// standard library only.
package trace
