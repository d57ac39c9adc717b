package trace

import (
	"math"
	"strings"

	"pgregory.net/rapid"
)

// sampleTrace has every kind once or more, in an order that Validate accepts.
func sampleTrace() []Record {
	const name = "fs.readFile load@src/store.js data/shop.json {test/store.js} #1"
	return []Record{
		{Kind: KindProcess, PID: 4711, Parent: 4700, Role: "test/store.js", Node: "20.20.0", UV: "1.46.0", Root: "/srv/shop", Mode: 2, Pool: 4},
		{Kind: KindSite, ID: 1, Path: "src/store.js", Line: 12, Column: 5, Function: "load", Name: "count", Flags: SiteArithmetic},
		{Kind: KindLost, Name: "net", Text: "socket._handle is \"null\""},
		{Kind: KindTest, Phase: 0, Name: "store > loads", Path: "test/store.js"},
		{Kind: KindInit, ID: 5, Type: "Timeout", Trigger: 1, Exec: 1},
		{Kind: KindTimer, ID: 5, Delay: 10, Repeat: 1},
		{Kind: KindOp, Op: 1, Name: "fs.readFile", Point: name, Hash: HashPoint(name), Site: 1, Flags: OpStart | OpCompletion},
		{Kind: KindFile, Op: 1, Access: FileRead, Path: "data/shop.json", Site: 1},
		{Kind: KindHold, Hash: HashPoint(name), Point: name, Side: 1, Text: "t1", Ms: 120},
		{Kind: KindBefore, ID: 5},
		{Kind: KindObject, ID: 1, Type: "object", Name: "Store"},
		{Kind: KindRead, Object: 1, Key: "count", Site: 1},
		{Kind: KindWrite, Back: 2, Object: 1, Key: "count", Site: 1, Digest: math.MaxUint32},
		{Kind: KindCombine, Type: "allSettled"},
		{Kind: KindCombined, ID: 9},
		{Kind: KindRefresh, ID: 5},
		{Kind: KindClear, ID: 5},
		{Kind: KindAfter},
		{Kind: KindRelease, Hash: HashPoint(name), Side: 1, Text: "reached", Ms: 15},
		{Kind: KindDone, Op: 1},
		{Kind: KindSocket, ID: 1, Key: "127.0.0.1:3000", Remote: "127.0.0.1:40000"},
		{Kind: KindWrote, ID: 1, From: 0, To: 300},
		{Kind: KindGot, ID: 1, From: 300, To: 300},
		{Kind: KindResolve, ID: 9, Exec: 5},
		{Kind: KindInfeasible, Hash: HashPoint(name), Text: "the held call threw at once"},
		{Kind: KindUncaught},
		{Kind: KindTest, Phase: 1, Name: "store > loads", Path: "test/store.js"},
		{Kind: KindEnd},
	}
}

// records draws records that may stand in a trace, of any kind in any order.
func records() *rapid.Generator[[]Record] {
	return rapid.Custom(func(t *rapid.T) []Record {
		var q sequence
		list := rapid.SliceOfN(record(), 0, 30).Draw(t, "records")
		for i := range list {
			switch list[i].Kind {
			case KindSite:
				list[i].ID = q.sites + 1
			case KindOp:
				list[i].Op = q.ops + 1
			}
			if reason := q.place(&list[i]); reason != "" {
				t.Fatal(reason)
			}
		}
		return list
	})
}

func record() *rapid.Generator[Record] {
	texts := rapid.OneOf(rapid.SampledFrom([]string{"", "a", "a\"b\\c", "\x00\n\t#=", "\u2028 \U0001f600", strings.Repeat("long ", 60)}), rapid.String())
	return rapid.Custom(func(t *rapid.T) Record {
		info := rapid.SampledFrom(kinds[1:]).Draw(t, "kind")
		r := Record{Kind: info.kind}
		for i := range info.fields {
			f := &info.fields[i]
			switch f.encoding {
			case asNumber:
				*f.number(&r) = rapid.Uint64Range(f.min, f.max).Draw(t, f.name)
			case asHash:
				r.Hash = rapid.Uint32().Draw(t, f.name)
			default:
				*f.text(&r) = texts.Draw(t, f.name)
			}
		}
		return r
	})
}
