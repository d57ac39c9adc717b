package trace

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Describe puts the hold into words for people. names gives the name of the
// hold point that has a hash, "" if it is not known; nil knows none.
func (h Hold) Describe(names func(uint32) string) string {
	words := func(point uint32) string {
		name := ""
		if names != nil {
			name = names(point)
		}
		if name == "" {
			return fmt.Sprintf("the unknown hold point %08x", point)
		}
		return describePoint(name)
	}
	side := "start"
	if h.Side == Completion {
		side = "completion"
	}
	if h.Horizon.Kind == Paused {
		return fmt.Sprintf("pause the process for %d ms at the %s of %s", h.Horizon.DelayMs, side, words(h.Point))
	}
	return fmt.Sprintf("hold the %s of %s until %s", side, words(h.Point), h.Horizon.describe(words))
}

func (h Horizon) describe(words func(uint32) string) string {
	switch h.Kind {
	case UntilPoint:
		return words(h.Point) + " and what follows from it has completed"
	case UntilPointNow:
		return words(h.Point) + " has completed, before anything that follows from it"
	case UntilTimers:
		if h.N == 1 {
			return "1 timer has fired"
		}
		return fmt.Sprintf("%d timers have fired", h.N)
	case UntilDrained:
		return "nothing else is under way, timers aside"
	case UntilQuiet:
		return "nothing else is under way and no timer is due within 1 s"
	case UntilLateArmed:
		return fmt.Sprintf("%s is due in less than %d ms", words(h.Point), h.DelayMs)
	}
	return fmt.Sprintf("an unknown horizon %q", h.Kind)
}

// The parts of a hold point's name (docs/schedules.md).
var (
	// rest, number, arrivals on what the operation opened
	pointTail = regexp.MustCompile(`^(.*) \{.*\} #(\d+)(.*)$`)
	// api, user frame, application frame, path
	pointHead = regexp.MustCompile(`^(.+?) ([^ @]*)@([^ ]+)(?: < ([^ @]*)@([^ ]+))?(?: (.+))?$`)
)

// describePoint makes words of a hold point's name: "fs.readFile of
// data/shop.json in load() (src/store.js), call 2", "data 1 on net.connect in
// get() (src/client.js)". The frame is that of the application if there is one;
// test and role are left out. A name of another shape stays as it is, in quotes.
func describePoint(name string) string {
	tail := pointTail.FindStringSubmatch(name)
	if tail == nil {
		return strconv.Quote(name)
	}
	base, _, _ := strings.Cut(tail[1], " [")
	head := pointHead.FindStringSubmatch(base)
	if head == nil {
		return strconv.Quote(name)
	}
	api, function, file, path := head[1], head[2], head[3], head[6]
	if head[5] != "" {
		function, file = head[4], head[5]
	}
	words := api
	if path != "" {
		words += " of " + path
	}
	if function == "" {
		words += " in " + file
	} else {
		words += fmt.Sprintf(" in %s() (%s)", function, file)
	}
	if tail[2] != "1" {
		words += ", call " + tail[2]
	}
	if arrivals := strings.TrimSpace(tail[3]); arrivals != "" {
		words = arrivals + " on " + words
	}
	return words
}
