package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/raceseed/raceseed/internal/config"
	"github.com/raceseed/raceseed/internal/diag"
	"github.com/raceseed/raceseed/internal/pipeline"
)

// Stdio is what Main prints to: results on Out, everything else on Err.
type Stdio struct {
	Out, Err io.Writer
}

type action func(context.Context, config.Config, *pipeline.Output) (int, error)

var actions = map[string]action{
	"check":           pipeline.Check,
	"record":          pipeline.Record,
	"analyze":         pipeline.Analyze,
	"steer":           pipeline.Steer,
	"replay":          pipeline.Replay,
	"explain":         pipeline.Explain,
	"baseline create": pipeline.BaselineCreate,
	"baseline update": pipeline.BaselineUpdate,
	"baseline check":  pipeline.BaselineCheck,
	"trace dump":      pipeline.TraceDump,
	"trace validate":  pipeline.TraceValidate,
}

// exitSignal is the exit code of record and steer after an interruption, which
// else end with the code of the test command: 128 + SIGINT.
const exitSignal = 130

// Main runs one command of raceseed and gives its exit code. An interruption
// ends the runs under way, with all of their processes.
func Main(args []string, stdio Stdio) int {
	dir, err := os.Getwd()
	if err != nil {
		pipeline.PrintError(stdio.Err, err)
		return diag.ExitIncomplete
	}
	cfg, err := config.Parse(args, dir)
	if err != nil {
		pipeline.PrintError(stdio.Err, err)
		return diag.ExitCode(err)
	}
	if cfg.Help != "" {
		fmt.Fprint(stdio.Out, cfg.Help)
		return diag.ExitClean
	}
	out, err := pipeline.NewOutput(stdio.Out, stdio.Err, cfg.Color)
	if err != nil {
		pipeline.PrintError(stdio.Err, err)
		return diag.ExitUsage
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	code, err := actions[cfg.Command](ctx, cfg, out)
	if err == nil {
		return code
	}
	var told *diag.Error
	if ctx.Err() != nil && !errors.As(err, &told) {
		err = interrupted(cfg.Command)
	}
	out.Failure(err)
	return diag.ExitCode(err)
}

func interrupted(command string) error {
	err := diag.Errorf("interrupted")
	if command == "record" || command == "steer" {
		return err.Code(exitSignal)
	}
	return err.Code(diag.ExitIncomplete)
}
