package parse

import "vitrine"

// A draft is a website as one finder found it, before its paths are checked.
type draft struct {
	kind      vitrine.Kind
	id, title string
	files     []draftFile
	shell     []string
	start     string
}

// A draftFile is a file under the path that the model wrote.
type draftFile struct{ path, content string }

// A finder looks for one kind of website in a region. A finder that
// finds nothing writes no note. One of loose text is not asked where there is a
// manifest, whose files hold markup of their own.
type finder struct {
	kind  vitrine.Kind
	find  func(*region, *notes) *draft
	loose bool
	asked bool // only when the output's kind is known
}

// finders are tried in this order: what names itself goes before what must be
// guessed from loose text.
func finders() []finder {
	return []finder{
		{kind: vitrine.KindPage, find: staticManifest},
		{kind: vitrine.KindProject, find: projectManifest},
		{kind: vitrine.KindPage, find: fencedPage},
		{kind: vitrine.KindSVG, find: fencedSVG},
		{kind: vitrine.KindComponent, find: fencedComponent},
		{kind: vitrine.KindPlot, find: fencedPlot},
		{kind: vitrine.KindComponent, find: looseComponent, loose: true},
		{kind: vitrine.KindSVG, find: looseSVG, loose: true},
		{kind: vitrine.KindPlot, find: loosePlot, loose: true, asked: true},
		{kind: vitrine.KindPage, find: loosePage, loose: true},
	}
}

// find looks for a website of the wanted kind, or of any kind if none is wanted.
func find(r *region, want vitrine.Kind, n *notes) *draft {
	r.scan()
	for _, f := range finders() {
		if want != f.kind && (want != vitrine.KindUnknown || f.asked) {
			continue
		}
		if f.loose && r.manifest() != nil {
			continue
		}
		if d := f.find(r, n); d != nil {
			d.kind = f.kind
			if r.malformed > 0 {
				n.add("malformed_tag", "%d manifest tags are not well formed and were passed over", r.malformed)
			}
			return d
		}
	}
	return nil
}

// choose finds the website of an output: of the wanted kind if there is one in
// the answer or else outside the reasoning, and if not of whatever kind is there.
// It returns nil if there is none.
func choose(f frame, want vitrine.Kind, n *notes) *draft {
	var regions []*region
	if f.answered {
		regions = append(regions, &region{text: f.answer})
	}
	regions = append(regions, &region{text: f.body, toks: f.toks})
	if d := first(regions, want, n); d != nil || want == vitrine.KindUnknown {
		return d
	}
	d := first(regions, vitrine.KindUnknown, n)
	if d != nil {
		n.add("kind_mismatch", "a %s was asked for, but the output holds a %s", want, d.kind)
	}
	return d
}

func first(regions []*region, want vitrine.Kind, n *notes) *draft {
	for _, r := range regions {
		if d := find(r, want, n); d != nil {
			return d
		}
	}
	return nil
}
