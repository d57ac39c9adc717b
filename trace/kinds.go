package trace

import (
	"fmt"
	"unicode/utf8"
)

const (
	maxNumber = 1<<53 - 1 // what JavaScript can count to exactly
	maxText   = 1 << 20   // bytes of one text

	firstOrder, lastOrder Kind = 0x10, 0x2f // tags of order records
)

// encoding is how a field stands in the file.
type encoding byte

const (
	asNumber encoding = 'u'
	asString encoding = 's' // number of an earlier string record
	asText   encoding = 't'
	asHash   encoding = 'h' // always Record.Hash
)

// field is one field of a kind: its name in the text form, its encoding, and
// the place in Record that it fills.
type field struct {
	name     string
	encoding encoding
	number   func(*Record) *uint64 // asNumber
	text     func(*Record) *string // asString, asText
	min, max uint64                // asNumber: inclusive
}

// kindInfo is one row of the table.
type kindInfo struct {
	kind   Kind
	name   string
	fields []field
}

// kinds is the table of all kinds by tag, fields in file order. Reader, writer
// and text form have no other; a test compares it with docs/trace-format.md.
var kinds = []kindInfo{
	{KindString, "string", []field{txt("text", rec.text)}},
	{KindProcess, "process", []field{num("pid", rec.pid), num("thread", rec.thread), num("parent", rec.parent), txt("role", rec.role), txt("node", rec.node), txt("uv", rec.uv), txt("root", rec.root), within("mode", rec.mode, 1, 2), num("pool", rec.pool)}},
	{KindSite, "site", []field{num("id", rec.id), ref("file", rec.path), num("line", rec.line), num("column", rec.column), ref("function", rec.function), ref("name", rec.name), num("flags", rec.flags)}},
	{KindLost, "lost", []field{ref("hook", rec.name), txt("reason", rec.text)}},
	{KindEnd, "end", nil},
	{KindInit, "init", []field{num("id", rec.id), ref("type", rec.typ), num("trigger", rec.trigger), num("exec", rec.exec)}},
	{KindBefore, "before", []field{num("id", rec.id)}},
	{KindAfter, "after", nil},
	{KindResolve, "resolve", []field{num("id", rec.id), num("exec", rec.exec)}},
	{KindCombine, "combine", []field{ref("kind", rec.typ)}},
	{KindCombined, "combined", []field{num("id", rec.id)}},
	{KindTimer, "timer", []field{num("id", rec.id), num("delay", rec.delay), within("repeat", rec.repeat, 0, 1), within("unref", rec.unref, 0, 1)}},
	{KindClear, "clear", []field{num("id", rec.id)}},
	{KindRefresh, "refresh", []field{num("id", rec.id)}},
	{KindUncaught, "uncaught", nil},
	{KindOp, "op", []field{num("op", rec.op), ref("api", rec.name), ref("point", rec.point), hash("hash"), num("site", rec.site), num("promise", rec.promise), num("flags", rec.flags)}},
	{KindDone, "done", []field{num("op", rec.op)}},
	{KindFile, "file", []field{num("op", rec.op), within("access", rec.access, FileCreate, FileStat), ref("path", rec.path), num("site", rec.site)}},
	{KindSocket, "socket", []field{num("socket", rec.id), ref("local", rec.key), ref("remote", rec.remote), num("op", rec.op)}},
	{KindWrote, "wrote", []field{num("socket", rec.id), num("from", rec.from), num("to", rec.to)}},
	{KindGot, "got", []field{num("socket", rec.id), num("from", rec.from), num("to", rec.to)}},
	{KindTest, "test", []field{within("phase", rec.phase, 0, 1), ref("name", rec.name), ref("file", rec.path)}},
	{KindObject, "object", []field{num("id", rec.id), ref("kind", rec.typ), ref("label", rec.name)}},
	{KindRead, "read", []field{num("back", rec.back), num("object", rec.object), ref("key", rec.key), num("site", rec.site)}},
	{KindWrite, "write", []field{num("back", rec.back), num("object", rec.object), ref("key", rec.key), num("site", rec.site), within("digest", rec.digest, 0, 1<<32-1)}},
	{KindHold, "hold", []field{hash("hash"), ref("point", rec.point), within("side", rec.side, 0, 1), txt("horizon", rec.text), num("ms", rec.ms)}},
	{KindRelease, "release", []field{hash("hash"), within("side", rec.side, 0, 1), ref("reason", rec.text), num("ms", rec.ms)}},
	{KindInfeasible, "infeasible", []field{hash("hash"), ref("reason", rec.text)}},
}

// rec lets the table name the accessors below: rec.id is the method that waits
// for its receiver.
type rec = *Record

func num(name string, at func(*Record) *uint64) field { return within(name, at, 0, maxNumber) }

func within(name string, at func(*Record) *uint64, min, max uint64) field {
	return field{name: name, encoding: asNumber, number: at, min: min, max: max}
}

func ref(name string, at func(*Record) *string) field {
	return field{name: name, encoding: asString, text: at}
}

func txt(name string, at func(*Record) *string) field {
	return field{name: name, encoding: asText, text: at}
}

func hash(name string) field { return field{name: name, encoding: asHash} }

func (r *Record) id() *uint64      { return &r.ID }
func (r *Record) trigger() *uint64 { return &r.Trigger }
func (r *Record) exec() *uint64    { return &r.Exec }
func (r *Record) op() *uint64      { return &r.Op }
func (r *Record) promise() *uint64 { return &r.Promise }
func (r *Record) site() *uint64    { return &r.Site }
func (r *Record) object() *uint64  { return &r.Object }
func (r *Record) back() *uint64    { return &r.Back }
func (r *Record) digest() *uint64  { return &r.Digest }
func (r *Record) flags() *uint64   { return &r.Flags }
func (r *Record) from() *uint64    { return &r.From }
func (r *Record) to() *uint64      { return &r.To }
func (r *Record) line() *uint64    { return &r.Line }
func (r *Record) column() *uint64  { return &r.Column }
func (r *Record) delay() *uint64   { return &r.Delay }
func (r *Record) repeat() *uint64  { return &r.Repeat }
func (r *Record) unref() *uint64   { return &r.Unref }
func (r *Record) access() *uint64  { return &r.Access }
func (r *Record) phase() *uint64   { return &r.Phase }
func (r *Record) side() *uint64    { return &r.Side }
func (r *Record) ms() *uint64      { return &r.Ms }
func (r *Record) pid() *uint64     { return &r.PID }
func (r *Record) thread() *uint64  { return &r.Thread }
func (r *Record) parent() *uint64  { return &r.Parent }
func (r *Record) mode() *uint64    { return &r.Mode }
func (r *Record) pool() *uint64    { return &r.Pool }

func (r *Record) typ() *string      { return &r.Type }
func (r *Record) name() *string     { return &r.Name }
func (r *Record) point() *string    { return &r.Point }
func (r *Record) path() *string     { return &r.Path }
func (r *Record) function() *string { return &r.Function }
func (r *Record) text() *string     { return &r.Text }
func (r *Record) key() *string      { return &r.Key }
func (r *Record) remote() *string   { return &r.Remote }
func (r *Record) role() *string     { return &r.Role }
func (r *Record) node() *string     { return &r.Node }
func (r *Record) uv() *string       { return &r.UV }
func (r *Record) root() *string     { return &r.Root }

var (
	kindByTag  = indexTags()
	kindByName = indexNames()
)

func indexTags() (index [256]*kindInfo) {
	for i := range kinds {
		index[kinds[i].kind] = &kinds[i]
	}
	return index
}

func indexNames() map[string]*kindInfo {
	index := make(map[string]*kindInfo, len(kinds))
	for i := range kinds {
		index[kinds[i].name] = &kinds[i]
	}
	return index
}

// Kinds gives all kinds by tag.
func Kinds() []Kind {
	all := make([]Kind, len(kinds))
	for i, k := range kinds {
		all[i] = k.kind
	}
	return all
}

// String gives the name of the kind in the text form.
func (k Kind) String() string {
	if info := kindByTag[k]; info != nil {
		return info.name
	}
	return fmt.Sprintf("0x%02x", uint8(k))
}

// Order reports whether records of this kind have an ordinal.
func (k Kind) Order() bool { return k >= firstOrder && k <= lastOrder }

// numberReason says why v may not stand in the field, "" if it may.
func (f *field) numberReason(v uint64) string {
	switch {
	case v > maxNumber:
		return fmt.Sprintf("%s is more than 53 bits long", f.name)
	case v < f.min || v > f.max:
		return fmt.Sprintf("%s is %d, not in %d to %d", f.name, v, f.min, f.max)
	}
	return ""
}

// textReason says why v may not stand in the field, "" if it may.
func (f *field) textReason(v string) string {
	switch {
	case len(v) > maxText:
		return f.tooLong()
	case !utf8.ValidString(v):
		return fmt.Sprintf("%s is not valid UTF-8", f.name)
	}
	return ""
}

func (f *field) tooLong() string {
	return fmt.Sprintf("%s is longer than %d bytes", f.name, maxText)
}

// sequence numbers the records of one trace.
type sequence struct {
	ordinal, sites, ops uint64
}

// place gives r its ordinal. It returns why r may not come next, "" if it may.
func (q *sequence) place(r *Record) string {
	switch r.Kind {
	case KindSite:
		if r.ID != q.sites+1 {
			return fmt.Sprintf("id is %d where site %d comes next", r.ID, q.sites+1)
		}
		q.sites++
	case KindOp:
		if r.Op != q.ops+1 {
			return fmt.Sprintf("op is %d where op %d comes next", r.Op, q.ops+1)
		}
		q.ops++
	}
	if r.Kind.Order() {
		q.ordinal++
		r.Ordinal = q.ordinal
	}
	return ""
}
