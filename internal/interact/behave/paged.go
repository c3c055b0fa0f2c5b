package behave

import (
	"context"
	"regexp"
	"slices"
)

// turns labels the control that shows the next page of a list.
var turns = regexp.MustCompile(`(?i)^\W*(next( page)?|older|下一页)\W*$|^\s*[›»→>]\s*$`)

// nextPage labels it in a navigation, too.
var nextPage = regexp.MustCompile(`(?i)^\W*(next( page)?|下一页)\W*$`)

// turner is the control of a view that shows the next page of its list; empty where there is
// none, or no further page.
func (v *view) turner() string {
	for i, c := range v.Controls {
		if turns.MatchString(c.Name) && clickable(c) && !off(c) && (v.Facts[i].Region != "nav" || nextPage.MatchString(c.Name)) {
			return c.Path
		}
	}
	return ""
}

// maxPages bounds how many pages of a list are turned.
const maxPages = 6

// turned are the rows of a list with those of its further pages, and how many its first page shows,
// which stands there again. A pager is one where the next page has no row of the pages before.
func (p *prover) turned(ctx context.Context, pl *place, v *view, first table) (all table, shown int) {
	if v.turner() == "" || len(pl.view.lists()) == 0 { // rows that were made for this would be lost
		return first, len(first.rows)
	}
	all = table{slices.Clone(first.rows), slices.Clone(first.keys)}
	for range maxPages {
		next := v.turner()
		if next == "" {
			break
		}
		p.click(ctx, next)
		now := p.look(ctx)
		lists := now.lists()
		if len(lists) == 0 {
			break
		}
		more := tableOf(body(lists[0]))
		if len(more.rows) > len(first.rows) || slices.ContainsFunc(more.keys, func(k string) bool { return slices.Contains(all.keys, k) }) {
			break
		}
		all.rows, all.keys, v = append(all.rows, more.rows...), append(all.keys, more.keys...), now
	}
	return all, len(all.left(p.unpaged(ctx, p.open(ctx, pl))))
}
