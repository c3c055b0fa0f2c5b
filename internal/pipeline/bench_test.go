package pipeline

import (
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"vitrine"
	"vitrine/examples"
	"vitrine/internal/cache"
	"vitrine/internal/digest"
	"vitrine/internal/htmlhint"
	"vitrine/internal/judge/measured"
)

// examplePages are three of the examples: a large page, a program, a table.
func examplePages(b *testing.B) []vitrine.Output {
	var pages []vitrine.Output
	for o, err := range from(b, string(examples.Demo)).Items() {
		if err == nil && slices.Contains([]string{"bakery", "spending-tracker", "wide-table"}, o.ID) {
			pages = append(pages, o.Output)
		}
	}
	if len(pages) != 3 {
		b.Fatalf("%d of the example pages are there", len(pages))
	}
	return pages
}

func benchPipe(b *testing.B) *Pipeline {
	return pipe(b, func(s *Settings) {
		s.CacheDir = b.TempDir()
		s.Capture.TimesMS = []int{0, 1000, 2000}
		s.Capture.Viewports = []vitrine.Viewport{vitrine.Desktop, vitrine.Mobile}
	})
}

// BenchmarkScoreAgain scores an output that was scored before: everything comes
// from the cache.
func BenchmarkScoreAgain(b *testing.B) {
	p := benchPipe(b)
	for _, o := range examplePages(b) {
		mustScore(b, p, o, filepath.Join(b.TempDir(), "first"))
		b.Run(o.ID, func(b *testing.B) {
			dir, n := b.TempDir(), 0
			for b.Loop() {
				n++
				if s := mustScore(b, p, o, filepath.Join(dir, strconv.Itoa(n))); !s.Sample.Cached.Capture {
					b.Fatal("not from the cache")
				}
			}
		})
	}
}

// BenchmarkAnswer compares working for a small answer with recalling it.
func BenchmarkAnswer(b *testing.B) {
	p := benchPipe(b)
	for _, o := range examplePages(b) {
		s := mustScore(b, p, o, b.TempDir())
		source, _ := s.Artifact.File("index.html")
		b.Run("judge/worked/"+o.ID, func(b *testing.B) {
			for b.Loop() {
				measured.Judge(s.Evidence)
			}
		})
		b.Run("hint/worked/"+o.ID, func(b *testing.B) {
			for b.Loop() {
				if _, err := htmlhint.HTML(source, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
		c := cache.Results{Dir: b.TempDir()}
		benchRecall(b, "judge/recalled/"+o.ID, c, *s.Judgement)
		benchRecall(b, "hint/recalled/"+o.ID, c, s.Evidence.Hint)
	}
}

func benchRecall[T any](b *testing.B, name string, c cache.Results, answer T) {
	b.Run(name, func(b *testing.B) {
		key := cache.Key{Stage: "bench", Parts: map[string]any{"name": name, "evidence": digest.Text(name), "judge": "measured"}}
		for b.Loop() {
			if _, _, err := recall(c, key, func() (T, error) { return answer, nil }); err != nil {
				b.Fatal(err)
			}
		}
	})
}
