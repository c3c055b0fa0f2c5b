package script

import "strings"

// expect reads one condition and what it counts.
func (r *reader) expect(f field) Step {
	s := Step{Weight: 1}
	for k := range r.entries(f, append(kindNames(), "weight", "optional")...) {
		switch k.Key {
		case "weight":
			if s.Weight = r.number(k, 0, maxWeight); s.Weight == 0 {
				r.Fail(k, "want a weight above 0; say optional: true for what counts nothing")
			}
		case "optional":
			s.Optional = r.yes(k)
		default:
			s.Expect = append(s.Expect, r.about(k))
		}
	}
	r.oneCondition(f, len(s.Expect))
	return s
}

// condition reads one condition of several.
func (r *reader) condition(f field) Condition {
	var c []Condition
	for k := range r.entries(f, kindNames()...) {
		c = append(c, r.about(k))
	}
	if !r.oneCondition(f, len(c)) {
		return Condition{}
	}
	return c[0]
}

func (r *reader) oneCondition(f field, n int) bool {
	if n != 1 {
		r.Fail(f, "want one condition, got %d: write one expect for each, or expect_any with a list; there are %s", n, strings.Join(kindNames(), ", "))
	}
	return n == 1
}

func kindNames() []string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = string(k)
	}
	return names
}

// about reads what a condition of a kind says.
func (r *reader) about(f field) Condition {
	c := Condition{Kind: Kind(f.Key)}
	switch c.Kind {
	case KindText, KindNoText, KindURL, KindDialog:
		c.Text = r.words(f)
	case KindChanged:
		c.Text = r.OneOf(f, "screen", "text", "dom")
	case KindScrolled:
		c.Text = r.OneOf(f, "down", "up")
	case KindConsoleError:
		c.Text = r.OneOf(f, "none")
	case KindCount:
		r.comparison(f, &c, "of", CompareIs, CompareAtLeast, CompareAtMost)
	case KindValue:
		r.comparison(f, &c, "of", CompareIs, CompareContains)
	case KindStorage:
		r.comparison(f, &c, "key", CompareIs, CompareContains)
	case KindAttribute:
		r.comparison(f, &c, "of name", CompareIs, CompareContains)
	case KindStyle:
		r.comparison(f, &c, "of property", CompareIs, CompareContains)
	default:
		c.Of = r.target(f)
	}
	return c
}

// comparison reads a mapping of these subjects and exactly one of these ways.
func (r *reader) comparison(f field, c *Condition, subjects string, ways ...Compare) {
	needed := strings.Fields(subjects)
	valid := append([]string{}, needed...)
	var names []string
	for _, w := range ways {
		names = append(names, string(w))
	}
	compared, given := 0, 0
	for k := range r.entries(f, append(valid, names...)...) {
		switch k.Key {
		case "of":
			c.Of, given = r.target(k), given+1
		case "key", "name", "property":
			c.Key, given = r.words(k), given+1
		default:
			c.Compare, compared = Compare(k.Key), compared+1
			if c.Kind == KindCount {
				c.N = r.whole(k, 0, maxCount)
			} else {
				c.Text = r.text(k)
			}
		}
	}
	if given != len(needed) || compared != 1 {
		r.Fail(f, "want %s and one of %s", strings.Join(needed, ", "), strings.Join(names, ", "))
	}
}
