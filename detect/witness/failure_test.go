package witness

import (
	"testing"

	"github.com/raceseed/raceseed/trace"
)

func TestFailureKey(t *testing.T) {
	tests := []struct {
		name string
		a, b string
		same bool
	}{
		{"equal", "expected 1 to equal 2", "expected 1 to equal 2", true},
		{"digits", "expected 10 to equal 2", "expected 9 to equal 31", true},
		{"hexadecimal", "object 0x7ffe12 freed", "object 0xab90 freed", true},
		{"uuid", "no row 123e4567-e89b-12d3-a456-426614174000", "no row 9b2fdc11-aaaa-4bbb-8ccc-0123456789ab", true},
		{"paths", "ENOENT: open '/tmp/run-a/x.json'", "ENOENT: open '/var/b/y/z.json'", true},
		{"Windows paths", `open "C:\Temp\a b`, `open "D:\x b`, true},
		{"addresses", "GET http://127.0.0.1:3000/a failed", "GET http://[::1]:41/b/c failed", true},
		{"positions", "at f (/a/b.js:3:14)", "at f (/c/b.js:30:1)", true},
		{"durations", "gave up after 1.5ms", "gave up after 20 ms", true},
		{"numbers in words", "lost job12x", "lost job7x", true},
		{"colours and space", "\x1b[31mexpected\x1b[0m  1\n", "expected 1", true},
		{"other words", "expected a", "expected b", false},
		{"other operator", "1 == 2", "1 != 2", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := failureKey(trace.Observation{Outcome: trace.Failed, Failure: test.a})
			b := failureKey(trace.Observation{Outcome: trace.Failed, Failure: test.b})
			if (a == b) != test.same {
				t.Errorf("keys %q and %q, want same = %v", a, b, test.same)
			}
		})
	}
}

func TestFailureKeyOfHangs(t *testing.T) {
	a := trace.Observation{Outcome: trace.Hung, Failure: "half a li"}
	b := trace.Observation{Outcome: trace.Hung}
	if failureKey(a) != failureKey(b) {
		t.Error("what a hung run had printed must not matter")
	}
	if failureKey(b) == failureKey(trace.Observation{Outcome: trace.Failed}) {
		t.Error("a hang must differ from a failure without a message")
	}
}
