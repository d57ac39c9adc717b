package main

import (
	"errors"
	"flag"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/raceseed/raceseed/trace"
)

var update = flag.Bool("update", false, "rewrite the expected outputs inside the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"raceseed": main})
}

// Each script in testdata/script is a few statements about the command line.
// They need the agent: run them through `make test`, or `make build` first.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Cmds:          map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Setup:         setWitness,
	})
}

// setWitness gives the scripts a well-formed witness that fits none of their programs.
func setWitness(env *testscript.Env) error {
	foreign := trace.Hold{
		Point:   trace.HashPoint("a point of another program"),
		Side:    trace.Completion,
		Horizon: trace.Horizon{Kind: trace.UntilTimers, N: 1},
	}
	witness, err := trace.Schedule{Holds: []trace.Hold{foreign}}.Witness()
	env.Setenv("WITNESS", witness)
	return err
}

// exits runs a program and demands its exit code: exits 2 raceseed check
func exits(ts *testscript.TestScript, negated bool, args []string) {
	if negated || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARG]...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	code := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
}
