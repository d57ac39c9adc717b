package trace

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func horizon() *rapid.Generator[Horizon] {
	return rapid.Custom(func(t *rapid.T) Horizon {
		form := rapid.SampledFrom(horizonForms).Draw(t, "form")
		h := Horizon{Kind: form.kind}
		if form.point {
			h.Point = rapid.Uint32().Draw(t, "point")
		}
		if form.timers {
			h.N = rapid.IntRange(1, maxTimers).Draw(t, "n")
		}
		if form.delay {
			h.DelayMs = rapid.IntRange(0, maxDelayMs).Draw(t, "delay")
		}
		return h
	})
}

func TestHorizonRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := horizon().Draw(t, "horizon")
		if got, err := ParseHorizon(h.String()); got != h || err != nil {
			t.Fatalf("%q comes back as %+v, %v", h, got, err)
		}
	})
}

func TestParseHorizonRefuses(t *testing.T) {
	for _, text := range []string{
		"", "x", "?", "t", "t0", "t9", "t01", "t+1", "t1 ", "t:1", "d1", "q:", "o", "o:", "o:1", "o9b9bc1bb", "o:9B9BC1BB",
		"o:9b9bc1bb:", "o:+b9bc1bb", "o:9b9bc1bb0", "B:9b9bc1bb", "B:9b9bc1bb:", "B:9b9bc1bb:-1", "B:9b9bc1bb:4096", "B:9b9bc1bb:07", "B:9b9bc1bb:7:7", "é",
	} {
		h, err := ParseHorizon(text)
		if err == nil {
			t.Errorf("%q is taken as %+v", text, h)
		} else if h != (Horizon{}) || !strings.HasPrefix(err.Error(), "horizon \"") {
			t.Errorf("%q: %+v, %v", text, h, err)
		}
	}
}

func TestInvalidHorizonHasNoText(t *testing.T) {
	for _, h := range []Horizon{{}, {Kind: 'x'}, {Kind: UntilTimers}, {Kind: UntilTimers, N: 9}, {Kind: UntilLateArmed, DelayMs: -1}} {
		if got := h.String(); got != "?" {
			t.Errorf("%+v is %q", h, got)
		}
	}
}
