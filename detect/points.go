package detect

import (
	"github.com/raceseed/raceseed/detect/candidate"
	"github.com/raceseed/raceseed/detect/classify"
	"github.com/raceseed/raceseed/detect/hb"
	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/trace"
)

// points collects the hold points of a run, each hash once, in the order in
// which they came up.
type points struct {
	list []candidate.Point
	seen map[uint32]bool
}

func newPoints() *points { return &points{seen: map[uint32]bool{}} }

func (p *points) add(log *hb.Log) {
	for i := range log.Ops {
		op := &log.Ops[i]
		if op.Hash == 0 || p.seen[op.Hash] {
			continue
		}
		p.seen[op.Hash] = true
		site := log.Sites[op.Site]
		p.list = append(p.list, candidate.Point{
			Hash: op.Hash, Name: op.Point, API: op.API,
			Start:      op.Flags&trace.OpStart != 0,
			Completion: op.Flags&trace.OpCompletion != 0,
			Timer:      op.Flags&trace.OpTimer != 0,
			App:        classify.InApplication(site),
			Test:       log.Tests[op.Test].Name,
			Site:       finding.Place{Path: site.File, Line: site.Line, Column: site.Column, Function: site.Function},
		})
	}
}
