package trace

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func sampleSession() Session {
	return NewSession("/srv/shop", []string{"keyv"}, &Steering{
		Schedule: Schedule{Holds: []Hold{{Point: 0xec2ad9c0, Side: Completion, Horizon: Horizon{Kind: UntilTimers, N: 1}}}},
		Draw:     &Draw{Seed: math.MaxUint64, Probability: 0.02},
	})
}

func sessionText(t *testing.T, s Session) string {
	t.Helper()
	dir := t.TempDir()
	if err := WriteSession(dir, s); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "session.json"))
	if err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
	return string(data)
}

func TestNewSession(t *testing.T) {
	record := Session{Version: 1, Mode: ModeRecord, Root: "/srv/shop", Include: []string{}, Holds: []SessionHold{}, CapMs: 4000}
	if diff := cmp.Diff(record, NewSession("/srv/shop", nil, nil)); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}
	control := record
	control.Mode = ModeSteer
	if diff := cmp.Diff(control, NewSession("/srv/shop", nil, &Steering{})); diff != "" {
		t.Errorf("control run (-want +got):\n%s", diff)
	}
	starts := NewSession("/srv/shop", nil, &Steering{Schedule: Schedule{Holds: []Hold{{Point: 0xab, Horizon: Horizon{Kind: UntilPoint, Point: 1}}}}})
	if diff := cmp.Diff([]SessionHold{{Point: "000000ab", Side: "s", Horizon: "o:00000001"}}, starts.Holds); diff != "" {
		t.Errorf("holds (-want +got):\n%s", diff)
	}
}

func TestWriteSession(t *testing.T) {
	want := sampleSession()
	var got Session
	if err := json.Unmarshal([]byte(sessionText(t, want)), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// The agent reads lists without asking whether they are there.
	if text := sessionText(t, NewSession("/srv/shop", nil, nil)); strings.Contains(text, "null") {
		t.Errorf("null in %s", text)
	}
}

// A session that cannot be followed leaves an older file alone and no other.
func TestWriteSessionRefuses(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Session)
		want   string
	}{
		{"version", func(s *Session) { s.Version = 2 }, "version is 2"},
		{"mode", func(s *Session) { s.Mode = "replay" }, `mode is "replay"`},
		{"root", func(s *Session) { s.Root = "shop" }, `root "shop" is not an absolute path`},
		{"cap", func(s *Session) { s.CapMs = 0 }, "capMs is 0"},
		{"record with holds", func(s *Session) { s.Mode = ModeRecord }, "mode record holds nothing"},
		{"point", func(s *Session) { s.Holds[0].Point = "xyz" }, `hold 1: point is "xyz"`},
		{"side", func(s *Session) { s.Holds[0].Side = "start" }, `side is "start"`},
		{"horizon", func(s *Session) { s.Holds[0].Horizon = Horizon{}.String() }, `horizon "?"`},
		{"seed", func(s *Session) { s.Draw.Seed = "0x1" }, `seed "0x1" is not a decimal number`},
		{"probability", func(s *Session) { s.Draw.Probability = 1.5 }, "probability is 1.5"},
		{"no probability", func(s *Session) { s.Draw.Probability = math.NaN() }, "probability is NaN"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			old := filepath.Join(dir, "session.json")
			if err := os.WriteFile(old, []byte("old"), 0o644); err != nil {
				t.Fatal(err)
			}
			s := sampleSession()
			test.change(&s)
			if err := WriteSession(dir, s); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("err = %v, want %q", err, test.want)
			}
			data, err := os.ReadFile(old)
			entries, _ := os.ReadDir(dir)
			if string(data) != "old" || err != nil || len(entries) != 1 {
				t.Errorf("the folder has %d files, session.json %q, %v", len(entries), data, err)
			}
		})
	}
	if err := WriteSession(filepath.Join(t.TempDir(), "missing"), sampleSession()); err == nil {
		t.Error("a missing folder is no error")
	}
}
