package sarif

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/owenrumney/go-sarif/v2/sarif"

	"github.com/raceseed/raceseed/finding"
	"github.com/raceseed/raceseed/report"
)

// maxRelated keeps a group of many candidates readable; GitHub shows 100 at most.
const maxRelated = 40

func newResult(f finding.Finding, command []string, index map[string]uint, o Options) *sarif.Result {
	f.Resource, f.Failure = withoutFolders(f.Resource), withoutFolders(f.Failure)
	links := newLinks(f)
	result := sarif.NewRuleResult(f.Rule).
		WithRuleIndex(int(index[f.Rule])).
		WithLevel(level(f)).
		WithMessage(sarif.NewTextMessage(message(f, command, links))).
		WithLocations([]*sarif.Location{location(primary(f))}).
		WithRelatedLocations(links.locations).
		WithPartialFingerPrints(fingerprints(f.ID)).
		WithCodeFlows(codeFlows(f))
	result.AttachPropertyBag(properties(f))
	return withBaseline(result, f, o)
}

// fingerprints gives the identity of a finding under the only name that GitHub
// reads and under our own. ":1" is the form of CodeQL's line hashes: hash and
// how many-th of its kind.
func fingerprints(id string) map[string]interface{} {
	return map[string]interface{}{"primaryLocationLineHash": id + ":1", "raceseed/v1": id + ":1"}
}

func properties(f finding.Finding) *sarif.PropertyBag {
	bag := sarif.NewPropertyBag()
	bag.AddString("verdict", f.Verdict)
	bag.AddString("resource", printable(f.Resource))
	if f.Witness != "" {
		bag.AddString("witness", printable(f.Witness))
	}
	if len(f.Marks) > 0 {
		names := make([]string, len(f.Marks))
		for i, mark := range f.Marks {
			names[i] = printable(mark.Name)
		}
		bag.Add("marks", names)
	}
	return bag
}

// withBaseline notes what the baseline says, for viewers of the local file:
// GitHub ignores both fields and would open an alert all the same.
func withBaseline(result *sarif.Result, f finding.Finding, o Options) *sarif.Result {
	switch f.Baseline {
	case finding.New:
		result.WithBaselineState("new")
	case finding.Known:
		reason := o.Reasons[f.ID]
		if reason == "" {
			reason = "listed in the baseline without a reason"
		}
		result.WithBaselineState("unchanged").WithSuppression([]*sarif.Suppression{
			sarif.NewSuppression("external").WithStatus("accepted").WithJustifcation(printable(reason)),
		})
	case finding.Gone:
		result.WithBaselineState("absent")
	}
	return result
}

// message is plain text: GitHub shows its first sentence alone, ignores
// Markdown, and shows related locations only where [text](id) links them.
func message(f finding.Finding, command []string, links *links) string {
	sentences := []string{sentence(report.Headline(f))}
	sentences = append(sentences, links.notes...)
	if f.Baseline == finding.Gone {
		sentences = append(sentences, "Gone: replayed in this run without the failure.")
	}
	if f.Verdict == finding.Confirmed && f.Replay != nil && f.Witness != "" {
		sentences = append(sentences, fmt.Sprintf("Confirmed: shown in %d of %d replays, control runs pass.", f.Replay.Shown, f.Replay.Of))
	}
	if first, _, _ := strings.Cut(strings.TrimSpace(f.Failure), "\n"); first != "" {
		sentences = append(sentences, "It fails with: "+stopped(escape(strings.TrimSpace(first))))
	}
	if len(f.Tests) > 0 {
		sentences = append(sentences, "Test: "+stopped(escape(f.Tests[0])))
	}
	if line := report.ReplayCommand(f, command); line != "" {
		sentences = append(sentences, "Replay: "+escape(line))
	}
	return strings.Join(sentences, " ")
}

// sentence makes one sentence of a headline.
func sentence(headline string) string {
	// A full stop followed by a blank would end the first sentence early.
	text := strings.ReplaceAll(escape(headline), ". ", "; ")
	if text != "" && text[0] >= 'a' && text[0] <= 'z' {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	return stopped(text)
}

func stopped(text string) string { return strings.TrimSuffix(text, ".") + "." }

// links are the related locations of a result and the sentences that link them.
type links struct {
	locations []*sarif.Location
	notes     []string
}

// newLinks collects the other accesses, where the callbacks were started, and
// the places of the group's other candidates, each position once.
func newLinks(f finding.Finding) *links {
	l := &links{}
	main := primary(f)
	for _, place := range f.Places {
		started := l.start(place)
		switch {
		case same(place, main):
			l.note("The "+place.Access+" here", started)
		case report.InProject(place.Path):
			l.note("The "+l.link(place, place.Access), started)
		default:
			l.note("The "+escape(place.Access)+" in "+escape(outside(place.Path)), started)
		}
	}
	for _, place := range f.Related {
		if report.InProject(place.Path) && len(l.locations) < maxRelated {
			l.add(place, place.Access+" of the same group")
		}
	}
	return l
}

// note adds a sentence, if it says more than the first one did.
func (l *links) note(subject, started string) {
	if started == "" && !strings.Contains(subject, "](") {
		return
	}
	if started == "" {
		l.notes = append(l.notes, subject+" is the other access.")
		return
	}
	l.notes = append(l.notes, subject+" runs in a callback that was started at "+started+".")
}

// start links the place where the callback of an access was started.
func (l *links) start(place finding.Place) string {
	if place.Origin == nil || !report.InProject(place.Origin.Path) {
		return ""
	}
	origin := finding.Place{Path: place.Origin.Path, Line: place.Origin.Line, Column: place.Origin.Column}
	return fmt.Sprintf("[%s](%d)", escape(spot(origin)), l.add(origin, "start of the callback that makes the "+place.Access))
}

func (l *links) link(place finding.Place, what string) string {
	return fmt.Sprintf("[%s at %s](%d)", escape(what), escape(spot(place)), l.add(place, what))
}

// add gives the id of a new related location, from 1.
func (l *links) add(place finding.Place, what string) int {
	id := len(l.locations) + 1
	l.locations = append(l.locations, location(place).WithId(id).WithMessage(sarif.NewTextMessage(escape(what))))
	return id
}

// outside names a file that is not in the repository without its absolute path.
func outside(path string) string { return path[strings.LastIndex(path, "/")+1:] }

// absolute is a path with at least two folders that begins a word; what people
// call a route (GET /users) has fewer.
var absolute = regexp.MustCompile(`(^|[\s('"` + "`" + `])(?:file://)?(?:[A-Za-z]:)?(?:[/\\][^/\\\s:'"` + "`" + `()]+){2,}[/\\]([^/\\\s:'"` + "`" + `()]+)`)

// withoutFolders cuts absolute paths in foreign text to their last part: an
// uploaded file names nobody's machine.
func withoutFolders(text string) string { return absolute.ReplaceAllString(text, "${1}…/${2}") }

func same(a, b finding.Place) bool {
	return a.Path == b.Path && a.Line == b.Line && a.Column == b.Column
}

func spot(place finding.Place) string {
	return fmt.Sprintf("%s:%d", place.Path, place.Line)
}
