package trace

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// Modes of a session.
const (
	ModeRecord = "record" // trace everything the analysis needs, hold nothing
	ModeSteer  = "steer"  // follow the holds, trace only these
)

const (
	sessionVersion = 1
	sessionFile    = "session.json"
	defaultCapMs   = 4000 // wall clock of one hold; facts: no witness of the benchmark needs more
)

// Session is session.json, which the agent reads from the session folder
// (docs/schedules.md).
type Session struct {
	Version int           `json:"version"` // 1
	Mode    string        `json:"mode"`    // record, steer
	Root    string        `json:"root"`    // absolute project root
	Include []string      `json:"include"` // packages whose memory accesses are recorded too
	Holds   []SessionHold `json:"holds"`
	Draw    *SessionDraw  `json:"draw,omitempty"`
	CapMs   int           `json:"capMs"` // longest time of one hold, wall clock
}

// SessionHold is a Hold as the agent reads it.
type SessionHold struct {
	Point   string `json:"point"`   // hash, 8 hex digits
	Side    string `json:"side"`    // s, c
	Horizon string `json:"horizon"` // Horizon.String
}

// SessionDraw is a Draw as the agent reads it. The seed is decimal text because
// a number of JSON is a float in JavaScript.
type SessionDraw struct {
	Seed        string  `json:"seed"`
	Probability float64 `json:"probability"`
}

// NewSession makes the session of a run: st nil records, else the run is
// steered; the empty Steering is a control run.
func NewSession(root string, include []string, st *Steering) Session {
	s := Session{
		Version: sessionVersion,
		Mode:    ModeRecord,
		Root:    root,
		Include: append([]string{}, include...),
		Holds:   []SessionHold{},
		CapMs:   defaultCapMs,
	}
	if st == nil {
		return s
	}
	s.Mode = ModeSteer
	for _, h := range st.Schedule.Holds {
		s.Holds = append(s.Holds, SessionHold{Point: fmt.Sprintf("%08x", h.Point), Side: h.Side.letter(), Horizon: h.Horizon.String()})
	}
	if st.Draw != nil {
		s.Draw = &SessionDraw{Seed: strconv.FormatUint(st.Draw.Seed, 10), Probability: st.Draw.Probability}
	}
	return s
}

func (s Side) letter() string {
	if s == Start {
		return "s"
	}
	return "c"
}

// WriteSession writes session.json into the folder dir, whole or not at all. It
// refuses a session that the agent could not follow.
func WriteSession(dir string, s Session) error {
	if err := s.check(); err != nil {
		return fmt.Errorf("write session: %w", err)
	}
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return fmt.Errorf("write session: %w", err)
	}
	// A process of the run must never see half a file: the name comes last.
	file, err := os.CreateTemp(dir, sessionFile+".*")
	if err != nil {
		return fmt.Errorf("write session: %w", err)
	}
	defer os.Remove(file.Name())
	_, err = file.Write(append(data, '\n'))
	if closing := file.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(file.Name(), filepath.Join(dir, sessionFile))
	}
	if err != nil {
		return fmt.Errorf("write session: %w", err)
	}
	return nil
}

func (s Session) check() error {
	switch {
	case s.Version != sessionVersion:
		return fmt.Errorf("version is %d, not %d", s.Version, sessionVersion)
	case s.Mode != ModeRecord && s.Mode != ModeSteer:
		return fmt.Errorf("mode is %q, not %s or %s", s.Mode, ModeRecord, ModeSteer)
	case !filepath.IsAbs(s.Root):
		return fmt.Errorf("root %q is not an absolute path", s.Root)
	case s.CapMs <= 0:
		return fmt.Errorf("capMs is %d, not positive", s.CapMs)
	case s.Mode == ModeRecord && (len(s.Holds) > 0 || s.Draw != nil):
		return fmt.Errorf("mode %s holds nothing", ModeRecord)
	}
	for i, h := range s.Holds {
		if err := h.check(); err != nil {
			return fmt.Errorf("hold %d: %w", i+1, err)
		}
	}
	if s.Draw == nil {
		return nil
	}
	if _, err := strconv.ParseUint(s.Draw.Seed, 10, 64); err != nil {
		return fmt.Errorf("seed %q is not a decimal number of 64 bits", s.Draw.Seed)
	}
	if !(s.Draw.Probability >= 0 && s.Draw.Probability <= 1) {
		return fmt.Errorf("probability is %v, not in 0 to 1", s.Draw.Probability)
	}
	return nil
}

func (h SessionHold) check() error {
	if _, err := parseHash(h.Point); err != nil {
		return fmt.Errorf("point is %w", err)
	}
	if h.Side != "s" && h.Side != "c" {
		return fmt.Errorf("side is %q, not s (start) or c (completion)", h.Side)
	}
	_, err := ParseHorizon(h.Horizon)
	return err
}
