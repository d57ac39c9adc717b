// Package finding holds the one type that detect gives and report takes. It
// imports nothing of ours, knows neither traces nor formats, and its JSON form
// is the contract of results.json (docs/results.md).
package finding

// Rule identifiers, flat kebab-case; docs/rules.md describes each.
const (
	RuleEventRace       = "event-race"
	RuleFileRace        = "file-race"
	RuleAtomicity       = "atomicity-violation"
	RuleLateListener    = "late-listener"
	RuleScheduleFailure = "schedule-failure"
	RuleScheduleHang    = "schedule-hang"
	RuleFlakyTest       = "flaky-test"
)

// Verdicts.
const (
	Confirmed = "confirmed" // the witness replays, control runs pass
	Timing    = "timing"    // the witness replays, but a pause that keeps the order breaks the tests, too: not a race
	Feasible  = "feasible"  // the other order was observed, nothing broke
	Predicted = "predicted" // not tried, or not reached within the budget
)

// States against the baseline.
const (
	New   = "new"
	Known = "known"
	Gone  = "gone"
)

// Place is one access of a race in the user's source.
type Place struct {
	Path     string  `json:"path"`             // relative to the project root, with "/"
	Line     int     `json:"line"`             // 1-based
	Column   int     `json:"column"`           // 1-based, UTF-16 code units
	Function string  `json:"function"`         // enclosing function, "" at top level or without a name
	Access   string  `json:"access"`           // read, write, create, delete, open, close, stat, listen, emit
	Event    string  `json:"event,omitempty"`  // what ran it, for people: "fs.readFile callback", "timer callback", "fs.writeFile task"
	Origin   *Frame  `json:"origin,omitempty"` // where that callback or task was started
	Frames   []Frame `json:"frames,omitempty"` // application frames, innermost first
}

// Frame is one position of a call stack.
type Frame struct {
	Path     string `json:"path"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Function string `json:"function"`
}

// Mark is a reason to rank a finding down; it never drops one.
type Mark struct {
	Name string `json:"name"` // counter, same-value, …
	Why  string `json:"why"`  // one sentence
}

// Replay says how often the witness showed the failure.
type Replay struct {
	Shown int `json:"shown"`
	Of    int `json:"of"`
}

// FoundBy says which strategy found the failure, in which steered run (from 1)
// and how many seconds after the search began.
type FoundBy struct {
	Strategy string  `json:"strategy"` // directed, single, random
	Run      int     `json:"run"`
	Seconds  float64 `json:"seconds"`
}

// Finding is one group of candidates of one resource, shown by its best one.
type Finding struct {
	ID       string   `json:"id"` // fingerprint, 16 hex digits, without line numbers: see Fingerprint
	Rule     string   `json:"rule"`
	Verdict  string   `json:"verdict"`
	Baseline string   `json:"baseline"`
	Pattern  string   `json:"pattern,omitempty"` // write-read, check-act, RWR, … of the best candidate
	Places   []Place  `json:"places"`            // the two (or three) places of the best candidate, in the order seen
	Related  []Place  `json:"related,omitempty"` // places of the group's other candidates
	Resource string   `json:"resource"`          // for people: "variable `pool`", "property `Store.count`", "file data/shop.json"
	Tests    []string `json:"tests"`
	Marks    []Mark   `json:"marks"`
	Rank     int      `json:"rank"`  // 1 is the likeliest
	Score    float64  `json:"score"` // docs/rules.md says how it is made
	Witness  string   `json:"witness,omitempty"`
	Holds    []string `json:"holds,omitempty"` // the witness in words, one line a hold
	Replay   *Replay  `json:"replay,omitempty"`
	Failure  string   `json:"failure,omitempty"` // message of the test, first lines
	FoundBy  *FoundBy `json:"foundBy,omitempty"`
}

// Stats are the figures of one check.
type Stats struct {
	Runs       int                `json:"runs"`
	Steered    int                `json:"steered"`
	Seconds    map[string]float64 `json:"seconds"` // by phase: preflight, record, analyze, search, confirm, total
	CPU        map[string]float64 `json:"cpu"`     // seconds of the test command's processes, same phases
	Actions    int                `json:"actions"`
	Accesses   int                `json:"accesses"`
	Candidates int                `json:"candidates"`
	Lost       int                `json:"lost"`
	First      *FoundBy           `json:"firstFailure,omitempty"`
}

// Results is results.json.
type Results struct {
	Version  int       `json:"version"`  // 1
	Complete bool      `json:"complete"` // false if the search stopped before its plan was done for a reason other than the budget
	Command  []string  `json:"command"`
	Commit   string    `json:"commit"` // "" outside a git repository
	Node     string    `json:"node"`
	Findings []Finding `json:"findings"`
	Stats    Stats     `json:"stats"`
}
