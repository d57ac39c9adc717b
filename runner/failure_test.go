package runner

import (
	"strings"
	"testing"
)

func TestFailureMessage(t *testing.T) {
	for _, c := range []struct{ name, output, want string }{
		{"tap, nested", `TAP version 13
# Subtest: outer
    # Subtest: inner
    not ok 1 - inner
      ---
      duration_ms: 3.66
      failureType: 'testCodeFailure'
      error: |-
        Expected values to be strictly equal:
        
        1 !== 2
        
      code: 'ERR_ASSERTION'
      stack: |-
        TestContext.<anonymous> (/x/a.test.cjs:2:57)
      ...
not ok 1 - outer
  ---
  error: '1 subtest failed'
  ...
`, "Expected values to be strictly equal:\n1 !== 2"},
		{"tap, one line with a quote", `not ok 2 - plain
  ---
  error: 'it''s bad'
  code: 'ERR_TEST_FAILURE'
`, "it's bad"},
		{"tap, a parent first", `not ok 1 - outer
  ---
  error: '2 subtests failed'
  ...
not ok 2 - other
  ---
  error: 'real'
`, "real"},
		{"spec", `▶ outer
Error: only logged by the application
  ✖ inner (2.4ms)

✖ failing tests:

test at a.test.cjs:2:32
✖ inner (2.4ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
  
  1 !== 2
  
      at TestContext.<anonymous> (/x/a.test.cjs:2:57)
    generatedMessage: true,
`, "AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n1 !== 2"},
		{"mocha", `  store
    1) keeps both

  0 passing (12ms)
  1 failing

  1) store
       keeps both:

      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

1 !== 2

      + expected - actual

      -1
      +2
      
      at Context.<anonymous> (test.js:4:12)
`, "AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n1 !== 2\n+ expected - actual\n-1\n+2"},
		{"mocha, limit", "  1 failing\n\n  1) a\n     Error: Timeout of 2000ms exceeded.\n      at listOnTimeout (node:internal/timers:581:17)\n",
			"Error: Timeout of 2000ms exceeded."},
		{"uncaught", "Error: logged\n/x/b.cjs:1\nthrow new TypeError('boom')\n      ^\n\nTypeError: boom\n    at Timeout._onTimeout (/x/b.cjs:1:23)\n    at listOnTimeout (node:internal/timers:581:17)\n\nNode.js v20.20.2\n",
			"TypeError: boom"},
		{"uncaught assertion", "node:assert:90\n  throw new AssertionError(obj);\n  ^\n\nAssertionError [ERR_ASSERTION]: not equal:\n+ actual - expected\n\n  {\n+   a: 1\n  }\n    at Object.<anonymous> (/x/d.cjs:1:24) {\n  code: 'ERR_ASSERTION'\n}\n",
			"AssertionError [ERR_ASSERTION]: not equal:\n+ actual - expected\n{\n+   a: 1\n}"},
		{"uncaught text", "/x/e.cjs:1\nthrow 'a string'\n^\na string\n(Use `node --trace-uncaught ...`)\n", "a string"},
		{"colours and CRLF", "\x1b[31mRangeError\x1b[0m: too far\r\n    at f (/x.js:1:2)\r\n", "RangeError: too far"},
		{"only words", "starting\nlost an item\n\n", "lost an item"},
		{"nothing", "", ""},
		{"eight lines at most", "Error: 1\n2\n3\n4\n5\n6\n7\n8\n9\n", "Error: 1\n2\n3\n4\n5\n6\n7\n8"},
		{"long", "Error: " + strings.Repeat("ü", 2000), "Error: " + strings.Repeat("ü", 996) + " …"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := FailureMessage(c.output); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
