// Package fixturetest tests the whole tool on the projects in fixtures/: every
// racy one must be found, proved and replayed, every fixed one must stay silent.
// It takes the binary that RACESEED_BIN names, or builds one into a temporary
// folder, and works on copies. It holds tests only and never changes fixtures/.
//
// The npm packages of the fixtures must be installed: `make deps`.
//
//	go test ./internal/fixturetest                               # 20 steered runs for each fixed twin
//	RACESEED_FULL=1 go test -timeout 6h ./internal/fixturetest   # 200 random seeds as well, and the table of TestMeasure (-v, hours)
package fixturetest
