package trace

import (
	"fmt"
	"strconv"
	"strings"
)

const (
	maxTimers  = 8    // N of UntilTimers
	maxDelayMs = 4095 // DelayMs of UntilLateArmed
)

// horizonForm is how one kind of horizon is written: which of its fields follow.
type horizonForm struct {
	kind                 byte
	point, timers, delay bool
}

// horizonForms has the code of a kind in a witness as its index. The codes are
// for ever; those that follow are reserved (docs/schedules.md).
var horizonForms = []horizonForm{
	{kind: UntilPoint, point: true},
	{kind: UntilPointNow, point: true},
	{kind: UntilTimers, timers: true},
	{kind: UntilDrained},
	{kind: UntilQuiet},
	{kind: UntilLateArmed, point: true, delay: true},
	{kind: Paused, delay: true},
}

// form gives the code and the form of the kind of h.
func (h Horizon) form() (code int, form horizonForm, err error) {
	for code, form := range horizonForms {
		if form.kind != h.Kind {
			continue
		}
		if form.timers && (h.N < 1 || h.N > maxTimers) {
			return 0, form, fmt.Errorf("horizon t waits for 1 to %d timers, not %d", maxTimers, h.N)
		}
		if form.delay && (h.DelayMs < 0 || h.DelayMs > maxDelayMs) {
			return 0, form, fmt.Errorf("horizon %c has a delay of 0 to %d ms, not %d", h.Kind, maxDelayMs, h.DelayMs)
		}
		return code, form, nil
	}
	return 0, horizonForm{}, fmt.Errorf("unknown kind of horizon %q", h.Kind)
}

// String gives the text of session files and traces: "o:<8 hex>", "O:<8 hex>",
// "t1" … "t8", "d", "q", "B:<8 hex>:<ms>", "z:<ms>"; of an invalid horizon "?".
func (h Horizon) String() string {
	_, form, err := h.form()
	if err != nil {
		return "?"
	}
	text := string(h.Kind)
	if form.point {
		text += fmt.Sprintf(":%08x", h.Point)
	}
	if form.timers {
		text += strconv.Itoa(h.N)
	}
	if form.delay {
		text += fmt.Sprintf(":%d", h.DelayMs)
	}
	return text
}

// ParseHorizon takes what String gives, and nothing else.
func ParseHorizon(text string) (Horizon, error) {
	h, err := parseHorizon(text)
	if err == nil && h.String() != text {
		err = fmt.Errorf("its usual form is %q", h)
	}
	if err != nil {
		return Horizon{}, fmt.Errorf("horizon %q: %w", text, err)
	}
	return h, nil
}

func parseHorizon(text string) (Horizon, error) {
	if text == "" {
		return Horizon{}, fmt.Errorf("it is empty")
	}
	h := Horizon{Kind: text[0]}
	var err error
	switch rest := text[1:]; h.Kind {
	case UntilTimers:
		h.N, err = strconv.Atoi(rest)
	case Paused:
		h.DelayMs, err = strconv.Atoi(strings.TrimPrefix(rest, ":"))
	case UntilPoint, UntilPointNow, UntilLateArmed:
		point, delay, _ := strings.Cut(strings.TrimPrefix(rest, ":"), ":")
		if h.Point, err = parseHash(point); err == nil && h.Kind == UntilLateArmed {
			h.DelayMs, err = strconv.Atoi(delay)
		}
	}
	if err == nil {
		_, _, err = h.form()
	}
	return h, err
}

// parseHash takes eight lower-case hex digits.
func parseHash(text string) (uint32, error) {
	v, err := strconv.ParseUint(text, 16, 32)
	if err != nil || len(text) != 8 || strings.ToLower(text) != text {
		return 0, fmt.Errorf("%q, not 8 lower-case hex digits", text)
	}
	return uint32(v), nil
}

// HashPoint gives the hash of a hold point's name: FNV-1a with 32 bits over the
// UTF-8 bytes (Fowler, Noll, Vo), then the finaliser fmix32 of MurmurHash3 (Appleby), so that names
// which differ in their last digit only differ everywhere. The agent's hashPoint
// (points.cjs) is the same function.
func HashPoint(name string) uint32 {
	h := uint32(0x811c9dc5)
	for i := range len(name) {
		h = (h ^ uint32(name[i])) * 0x01000193
	}
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}
