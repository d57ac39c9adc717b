package hb

// Rule is one row of the table of rules.
type Rule struct {
	ID    string
	Title string // condition ⇒ edge
}

// Rules returns the rules that Build applies, in the order of the doc
// (docs/order.md).
// Every rule has traces in testdata, named after it.
func Rules() []Rule {
	return []Rule{
		{"H2", "operations of one group stand in trace order"},
		{"H3", "a nested scope is part of its action"},
		{"H4", "a turn with its ticks and microtasks comes as a whole before every turn that any of it comes before"},
		{"H5", "subscription and settle come before the reaction; if they are unordered it is a float of its own"},
		{"H5a", "a float comes before a turn that all its causes come before"},
		{"H6", "a promise resolved with a thenable settles in the job that calls its then"},
		{"H7", "all, allSettled: every settle comes before the reaction; race, any: only a winner that always wins"},
		{"H8", "a reaction without a known cause comes after the head of its turn"},
		{"H9", "after an uncaught exception what was enqueued runs in whichever turn comes next"},
		{"R1", "what registers a callback comes before it"},
		{"R2", "callbacks of one stream handle with a writer outside come in order"},
		{"R3", "everything comes before the exit handlers"},
		{"Q3", "immediates run in the order of their registration"},
		{"T1", "timers of one effective delay fire in the order of their arming"},
		{"T2", "a shorter timer armed earlier fires earlier if the list of the longer delay was empty"},
		{"T4", "firings of one timer come in order"},
		{"P1", "an immediate pending in a poll turn runs before every timer that comes after that turn"},
		{"P2", "an immediate pending in a timers turn runs before a timer armed in or after it (libuv 1.48 and later)"},
		{"N1", "connect comes before the connection event of the other end"},
		{"N2", "who writes bytes comes before who receives them"},
		{"N3", "reads of one stream come in the order of what was written for them"},
		{"N4", "the end of a stream comes before the end that the other side sees"},
		{"F1", "what the caller did before the call comes before the task; what it does afterwards does not"},
		{"F2", "a task comes before its completion"},
		{"F3", "tasks are unordered unless F1 and F2 chain them"},
		{"F4", "tasks of one stream come in order: each is started by the completion of the one before"},
		{"U1", "the end of a test comes before the begin of the next one"},
	}
}
