package trace

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each file of testdata/validate is one hand-written trace: "SUCCESS", or
// "FAILURE" and the error behind "malformed trace at".
func TestValidate(t *testing.T) {
	paths, err := filepath.Glob("testdata/validate/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			_, archive, _ := strings.Cut(string(data), "-- expect --\n")
			want, text, found := strings.Cut(archive, "\n-- trace --\n")
			if !found {
				t.Fatal("want the files expect and trace")
			}
			got := "SUCCESS"
			_, err = Validate(NewTextReader(strings.NewReader(text)))
			var malformed *MalformedError
			if errors.As(err, &malformed) {
				got = "FAILURE " + strings.TrimPrefix(err.Error(), "malformed trace at ")
			} else if err != nil {
				got = err.Error()
			}
			if got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestValidateSummary(t *testing.T) {
	sample := sampleTrace()
	got, err := Validate(reader(t, encode(t, sample...)))
	if err != nil {
		t.Fatal(err)
	}
	want := Summary{Counts: map[Kind]uint64{}, Events: 1, Ended: true}
	for _, r := range sample {
		want.Counts[r.Kind]++
	}
	want.Process = sample[0]
	want.Process.Offset = got.Process.Offset
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func reader(tb testing.TB, file []byte) *Reader {
	tb.Helper()
	r, err := NewReader(bytes.NewReader(file))
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

func TestValidateTruncated(t *testing.T) {
	whole := encode(t, sampleTrace()[:5]...)
	cut := encode(t, sampleTrace()[:6]...)
	got, err := Validate(reader(t, cut[:len(cut)-1]))
	if err != nil || !got.Truncated || got.TruncatedAt != int64(len(whole)) || got.Ended {
		t.Errorf("got %+v, %v, want truncated at %d", got, err, len(whole))
	}
	if got, err := Validate(reader(t, whole[:7])); err != nil || !got.Truncated {
		t.Errorf("cut inside the process record: %+v, %v", got, err)
	}
}

// In a binary trace the place of an error is the offset of the record.
func TestValidateOffset(t *testing.T) {
	file := encode(t, Record{Kind: KindProcess, Mode: 1}, Record{Kind: KindAfter})
	_, err := Validate(reader(t, file))
	var malformed *MalformedError
	if !errors.As(err, &malformed) || malformed.Offset != int64(len(file)-1) || malformed.Line != 0 {
		t.Errorf("err = %+v, want offset %d", err, len(file)-1)
	}
}

// A name that the agent has cut has the hash of the whole name.
func TestValidateCutName(t *testing.T) {
	name := strings.Repeat("x", uncutBytes)
	file := encode(t, Record{Kind: KindProcess, Mode: 1}, Record{Kind: KindOp, Op: 1, Point: name, Hash: HashPoint(name + "y")})
	if _, err := Validate(reader(t, file)); err != nil {
		t.Error(err)
	}
}

func TestValidatePassesErrors(t *testing.T) {
	if _, err := Validate(source{io.ErrClosedPipe}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("err = %v", err)
	}
}

type source struct{ err error }

func (s source) Next() (Record, error) { return Record{}, s.err }
