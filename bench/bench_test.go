// Package bench measures what raceseed costs the programs it runs: CPU time of a
// program recorded, and steered without holds, against the program alone. It
// judges nothing; `make bench` prints the ratios, medians of several runs.
package bench

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/raceseed/raceseed/agent"
	"github.com/raceseed/raceseed/runner"
	"github.com/raceseed/raceseed/trace"
)

const (
	runs    = 5
	timeout = 2 * time.Minute
)

func BenchmarkAgent(b *testing.B) {
	installed, err := agent.Install(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	for _, program := range []string{"objects.cjs", "server.cjs"} {
		b.Run(program, func(b *testing.B) {
			root, err := filepath.Abs("programs")
			if err != nil {
				b.Fatal(err)
			}
			r := &runner.Runner{
				Command: []string{"node", program}, Dir: root, Root: root, Agent: installed,
				Work: b.TempDir(), Environ: os.Environ(), Grace: time.Second,
			}
			for b.Loop() {
				measure(b, r)
			}
		})
	}
}

// measure runs the three kinds in turn, so that a change of the machine's speed
// meets all of them.
func measure(b *testing.B, r *runner.Runner) {
	ctx := context.Background()
	var recorded, steered []float64
	var bytes int64
	for range runs {
		plain, err := r.Plain(ctx, timeout)
		if err != nil || plain.Outcome != trace.Passed {
			b.Fatalf("plain run: %v %s", err, plain.Output)
		}
		record, err := r.Record(ctx, b.TempDir(), timeout)
		if err != nil || record.Outcome != trace.Passed {
			b.Fatalf("recording: %v %s", err, record.Output)
		}
		steer, err := r.Steer(ctx, trace.Steering{}, timeout)
		if err != nil || steer.Outcome != trace.Passed {
			b.Fatalf("steered run: %v %s", err, steer.Output)
		}
		recorded = append(recorded, record.CPU/plain.CPU)
		steered = append(steered, steer.CPU/plain.CPU)
		bytes = 0
		for _, file := range record.Traces {
			info, err := os.Stat(file.Path)
			if err != nil {
				b.Fatal(err)
			}
			bytes += info.Size()
		}
	}
	b.ReportMetric(median(recorded), "recorded/plain")
	b.ReportMetric(median(steered), "steered/plain")
	b.ReportMetric(float64(bytes)/1024, "KiB/trace")
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}
