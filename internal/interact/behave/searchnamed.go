package behave

import (
	"context"
	"slices"
	"strconv"
)

// searchOthers proves that a search looks through more than one part of a row, where the instruction names several
// things to search by: a word of another part finds it. It says what is wrong.
func (p *prover) searchOthers(ctx context.Context, v *view, h hit, rows table, i, found int) (why string) {
	known := wordsOf(v.partOf(rows.rows[i], found))
	tried := 0
	for _, q := range rows.queries(v, i) {
		if q.part == found || slices.Contains(known, q.word) || tried == maxParts {
			continue
		}
		tried++
		after := p.ask(ctx, v, h, q.word, rows, q.may)
		if got := rows.left(after); subset(q.want, got) && len(got) < len(rows.rows) || after.isAbout(rows, q, v) {
			p.visit(ctx, h.place)
			return ""
		}
		why = "searching for " + strconv.Quote(q.word) + ", which another part of a row holds, loses it"
	}
	return why
}

// maxParts is how many parts of a row are looked for one by one.
const maxParts = 5
