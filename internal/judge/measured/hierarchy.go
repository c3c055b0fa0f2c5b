package measured

import "fmt"

// hierarchy asks whether size tells what matters: headings stand out from the
// text below them, and deeper headings are not larger than the ones above.
var hierarchy = eachView("There are too few texts to rank.", (*viewFacts).hierarchy)

func (f *viewFacts) hierarchy() (reading, bool) {
	if len(f.texts) < 4 || f.bodySize == 0 {
		return reading{}, false
	}
	var largest [7]float64
	var r reading
	top, n, flat := 0.0, 0, 0
	for _, i := range f.texts {
		e := &f.Elements[i]
		top = max(top, e.Style.FontSize)
		level := f.headingOf(i)
		if level == 0 {
			continue
		}
		n++
		largest[level] = max(largest[level], e.Style.FontSize)
		if e.Style.FontSize < f.bodySize || e.Style.FontSize < 1.1*f.bodySize && e.Style.FontWeight < 600 {
			flat++
			r.where = append(r.where, f.place(e.TextBox, "no larger than the text"))
		}
	}
	r.score = ramp(top/f.bodySize, 1, 1.5)
	r.why = fmt.Sprintf("The largest text has %.0f px, the running text %.0f px", top, f.bodySize)
	if n > 0 {
		wrong := inversions(largest)
		r.score *= (1 - 0.8*float64(flat)/float64(n)) * (1 - 0.25*float64(wrong))
		r.why += fmt.Sprintf("; %d of %s stand out", n-flat, count(n, "heading"))
		if wrong > 0 {
			r.why += ", a deeper level is larger than the one above"
		}
	}
	r.why += "."
	return r, true
}

// headingOf is the level of the heading that a text belongs to, 0 for none.
func (f *viewFacts) headingOf(i int) int {
	for ; i >= 0; i = f.parent(i) {
		if l := heading(&f.Elements[i]); l > 0 {
			return l
		}
		if !inline(&f.Elements[i]) {
			break
		}
	}
	return 0
}

// inversions counts levels whose largest heading is clearly larger than that of
// the level above it.
func inversions(largest [7]float64) int {
	n, above := 0, 0.0
	for _, size := range largest {
		if size == 0 {
			continue
		}
		if above > 0 && size > 1.1*above {
			n++
		}
		above = size
	}
	return n
}
