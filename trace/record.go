package trace

// Kind is the tag of a record; docs/trace-format.md is the specification.
type Kind uint8

// The kinds of records. Those from KindInit to KindTest are order records: their
// position in the file, counted from 1, is their ordinal.
const (
	KindString     Kind = 0x01
	KindProcess    Kind = 0x02
	KindSite       Kind = 0x03
	KindLost       Kind = 0x04
	KindEnd        Kind = 0x05
	KindInit       Kind = 0x10
	KindBefore     Kind = 0x11
	KindAfter      Kind = 0x12
	KindResolve    Kind = 0x13
	KindCombine    Kind = 0x14
	KindCombined   Kind = 0x15
	KindTimer      Kind = 0x16
	KindClear      Kind = 0x17
	KindRefresh    Kind = 0x18
	KindUncaught   Kind = 0x19
	KindOp         Kind = 0x20
	KindDone       Kind = 0x21
	KindFile       Kind = 0x22
	KindSocket     Kind = 0x23
	KindWrote      Kind = 0x24
	KindGot        Kind = 0x25
	KindTest       Kind = 0x26
	KindObject     Kind = 0x30
	KindRead       Kind = 0x31
	KindWrite      Kind = 0x32
	KindHold       Kind = 0x40
	KindRelease    Kind = 0x41
	KindInfeasible Kind = 0x42
)

// Flags of a site.
const (
	SiteCondition   = 1 << iota // inside a condition
	SiteArithmetic              // ++ -- += -= or x = x ± n
	SiteLogical                 // &&= ||= ??=
	SiteCall                    // read to call a method
	SiteSplit                   // an await or yield separates read and write
	SiteDelete                  // delete
	SiteListener                // listener list
	SiteContents                // contents of a container
	SiteUpdateRead              // the read of an update: the same expression writes it
	SiteNullWrite               // the value written is null or undefined
	SiteDereference             // dereferenced at once
)

// Flags of an op.
const (
	OpStart      = 1 << iota // its start may be held
	OpCompletion             // its completion may be held
	OpRecurring              // it completes more than once
	OpTimer                  // a timer
	OpArrival                // it arrives from outside; the record stands directly before its done
)

// The kinds of file accesses: NRace's seven.
const (
	FileCreate = 1 + iota
	FileDelete
	FileRead
	FileWrite
	FileOpen
	FileClose
	FileStat
)

// Record is one decoded record. Which fields a kind uses, and what they are
// called in the text form, stands in the table in kinds.go.
type Record struct {
	Kind    Kind
	Offset  int64  // of its tag in the file; 0 in text
	Ordinal uint64 // of an order record; 0 for the others

	ID      uint64 // async id; site, object or socket number
	Trigger uint64
	Exec    uint64
	Op      uint64 // op, done: number of the op; file, socket: the op it belongs to, 0 for none
	Promise uint64
	Site    uint64
	Object  uint64
	Back    uint64
	Digest  uint64
	Flags   uint64
	From    uint64
	To      uint64
	Line    uint64
	Column  uint64
	Delay   uint64 // ms
	Repeat  uint64
	Unref   uint64
	Access  uint64
	Phase   uint64
	Side    uint64
	Ms      uint64
	PID     uint64
	Thread  uint64
	Parent  uint64
	Mode    uint64
	Pool    uint64

	Hash uint32 // of a hold point

	Type     string // init: resource type; combine, object: kind
	Name     string // op: api; site, test: name; lost: hook; object: label
	Point    string // name of a hold point
	Path     string // file, site file, test file
	Function string
	Text     string // reason, horizon, string text
	Key      string // property or variable; socket: local
	Remote   string // socket: remote
	Role     string
	Node     string
	UV       string
	Root     string
}
