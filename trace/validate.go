package trace

import (
	"errors"
	"fmt"
	"io"
	"slices"
)

// Summary is what Validate saw of one trace.
type Summary struct {
	Process     Record          // its process record; zero if the trace was cut before it
	Counts      map[Kind]uint64 // records of each kind, string records aside
	Events      uint64          // before records; event 0 is not counted
	Ended       bool            // the process ended cleanly
	Truncated   bool            // the file ends inside a record
	TruncatedAt int64           // offset of that record
}

// uncutBytes: the agent cuts texts at 2,000 UTF-16 units, which are as many
// bytes or more, so a shorter text is whole and its hash can be checked.
const uncutBytes = 2000

// Validate reads the whole trace and checks that its records fit together
// (docs/trace-format.md, "Order of records"). A truncated trace is valid up to
// there. The error is a *MalformedError, or that of reading.
func Validate(src Source) (Summary, error) {
	v := validator{
		summary: Summary{Counts: map[Kind]uint64{}},
		objects: map[uint64]bool{},
		holds:   map[holdEnd]int{},
	}
	for {
		r, err := src.Next()
		var cut *TruncatedError
		switch {
		case errors.As(err, &cut):
			v.summary.Truncated, v.summary.TruncatedAt = true, cut.Offset
			return v.summary, nil
		case err == io.EOF && len(v.summary.Counts) == 0:
			return v.summary, malformed(src, r, "there is no process record")
		case err == io.EOF:
			return v.summary, nil
		case err != nil:
			return v.summary, err
		}
		if reason := v.check(&r); reason != "" {
			return v.summary, malformed(src, r, reason)
		}
	}
}

// malformed is the error for a record that src gave.
func malformed(src Source, r Record, reason string) error {
	err := &MalformedError{Offset: r.Offset, Kind: r.Kind, Reason: reason}
	if text, ok := src.(interface{ Line() int }); ok {
		err.Line = text.Line()
	}
	return err
}

type holdEnd struct {
	hash uint32
	side uint64
}

type validator struct {
	summary  Summary
	ordinal  uint64
	depth    int // of before … after
	combines int // open ones
	sites    uint64
	ops      uint64
	objects  map[uint64]bool
	holds    map[holdEnd]int // open ones
}

// check says why r does not fit behind the records before it, "" if it does.
func (v *validator) check(r *Record) string {
	switch {
	case len(v.summary.Counts) == 0 && r.Kind != KindProcess:
		return "the first record must be process"
	case v.summary.Ended:
		return "it follows the end record"
	}
	v.summary.Counts[r.Kind]++
	if r.Kind.Order() {
		v.ordinal = r.Ordinal
	}
	if check := checks[r.Kind]; check != nil {
		return check(v, r)
	}
	return ""
}

// checks has what each kind needs of the records before it.
var checks = [256]func(*validator, *Record) string{
	KindProcess:  checkProcess,
	KindSite:     func(v *validator, r *Record) string { v.sites = r.ID; return "" },
	KindEnd:      func(v *validator, r *Record) string { v.summary.Ended = true; return "" },
	KindBefore:   func(v *validator, r *Record) string { v.summary.Events++; v.depth++; return "" },
	KindAfter:    func(v *validator, r *Record) string { return closed(&v.depth, "before") },
	KindCombine:  checkCombine,
	KindCombined: func(v *validator, r *Record) string { return closed(&v.combines, "combine") },
	KindOp:       checkOp,
	KindDone:     func(v *validator, r *Record) string { return v.op(r.Op, 1) },
	KindFile:     checkFile,
	KindSocket:   func(v *validator, r *Record) string { return v.op(r.Op, 0) },
	KindWrote:    checkBytes,
	KindGot:      checkBytes,
	KindObject:   checkObject,
	KindRead:     checkAccess,
	KindWrite:    checkAccess,
	KindHold:     checkHold,
	KindRelease:  checkRelease,
}

func checkProcess(v *validator, r *Record) string {
	if v.summary.Counts[KindProcess] > 1 {
		return "there is a second one"
	}
	v.summary.Process = *r
	return ""
}

func checkCombine(v *validator, r *Record) string {
	v.combines++
	return oneOf("kind", r.Type, "all", "allSettled", "race", "any")
}

func checkOp(v *validator, r *Record) string {
	v.ops = r.Op
	if r.Hash != 0 && r.Point != "" && len(r.Point) < uncutBytes && r.Hash != HashPoint(r.Point) {
		return hashReason(r)
	}
	return v.site(r.Site, 0)
}

func checkFile(v *validator, r *Record) string {
	if reason := v.op(r.Op, 0); reason != "" {
		return reason
	}
	return v.site(r.Site, 0)
}

func checkBytes(_ *validator, r *Record) string {
	if r.From > r.To {
		return fmt.Sprintf("from %d is behind to %d", r.From, r.To)
	}
	return ""
}

func checkObject(v *validator, r *Record) string {
	if r.ID == 0 || v.objects[r.ID] {
		return fmt.Sprintf("id %d is 0 or given before", r.ID)
	}
	v.objects[r.ID] = true
	return oneOf("kind", r.Type, "object", "scope", "listeners", "container")
}

func checkAccess(v *validator, r *Record) string {
	switch {
	case r.Back > v.ordinal:
		return fmt.Sprintf("back is %d after only %d order records", r.Back, v.ordinal)
	case !v.objects[r.Object]:
		return fmt.Sprintf("object %d is not given yet", r.Object)
	}
	return v.site(r.Site, 1)
}

func checkHold(v *validator, r *Record) string {
	if len(r.Point) < uncutBytes && r.Hash != HashPoint(r.Point) {
		return hashReason(r)
	}
	v.holds[holdEnd{r.Hash, r.Side}]++
	if _, err := ParseHorizon(r.Text); err != nil {
		return err.Error()
	}
	return ""
}

func checkRelease(v *validator, r *Record) string {
	end := holdEnd{r.Hash, r.Side}
	if v.holds[end] == 0 {
		return fmt.Sprintf("point %08x is not held on side %d", r.Hash, r.Side)
	}
	v.holds[end]--
	return oneOf("reason", r.Text, releaseReasons...)
}

var releaseReasons = []string{"reached", "idle", "cap", "exit"}

// site and op say why a reference is wrong: 0 is none, allowed where min is 0.
func (v *validator) site(id, min uint64) string { return given("site", id, min, v.sites) }

func (v *validator) op(id, min uint64) string { return given("op", id, min, v.ops) }

func given(what string, id, min, last uint64) string {
	if id < min || id > last {
		return fmt.Sprintf("%s %d is not given yet", what, id)
	}
	return ""
}

// closed takes one from the open ones.
func closed(open *int, what string) string {
	if *open == 0 {
		return fmt.Sprintf("no %s is open", what)
	}
	*open--
	return ""
}

func oneOf(what, value string, allowed ...string) string {
	if slices.Contains(allowed, value) {
		return ""
	}
	return fmt.Sprintf("%s is %q, none of %q", what, value, allowed)
}

func hashReason(r *Record) string {
	return fmt.Sprintf("hash %08x is not that of its point, %08x", r.Hash, HashPoint(r.Point))
}
