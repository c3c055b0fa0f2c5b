package flow

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"vitrine/internal/inputs"
	"vitrine/internal/model/answer"
)

// Keywords has a model think of seeds: short summaries of websites, by category
// (AesCoder, section 3.2 and G.5). It is the first step and takes no rows.
type Keywords struct {
	Model      string     `yaml:"model" json:"model"`           // role
	Categories []Category `yaml:"categories" json:"categories"` //
	PerCall    int        `yaml:"per_call" json:"per_call"`     // default 300
	// Shown is how many of the newest keywords of the category are shown with the question
	// for more, not to be repeated.
	Shown     int `yaml:"shown" json:"shown,omitempty"`
	MaxTokens int `yaml:"max_tokens" json:"max_tokens"` // of one answer; default 16384
}

// A Category is a kind of website.
type Category struct {
	Name  string `yaml:"name" json:"name"`
	About string `yaml:"about" json:"about,omitempty"`
	N     int    `yaml:"n" json:"n"` // keywords
}

// A Keyword is a row of seeds.
type Keyword struct {
	ID       string `json:"id"`
	Category string `json:"category"`
	Keyword  string `json:"keyword"`
}

func (s *Keywords) asks() []string { return []string{s.Model} }
func (s *Keywords) first() bool    { return true }

func (s *Keywords) check(*Pipeline) error {
	s.PerCall, s.MaxTokens = cmp.Or(s.PerCall, 300), cmp.Or(s.MaxTokens, 16384)
	if len(s.Categories) == 0 || s.PerCall < 1 || s.MaxTokens < 1 || s.Shown < 0 {
		return errors.New("categories are needed, and per_call and max_tokens are 1 or more")
	}
	slugs := map[string]bool{}
	for _, c := range s.Categories {
		if c.N < 1 || slug(c.Name) == "" || slugs[slug(c.Name)] {
			return fmt.Errorf("category %q: it needs a name of its own, and n is at least 1", c.Name)
		}
		slugs[slug(c.Name)] = true
	}
	return nil
}

// slug is a name in small letters, digits and hyphens.
func slug(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9') })
	return strings.Join(words, "-")
}

func (s *Keywords) run(w *work) error {
	wanted := s.wanted(w.limit)
	categories := func(yield func(inputs.Record, error) bool) {
		for i := range s.Categories {
			if wanted[i] > 0 && !yield(inputs.Record{ID: fmt.Sprint(i)}, nil) {
				return
			}
		}
	}
	return w.askOver(categories, func(ctx context.Context, r inputs.Record) (made, error) {
		var i int
		if _, err := fmt.Sscan(r.ID, &i); err != nil {
			return made{}, err
		}
		return s.category(ctx, w, s.Categories[i], wanted[i])
	})
}

// wanted is how many keywords each category is to have: with a limit, one for each in turn.
func (s *Keywords) wanted(limit int) []int {
	all, n := make([]int, len(s.Categories)), 0
	for more := true; more; {
		more = false
		for i, c := range s.Categories {
			if all[i] < c.N && (limit == 0 || n < limit) {
				all[i]++
				n++
				more = true
			}
		}
	}
	return all
}

// patience is how many times more calls than needed are made for keywords that are new.
const patience = 3

// category asks for the keywords of a category until there are enough. What one answer
// repeats of earlier ones is left out.
func (s *Keywords) category(ctx context.Context, w *work, c Category, n int) (m made, err error) {
	var all []string
	seen, again := map[string]bool{}, 0
	most := patience * ((n + s.PerCall - 1) / s.PerCall)
	for call := 0; len(all) < n && call < most; call++ {
		got, err := s.call(ctx, w, c, min(s.PerCall, n-len(all)), all, call)
		if err != nil {
			return made{}, fmt.Errorf("keywords of %s: %w", c.Name, err)
		}
		for _, k := range got {
			k = strings.Join(strings.Fields(k), " ")
			if key := strings.ToLower(k); seen[key] {
				again++
			} else if len(all) < n {
				seen[key] = true
				all = append(all, k)
			}
		}
	}
	for i, k := range all {
		m.rows = append(m.rows, Keyword{fmt.Sprintf("%s-%05d", slug(c.Name), i+1), c.Name, k})
	}
	m.figures = map[string]float64{"repeated": float64(again), "fewer than asked for": float64(n - len(all))}
	return m, nil
}

func (s *Keywords) call(ctx context.Context, w *work, c Category, n int, before []string, call int) (got []string, err error) {
	shown := before[max(0, len(before)-s.Shown):]
	text, err := say("keywords", map[string]any{"N": n, "Category": c.Name, "About": c.About, "Shown": len(shown), "before": strings.Join(shown, "\n")})
	if err != nil {
		return nil, err
	}
	err = w.put(ctx, query{
		role: s.Model, text: text, maxTokens: s.MaxTokens, repeat: call,
		shape: answer.Object(answer.Field{Name: "keywords", Shape: answer.List(answer.Text(600), 4*n)}),
		read: func(raw []byte) error {
			var a struct{ Keywords []string }
			if err := json.Unmarshal(raw, &a); err != nil {
				return err
			}
			if got = a.Keywords; len(got) == 0 {
				return fmt.Errorf("keywords: is empty, want %d", n)
			}
			return nil
		},
	})
	return got, err
}
