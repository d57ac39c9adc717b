// Package witness searches for schedules that make the test command fail and
// proves what it finds. It takes ranked candidates, the hold points of the
// recorded run and an Executor; it gives findings with verdicts and witnesses.
// It starts no process itself, opens no file, reads no clock but the injected
// one and draws nothing but from the seed of its plan: the same plan and the
// same observations give the same findings for every number of jobs.
//
// The search is one sequence of steered runs (strategy.go). The engine runs
// some of them ahead in parallel but adopts them strictly in order. A failure
// stops it until the failure is judged, with nothing else running: shrunk,
// replayed, controlled (confirm.go); the book keeps what is known (book.go).
// docs/search.md tells it for people.
package witness
