package parse

import "vitrine"

// Output parses what a model returned. It is pure, deterministic and linear in
// the length of the text, and it never fails: an artifact without files is the
// answer to a text that holds no website, and a note says why.
//
// The kind of the output, if it is given, is looked for first. The format scores
// are s_cot and s_code of WebGen-R1 §2.3, s_code also in the strict profile.
func Output(o vitrine.Output) *vitrine.Artifact {
	n := &notes{}
	f := split(clean(o.Text, n), n)
	a := &vitrine.Artifact{Kind: o.Kind, Reasoning: f.reasoning, Files: []vitrine.File{}, CoT: f.cot}
	if d := choose(f, o.Kind, n); d != nil {
		a.Kind, a.ID, a.Title, a.Shell, a.Start = d.kind, d.id, d.title, d.shell, d.start
		a.Files = place(d.files, n)
		if len(a.Files) == 0 {
			n.add("no_files", "the manifest has no file that could be kept")
		}
	} else {
		n.nothing(f, o.Kind)
	}
	a.Code, a.CodeStrict = codeScores(a)
	a.Notes = n.all()
	return a
}

// nothing says why there is no website.
func (n *notes) nothing(f frame, want vitrine.Kind) {
	switch {
	case blank(f.body) && f.reasoning != "":
		n.add("only_reasoning", "there is nothing but reasoning")
	case blank(f.body):
		n.add("empty_output", "the output is empty")
	case want == vitrine.KindUnknown || want == vitrine.KindPage:
		n.add("no_html", "the output holds no HTML element and no other website")
	default:
		n.add("no_code", "the output holds no %s and no other website", want)
	}
}
