package hb

import (
	"github.com/raceseed/raceseed/trace"
)

// AccessKind says what an access does. Memory uses Read and Write only, so one
// table of names and one of conflicts serve memory and files.
type AccessKind uint8

// The kinds of accesses; the numbers are those of the trace.
const (
	Create AccessKind = trace.FileCreate
	Delete AccessKind = trace.FileDelete
	Read   AccessKind = trace.FileRead
	Write  AccessKind = trace.FileWrite
	Open   AccessKind = trace.FileOpen
	Close  AccessKind = trace.FileClose
	Stat   AccessKind = trace.FileStat
)

// LocationKind says what a location is.
type LocationKind uint8

const (
	Memory LocationKind = iota
	Listener
	File
	Timer // a timer that was cleared before it fired; its accesses are made by package race
)

// Location is something that accesses name: a variable, a property, the
// contents of a container, a listener list, a file.
type Location struct {
	Kind   LocationKind
	Object uint32 // number in Log.Objects; 0 for files
	Key    string // property, variable, event:<name>; path of a file
}

// Access is one read or write of a location.
type Access struct {
	Number   uint32 // in Log.Accesses
	Ordinal  uint32 // the order record after which it happened
	Node     NodeID // set by Build
	Location uint32 // number in Log.Locations
	Site     uint32 // number in Log.Sites
	Digest   uint32 // of the value written to memory
	Op       uint32 // the op whose task made it, 0 if running code did
	Kind     AccessKind
}

// Site is a place in the source.
type Site struct {
	File     string
	Line     int
	Column   int
	Function string
	Name     string
	Flags    uint64
}

// Object is what a memory access names.
type Object struct {
	Kind  string // object, scope, listeners, container
	Label string
}

// Op is one asynchronous operation.
type Op struct {
	API     string
	Point   string
	Hash    uint32
	Site    uint32
	Promise uint32 // number of the promise it returned
	Flags   uint64
	Ordinal uint32 // of its record
	Test    uint32 // running when it started
	Group   uint32 // set by Build: the group that started it
	Node    NodeID // set by Build: the segment that started it
	Task    NodeID // set by Build: the node of its file accesses, 0 if it has none
	DelayMs int    // of a timer
}

// Test is one test of the run.
type Test struct {
	Name string
	File string
}

// Process is the head of a trace.
type Process struct {
	PID, Thread uint64
	UV          string // version of libuv
}

// entry is one order record in few bytes. What a and b mean depends on the kind:
// see (*loader).order.
type entry struct {
	kind trace.Kind
	a, b uint32
}

// resource is one async id.
type resource struct {
	class   class
	kind    uint16 // number in Log.Types
	exec    uint32 // resource that ran when it was made
	trigger uint32
	op      uint32 // a promise: the op that returned it
	timer   uint32 // number in Log.timers
	combo   uint32 // a result of a combinator: number in Log.combos

	initOrdinal   uint32
	initTurn      uint32 // raw number of the turn: scopes that the loop called, counted
	settleOrdinal uint32 // of the last resolve, 0: never settled
	settleTurn    uint32
	cutInit       bool // its subscription and its parent's settle lie in different turns
	cutSettle     bool // a reaction of it was subscribed in another turn
}

type timer struct {
	op      uint32
	delay   uint32 // ms
	repeat  bool
	unref   bool
	made    uint32 // ordinal
	fired   uint32 // ordinal of the first firing, 0: never
	cleared uint32 // ordinal of the first clear, 0: never
	touched bool   // refreshed
}

// combo is one call of Promise.all and its like.
type combo struct {
	race    bool // race, any
	result  uint32
	members []uint32
	winner  uint32 // the member whose reaction settled the result
}

// span is a part of a byte stream.
type span struct {
	socket   uint32
	from, to uint64
}

type socket struct {
	local, remote string
	op            uint32 // connect op, 0: accepted or unknown
	ordinal       uint32 // of its record
	peer          uint32 // the other end in this process, 0: unknown
}

// Log is one recorded process in memory: the tables of its trace, the order
// records in few bytes each, the accesses.
type Log struct {
	Process   Process
	Sites     []Site     // 0: unknown place
	Objects   []Object   // 0: none
	Locations []Location // 0: none
	Ops       []Op       // 0: none
	Tests     []Test     // 0: none
	Types     []string   // of async resources; 0: unknown
	Accesses  []Access   // in file order
	Events    int
	Lost      []string // hooks that were switched off, in file order
	Truncated bool     // the file ends inside a record
	Ended     bool     // the process ended cleanly

	entries   []entry // by ordinal; entry 0 is not used
	testAt    []testChange
	resources []resource
	timers    []timer
	combos    []combo
	byDelay   map[uint32][]uint32 // timers
	spans     []span
	sockets   []socket
	lastAfter uint32 // ordinal of the last after, 0 if a before follows it
}

type testChange struct{ ordinal, test uint32 }

// TestAt returns the number of the test that ran at an ordinal, 0 if none did.
func (l *Log) TestAt(ordinal uint32) uint32 {
	low, high := 0, len(l.testAt)
	for low < high {
		mid := (low + high) / 2
		if l.testAt[mid].ordinal <= ordinal {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low == 0 {
		return 0
	}
	return l.testAt[low-1].test
}

// class is what the rules need to know of a resource type.
type class uint8

const (
	unknown   class = iota // no rule but registration
	promise                // microtask: a reaction or a thenable job
	tick                   // process.nextTick
	microtask              // queueMicrotask
	timeout                // timers phase
	immediate              // check phase
	poll                   // poll phase, callbacks of one resource unordered
	stream                 // callbacks of one handle in order; poll phase if bytes came
)

var classes = map[string]class{
	"PROMISE": promise, "TickObject": tick, "Microtask": microtask,
	"Timeout": timeout, "Immediate": immediate,

	"TCPWRAP": stream, "PIPEWRAP": stream, "TLSWRAP": stream, "TTYWRAP": stream,
	"HTTPINCOMINGMESSAGE": stream, "HTTPCLIENTREQUEST": stream,
	"PROCESSWRAP": stream, "WORKER": stream, "ZLIB": stream,

	"FSREQCALLBACK": poll, "FSREQPROMISE": poll, "FILEHANDLECLOSEREQ": poll,
	"FSEVENTWRAP": poll, "STATWATCHER": poll, "SIGNALWRAP": poll, "UDPWRAP": poll,
	"TCPSERVERWRAP": poll, "PIPESERVERWRAP": poll,
	"GETADDRINFOREQWRAP": poll, "GETNAMEINFOREQWRAP": poll, "QUERYWRAP": poll,
	"PBKDF2REQUEST": poll, "SCRYPTREQUEST": poll, "RANDOMBYTESREQUEST": poll,
	"KEYPAIRGENREQUEST": poll, "KEYGENREQUEST": poll, "HASHREQUEST": poll,
	"SIGNREQUEST": poll, "CIPHERREQUEST": poll, "DERIVEBITSREQUEST": poll,
}

func (c class) micro() bool { return c == promise || c == tick || c == microtask }
