package detect

import (
	"fmt"
	"strings"

	"github.com/raceseed/raceseed/detect/hb"
	"github.com/raceseed/raceseed/detect/race"
	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/trace"
)

// place describes a touch to people.
func place(g *hb.Graph, t *race.Touch) finding.Place {
	site := g.Sites[t.Site]
	p := finding.Place{
		Path: site.File, Line: site.Line, Column: site.Column, Function: site.Function,
		Access: race.Name(g.Locations[t.Location].Kind, t.Kind),
		Event:  event(g, t),
	}
	if op := startedBy(g, t); op != 0 && g.Ops[op].Site != 0 {
		o := g.Sites[g.Ops[op].Site]
		p.Origin = &finding.Frame{Path: o.File, Line: o.Line, Column: o.Column, Function: o.Function}
	}
	return p
}

// startedBy returns the operation whose task or callback made the touch.
func startedBy(g *hb.Graph, t *race.Touch) uint32 {
	if t.Op != 0 {
		return t.Op
	}
	return g.OpOf(t.Node)
}

// plainTypes names callbacks that no operation started.
var plainTypes = map[string]string{
	"Immediate": "immediate callback", "Timeout": "timer callback",
	"HTTPINCOMINGMESSAGE": "request handler", "MESSAGEPORT": "message handler",
	"TCPSERVERWRAP": "connection handler", "PIPESERVERWRAP": "connection handler",
	"SIGNALWRAP": "signal handler",
}

// event says what ran the touch.
func event(g *hb.Graph, t *race.Touch) string {
	group := &g.Groups[g.GroupOf(t.Node)]
	kind := g.Types[group.Type]
	op := &g.Ops[startedBy(g, t)]
	switch {
	case t.Op != 0 && op.Flags&trace.OpTimer != 0:
		return "timer callback"
	case t.Op != 0:
		return op.API + " task"
	case kind == "HTTPINCOMINGMESSAGE":
		return plainTypes[kind]
	case op.Flags&trace.OpTimer != 0:
		return "timer callback"
	case op.API != "" && op.Flags&trace.OpArrival != 0:
		return op.API
	case op.API != "" && op.Promise != 0:
		return "continuation of " + op.API
	case op.API != "":
		return op.API + " callback"
	case plainTypes[kind] != "":
		return plainTypes[kind]
	case g.GroupOf(t.Node) == 0:
		return "main script"
	}
	return "callback"
}

// wholeContents are the keys under which the agent records a container as a whole.
var wholeContents = map[string]bool{"": true, "[]": true, "*": true}

// resource names a location: for people, and as the key of its group, in which
// what differs from run to run is replaced.
func resource(g *hb.Graph, n uint32) (name, key string) {
	l := g.Locations[n]
	o := g.Objects[l.Object]
	member := l.Key
	if o.Label != "" {
		member = o.Label + "." + l.Key
	}
	switch {
	case l.Kind == hb.File:
		name = "file " + finding.NormalName(l.Key)
		return name, name
	case l.Kind == hb.Timer:
		return "timer of " + l.Key, "timer of " + l.Key
	case l.Kind == hb.Listener:
		event := strings.TrimPrefix(l.Key, "event:")
		name = fmt.Sprintf("event `%s`", event)
		if o.Label != "" {
			name += fmt.Sprintf(" of `%s`", o.Label)
		}
	case o.Kind == "scope":
		return fmt.Sprintf("variable `%s`", l.Key), finding.NormalName("variable " + member)
	case o.Kind == "container":
		name = fmt.Sprintf("contents of `%s`", o.Label)
		if !wholeContents[l.Key] {
			name = fmt.Sprintf("entry `%s` of `%s`", l.Key, o.Label)
		}
		// Containers have no name of their own: two arrays are two resources.
		return name, fmt.Sprintf("%s in %d of %d", name, l.Object, g.Process.PID)
	default:
		name = fmt.Sprintf("property `%s`", member)
	}
	return name, finding.NormalName(name)
}
