package trace

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"testing"
)

const benchRecords = 200_000

// benchTrace is a trace with the mix of kinds of a real recording: mostly
// promise life cycles and memory accesses.
func benchTrace(tb testing.TB) []byte {
	tb.Helper()
	var file bytes.Buffer
	w := NewWriter(&file)
	write := func(r Record) {
		if err := w.Write(r); err != nil {
			tb.Fatal(err)
		}
	}
	write(Record{Kind: KindProcess, PID: 4711, Role: "test/all.js", Node: "20.20.0", UV: "1.46.0", Root: "/srv/app", Mode: 1, Pool: 4})
	for n := range uint64(500) {
		write(Record{Kind: KindSite, ID: n + 1, Path: fmt.Sprintf("src/module%d.js", n%40), Line: n * 7, Column: n % 80, Function: fmt.Sprintf("function%d", n), Name: "count", Flags: n % 2048})
		write(Record{Kind: KindObject, ID: n + 1, Type: "object", Name: "Store"})
	}
	for n := uint64(0); n < benchRecords; {
		id := 1000 + n
		for _, r := range []Record{
			{Kind: KindInit, ID: id, Type: "PROMISE", Trigger: id - 3, Exec: id - 9},
			{Kind: KindBefore, ID: id},
			{Kind: KindRead, Back: 0, Object: n%500 + 1, Key: fmt.Sprintf("key%d", n%300), Site: n%500 + 1},
			{Kind: KindRead, Back: 0, Object: n%90 + 1, Key: fmt.Sprintf("key%d", n%7), Site: n%400 + 1},
			{Kind: KindWrite, Back: 2, Object: n%500 + 1, Key: fmt.Sprintf("key%d", n%300), Site: n%500 + 1, Digest: n * 2654435761 % (1 << 32)},
			{Kind: KindResolve, ID: id, Exec: id - 9},
			{Kind: KindAfter},
		} {
			write(r)
			n++
		}
	}
	write(Record{Kind: KindEnd})
	return file.Bytes()
}

// BenchmarkRead decodes whole records; BenchmarkReadFloor only the numbers of
// the same bytes, as if the file were nothing else.
func BenchmarkRead(b *testing.B) {
	file := benchTrace(b)
	records := 0
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		r, err := NewReader(bytes.NewReader(file))
		if err != nil {
			b.Fatal(err)
		}
		for {
			_, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
			records++
		}
	}
	b.ReportMetric(float64(records)/b.Elapsed().Seconds(), "records/s")
}

func BenchmarkReadFloor(b *testing.B) {
	file := benchTrace(b)
	b.SetBytes(int64(len(file)))
	sum := uint64(0)
	for b.Loop() {
		for rest := file; len(rest) > 0; {
			v, n := binary.Uvarint(rest)
			if n <= 0 { // bytes of a text that are no number
				n = 1
			}
			sum += v
			rest = rest[n:]
		}
	}
	if sum == 0 {
		b.Fatal("nothing was decoded")
	}
}
