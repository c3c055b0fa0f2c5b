package measured

import "vitrine"

const (
	dealtRows  = 8   // rows of a list below which its words cost nothing
	dealtShare = 0.6 // share of rows with a word of their own of the instruction that hardly any honest list reaches
)

// dealt is the largest share, over the lists of a page, of rows that begin with a word of the
// instruction which no other row has: an instruction that was dealt out over rows, one word
// each. Rows of things that were asked for share their words ("two-room apartment", "attic
// apartment"). Rows that are nothing but links, as in
// a menu, are left out.
func (r *roles) dealt(bs []vitrine.Block) (most float64) {
	type row struct{ list, number int }
	first := map[row]string{}
	var order []row
	for i := range bs {
		b := &bs[i]
		at := row{b.List, b.Row}
		if b.Row == 0 || b.Role == "link" || b.Role == "button" || b.Role == "option" {
			continue
		}
		if _, known := first[at]; known {
			continue
		}
		first[at] = ""
		if stems := toTokens(b.Text); len(stems) > 0 && r.want[stems[0]] {
			first[at] = stems[0]
		}
		order = append(order, at)
	}
	rows, words := map[int]int{}, map[int]map[string]int{}
	for _, at := range order {
		rows[at.list]++
		if words[at.list] == nil {
			words[at.list] = map[string]int{}
		}
		if w := first[at]; w != "" {
			words[at.list][w]++
		}
	}
	for list, n := range rows {
		own := 0
		for _, times := range words[list] {
			own += oneIf(times == 1)
		}
		if n >= dealtRows {
			most = max(most, share(own, n))
		}
	}
	return most
}
