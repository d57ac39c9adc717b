// Command raceseed finds event races in a Node.js project from its own tests
// and proves each one with a witness that anybody can replay. It takes argv and
// gives an exit code (docs/exit-codes.md); all work is done in internal/pipeline.
package main

import "os"

func main() {
	os.Exit(Main(os.Args[1:], Stdio{Out: os.Stdout, Err: os.Stderr}))
}
