package behave

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

var uploadWords = []string{"upload", "import", "analyze", "load", "process", "open", "submit", "上传", "导入"}

// upload proves that the content of a file shows: of a picture the picture, of a text a
// word in it, or else that two files of one name give different results. Its name alone is
// not enough, but of what is attached to something else. (Relation 26.)
func upload(ctx context.Context, p *prover) answer {
	best := absent("no field takes a file")
	for _, pl := range p.site.places {
		p.open(ctx, pl)
		if p.err != nil {
			return best
		}
		fields, err := p.session.Query(ctx, vitrine.Target{CSS: "input[type=file]"}, interact.Wants{Attrs: []string{"accept"}})
		if err != nil {
			continue // the page has no document to ask
		}
		for _, e := range top(fields, 2) {
			a := p.uploadTo(ctx, pl, e)
			if a.verdict == vitrine.VerdictWorks {
				return a
			}
			best = a
		}
		if best.verdict != vitrine.VerdictAbsent {
			return best
		}
	}
	return best
}

func (p *prover) uploadTo(ctx context.Context, pl *place, e interact.Element) answer {
	ending := path.Ext(interact.FileFor(interact.Facts{Accept: e.Attrs["accept"]}))
	if e.Attrs["accept"] == "" {
		ending = ".txt"
	}
	if ending == ".png" || ending == ".mp3" || ending == ".mp4" {
		before, after := p.give(ctx, pl, e, ending, "")
		if after.survey.Pictures > before.survey.Pictures || board(after) != board(before) && len(after.survey.Canvases) > 0 {
			return works("the picture that was given is shown")
		}
		return fails("the picture that was given is not shown")
	}
	if attachAsked.MatchString(p.need.Quote+" "+p.need.Entity) && p.attached(ctx, pl, e, ending) {
		return works("the names of two files that are attached are shown")
	}
	word := p.tokens.word()
	before, after := p.give(ctx, pl, e, ending, text(ending, word, 2))
	if found := after.survey.Found; len(found) > 0 {
		return works("%q, which stands in the file, is shown", word)
	}
	_, longer := p.give(ctx, pl, e, ending, text(ending, p.tokens.word(), 9))
	if one, two := fresh(before, after, filling{}), fresh(before, longer, filling{}); one != "" && one != two {
		return works("another file gives another result")
	}
	return fails("nothing of what is in the file shows")
}

// attachAsked asks for files that go along with something else.
var attachAsked = regexp.MustCompile(`(?i)\battach|附件`)

// attached reports whether a page shows the names of two files that are attached, which it cannot foresee.
func (p *prover) attached(ctx context.Context, pl *place, e interact.Element, ending string) bool {
	p.open(ctx, pl)
	for range 2 {
		name := strings.ToLower(p.tokens.word())
		p.do(ctx, vitrine.Action{Kind: vitrine.ActUpload, Target: at(e.Path), Text: name + ending, Body: text(ending, "attached", 2)})
		if _, ok := p.look(ctx, name).shows(name); !ok {
			return false
		}
	}
	return true
}

// give uploads a file in a fresh state, and operates the button that takes it where nothing
// shows without.
func (p *prover) give(ctx context.Context, pl *place, e interact.Element, ending, body string) (before, after *view) {
	before = p.open(ctx, pl)
	p.do(ctx, vitrine.Action{Kind: vitrine.ActUpload, Target: at(e.Path), Text: "chosen" + ending, Body: body})
	looked := strings.Fields(body)
	if len(looked) > 0 {
		looked = []string{strings.Trim(looked[len(looked)-1], `",}]`)}
	}
	after = p.look(ctx, looked...)
	if len(after.survey.Found) > 0 || after.survey.Pictures > before.survey.Pictures {
		return before, after
	}
	for _, c := range after.Controls {
		if c.Role == "button" && !off(c) && matches(c.Name, p.labels(uploadWords)) > 55 {
			p.click(ctx, c.Path)
			return before, p.look(ctx, looked...)
		}
	}
	return before, after
}

// text is a file of a kind with n rows, the last of which ends with a word.
func text(ending, word string, n int) string {
	var b strings.Builder
	switch ending {
	case ".csv":
		b.WriteString("value,name\n")
		for i := range n {
			fmt.Fprintf(&b, "%d, %s\n", 3+i, word)
		}
	case ".json":
		b.WriteString(`[`)
		for i := range n {
			fmt.Fprintf(&b, `{"value": %d, "name": "%s"}`, 3+i, word)
			if i < n-1 {
				b.WriteString(", ")
			}
		}
		b.WriteString("]")
	default:
		for range n {
			fmt.Fprintf(&b, "A line with %s\n", word)
		}
	}
	return b.String()
}
