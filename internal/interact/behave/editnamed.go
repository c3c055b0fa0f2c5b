package behave

import "slices"

// naming counts the rows of a view that hold a text.
func (v *view) naming(text string) int {
	rows := map[string]bool{}
	for _, g := range v.survey.Groups {
		for _, r := range g.Rows {
			if keyOf(text) != "" && hasPhrase(r.Text, text) {
				rows[r.Path] = true
			}
		}
	}
	return len(rows)
}

// naming are the rows beside one that hold a text, as names do.
func (t table) naming(row int, text string) (all []int) {
	for _, i := range others(len(t.rows), row) {
		if keyOf(text) != "" && numeral.FindString(text) == "" && hasPhrase(t.rows[i].Text, text) {
			all = append(all, i)
		}
	}
	return all
}

// lost are the indexes below n that are not among those that are left.
func lost(n int, left []int) []int {
	return slices.DeleteFunc(others(n, -1), func(i int) bool { return slices.Contains(left, i) })
}
