// Package candidate holds what the analysis hands to the witness search: ranked
// candidates with the schedules that should flip them, and the hold points of
// the recorded run. It decides nothing itself.
package candidate

import (
	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/trace"
)

// Candidate is one predicted finding: a group of one resource. Its schedules
// are those of the pairs of turns inside the group, best first, one per cluster
// of equal sites before the second of any.
type Candidate struct {
	Finding   finding.Finding // verdict predicted, no witness yet
	Schedules []trace.Schedule
}

// Point is one hold point that came up in the recorded run.
type Point struct {
	Hash       uint32
	Name       string // as the agent names it
	API        string
	Start      bool // its start may be held
	Completion bool // its completion may be held
	Timer      bool
	App        bool   // called from application code
	Test       string // the test that was running
	// Site is where the operation was started, for people; Path "" if unknown.
	Site finding.Place
}

// Prediction is the result of the analysis of one recorded run.
type Prediction struct {
	Candidates []Candidate // by rank, likeliest first
	Points     []Point     // in the order they came up, each hash once
	Actions    int
	Accesses   int
	Lost       []string // hooks that were switched off, truncated files
}
