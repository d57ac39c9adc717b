package detect

import (
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/raceseed/raceseed/detect/hb"
	"github.com/raceseed/raceseed/trace"
)

// workload makes the trace of a server while it is read: requests under way,
// each a chain of callbacks with a file operation, a timer or an immediate now
// and then, ten memory accesses a callback on its own state, on shared state and
// on a counter that all touch. Seeded: the same events give the same trace.
type workload struct {
	random   *rand.Rand
	queue    []trace.Record
	left     int
	id, op   uint64
	requests []uint64 // async id of the next callback of each request
	shape    string
	keys     []string
}

func newWorkload(events, requests int, shape string) *workload {
	w := &workload{random: rand.New(rand.NewPCG(1, 2)), left: events, id: 1, shape: shape}
	w.add(trace.Record{Kind: trace.KindProcess, PID: 1, UV: "1.51.0"})
	for i := uint64(1); i <= 40; i++ {
		w.add(trace.Record{Kind: trace.KindSite, ID: i, Path: fmt.Sprintf("src/part%d.js", i%7), Line: i, Column: 1, Function: fmt.Sprintf("f%d", i%9)})
	}
	w.add(trace.Record{Kind: trace.KindObject, ID: 1, Type: "object", Name: "Server"})
	for i := range 106 {
		w.keys = append(w.keys, fmt.Sprintf("k%d", i))
	}
	for i := range requests {
		w.add(trace.Record{Kind: trace.KindObject, ID: uint64(i + 2), Type: "object", Name: "Request"})
		w.requests = append(w.requests, w.init(1))
	}
	return w
}

func (w *workload) add(r trace.Record) { w.queue = append(w.queue, r) }

// init registers the next callback of a request.
func (w *workload) init(exec uint64) uint64 {
	w.id++
	kind := "FSREQCALLBACK"
	switch w.random.IntN(10) {
	case 0:
		kind = "Timeout"
	case 1, 2:
		kind = "Immediate"
	}
	w.add(trace.Record{Kind: trace.KindInit, ID: w.id, Type: kind, Trigger: exec, Exec: exec})
	if kind == "Timeout" {
		w.add(trace.Record{Kind: trace.KindTimer, ID: w.id, Delay: uint64(1 + w.random.IntN(4))})
	}
	w.op++
	w.add(trace.Record{Kind: trace.KindOp, Op: w.op, Name: "fs.readFile", Point: "p", Hash: uint32(w.op), Site: 1 + w.op%40, Flags: 3})
	if kind == "FSREQCALLBACK" && w.random.IntN(4) == 0 {
		w.add(trace.Record{Kind: trace.KindFile, Op: w.op, Access: uint64(3 + w.random.IntN(2)), Path: fmt.Sprintf("data/%d.json", w.random.IntN(200)), Site: 1 + w.op%40})
	}
	return w.id
}

func (w *workload) Next() (trace.Record, error) {
	if len(w.queue) == 0 {
		if w.left == 0 {
			return trace.Record{}, io.EOF
		}
		w.left--
		w.queue = w.queue[:0]
		w.event()
	}
	r := w.queue[0]
	w.queue = w.queue[1:]
	return r, nil
}

func (w *workload) event() {
	n := w.random.IntN(len(w.requests))
	id := w.requests[n]
	w.add(trace.Record{Kind: trace.KindBefore, ID: id})
	w.add(trace.Record{Kind: trace.KindDone, Op: id - 1})
	for range 10 {
		key := w.random.IntN(6)
		r := trace.Record{Kind: trace.KindRead, Object: uint64(n + 2)}
		if w.random.IntN(5) == 0 {
			key = 6 + w.random.IntN(100)
			r.Object = 1
		}
		// Each location has three sites: two that read it, one that writes it.
		r.Key, r.Site = w.keys[key], uint64(1+(key+w.random.IntN(2))%20)
		if w.random.IntN(3) == 0 {
			r.Kind, r.Site = trace.KindWrite, uint64(21+key%20)
		}
		w.add(r)
	}
	w.requests[n] = w.init(id)
	if w.shape == "batch" && w.random.IntN(20) == 0 {
		// Another request waits for this one: chains join.
		w.requests[w.random.IntN(len(w.requests))] = w.init(id)
	}
	w.add(trace.Record{Kind: trace.KindAfter})
}

// BenchmarkAnalyze: the whole analysis of 100,000 events with 1,000,000 accesses.
func BenchmarkAnalyze(b *testing.B) {
	for _, requests := range []int{100, 10_000} {
		for _, shape := range []string{"server", "batch"} {
			b.Run(fmt.Sprintf("%s-%d", shape, requests), func(b *testing.B) {
				for b.Loop() {
					p, err := Analyze([]trace.Source{newWorkload(100_000, requests, shape)})
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(len(p.Candidates)), "candidates")
				}
			})
		}
	}
}

// BenchmarkOrder: reading and order alone.
func BenchmarkOrder(b *testing.B) {
	for b.Loop() {
		log, err := hb.Load(newWorkload(100_000, 100, "server"))
		if err != nil {
			b.Fatal(err)
		}
		g := hb.Build(log)
		b.ReportMetric(float64(g.Nodes()), "nodes")
		b.ReportMetric(float64(g.Chains()), "chains")
	}
}
