package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
)

// gallery is a run of 130 samples on three pages, with one that stands out.
func gallery(t *testing.T) string {
	t.Helper()
	var books []book
	for i := range 130 {
		books = append(books, whole(sample(i)))
	}
	odd := whole(sample(0))
	odd.sample.ID, odd.sample.Reward, odd.evidence.Instruction = "Zebra", num(5), "Draw a STRIPED animal."
	books = append(books, odd)
	return shared(t, "gallery", func(dir string) { writeRunTo(t, dir, header(), books...) })
}

// A shown gallery is what a person sees of it.
type shown struct {
	Found string
	IDs   []string
	Page  string
	Hash  string
}

func (b tab) shown() shown {
	b.t.Helper()
	return ask[shown](b, `({
		Found: document.getElementById('found').textContent,
		IDs: [...document.querySelectorAll('#cards .id')].map(e => e.textContent),
		Page: document.getElementById('page').value + ' ' + document.getElementById('pages').textContent,
		Hash: location.hash,
	})`)
}

// set changes a control as a person does.
func (b tab) set(id, value string) {
	b.t.Helper()
	b.hashes(fmt.Sprintf(`const c = document.getElementById(%q); c.value = %q; c.dispatchEvent(new Event('input'))`, id, value))
}

func (b tab) key(key string) {
	b.t.Helper()
	b.hashes(fmt.Sprintf(`document.body.dispatchEvent(new KeyboardEvent('keydown', {key: %q, bubbles: true}))`, key))
}

func inGallery(t *testing.T, hash string, task func(tab)) {
	t.Helper()
	open(t, vitrine.Desktop, gallery(t), "report.html#"+hash, task)
}

func TestGalleryPages(t *testing.T) {
	t.Parallel()
	inGallery(t, "", func(b tab) {
		got := b.shown()
		if len(got.IDs) != 60 || got.IDs[0] != "sample-0000" || got.Found != "1 to 60 of 131 samples" || got.Page != "1 of 3" {
			t.Errorf("first page: %+v", got)
		}
		b.key("ArrowRight")
		b.key("ArrowRight")
		if got := b.shown(); len(got.IDs) != 11 || got.IDs[10] != "Zebra" || got.Hash != "#page=3" || got.Page != "3 of 3" {
			t.Errorf("last page: %+v", got)
		}
		b.key("ArrowLeft")
		if got := b.shown(); got.IDs[0] != "sample-0060" || got.Page != "2 of 3" {
			t.Errorf("middle page: %+v", got)
		}
		b.hashes(`history.back()`)
		if got := b.shown(); got.Page != "3 of 3" {
			t.Errorf("back leads to page %s, want 3", got.Page)
		}
		b.hashes(`const p = document.getElementById('page'); p.value = 1; p.dispatchEvent(new Event('change'))`)
		if got := b.shown(); got.Page != "1 of 3" {
			t.Errorf("choosing page 1 leads to %s", got.Page)
		}
	})
}

func TestGalleryFilters(t *testing.T) {
	t.Parallel()
	inGallery(t, "page=2", func(b tab) {
		b.set("q", "striped ANIMAL")
		if diff := cmp.Diff(shown{"1 to 1 of 1 found in 131 samples", []string{"Zebra"}, "1 of 1", "#q=striped+ANIMAL"}, b.shown()); diff != "" {
			t.Errorf("search, want -, got +:\n%s", diff)
		}
		b.set("q", "no such words")
		if got := b.shown(); len(got.IDs) != 0 || got.Found != "None of 131 samples fits." {
			t.Errorf("search of nothing: %+v", got)
		}
		b.set("q", "")
		b.set("outcome", "unjudged")
		if got := b.shown(); got.Found != "1 to 13 of 13 found in 131 samples" || got.IDs[0] != "sample-0009" {
			t.Errorf("unjudged: %+v", got)
		}
		b.set("outcome", "build_failed")
		b.set("model", "alpha")
		if got := b.shown(); got.IDs[0] != "sample-0002" || got.Hash != "#outcome=build_failed&model=alpha" {
			t.Errorf("build failures of alpha: %+v", got)
		}
		b.hashes(`document.getElementById('clear').click()`)
		if got := b.shown(); len(got.IDs) != 60 || got.Page != "1 of 3" {
			t.Errorf("cleared: %+v", got)
		}
		b.hashes(`document.querySelector('.legend .o-no_artifact a').click()`)
		if got := b.shown(); got.IDs[0] != "sample-0003" || ask[string](b, `document.getElementById('outcome').value`) != "no_artifact" {
			t.Errorf("from the legend: %+v", got)
		}
	})
}

func TestGallerySorts(t *testing.T) {
	t.Parallel()
	inGallery(t, "", func(b tab) {
		rewards := func() []string {
			return ask[[]string](b, `[...document.querySelectorAll('#cards .points')].map(e => e.textContent)`)
		}
		b.set("sort", "best")
		if got := rewards(); got[0] != "5.00" || !slices.IsSortedFunc(got, func(a, b string) int { return compareNumbers(t, b, a) }) {
			t.Errorf("best first: %q", got)
		}
		b.set("sort", "worst")
		if got := rewards(); got[0] != "0.00" || !slices.IsSortedFunc(got, func(a, b string) int { return compareNumbers(t, a, b) }) {
			t.Errorf("worst first: %q", got)
		}
		b.hashes(`location.hash = 'sort=worst&page=2'`)
		if got := rewards(); got[57] == "–" || got[58] != "–" || got[59] != "–" { // 118 of 131 have a reward
			t.Errorf("the unjudged are not last: %q", got)
		}
		b.set("sort", "outcome")
		if got := ask[string](b, `document.querySelector('#cards .badge').textContent`); got != "Build failed" {
			t.Errorf("by outcome starts with %s", got)
		}
		b.set("sort", "id")
		b.key("ArrowRight")
		b.key("ArrowRight")
		if got := b.shown(); got.IDs[10] != "Zebra" || got.Hash != "#sort=id&page=3" {
			t.Errorf("by id: %+v", got)
		}
	})
}

func compareNumbers(t *testing.T, a, b string) int {
	x, err := strconv.ParseFloat(a, 64)
	must(t, err)
	y, err := strconv.ParseFloat(b, 64)
	must(t, err)
	return int(100*x - 100*y)
}

func TestGalleryStateComesFromTheHash(t *testing.T) {
	t.Parallel()
	inGallery(t, "outcome=rendered&sort=best&q=sample", func(b tab) {
		if got := b.shown(); got.Found != "1 to 33 of 33 found in 131 samples" {
			t.Errorf("got %+v", got)
		}
		if got := ask[[]string](b, `['q', 'outcome', 'sort'].map(id => document.getElementById(id).value)`); !slices.Equal(got, []string{"sample", "rendered", "best"}) {
			t.Errorf("controls show %q", got)
		}
		b.hashes(`location.hash = 'recipe'`) // an anchor changes nothing
		if got := b.shown(); len(got.IDs) != 33 {
			t.Errorf("an anchor on the page left %d cards", len(got.IDs))
		}
		if href := ask[string](b, `document.querySelector('.card').href`); !strings.Contains(href, "/report/s/sample-") {
			t.Errorf("a card leads to %s", href)
		}
	})
}

func TestSlashFocusesTheSearch(t *testing.T) {
	t.Parallel()
	inGallery(t, "", func(b tab) {
		b.do(`document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '/', bubbles: true, cancelable: true}))`)
		if got := ask[string](b, `document.activeElement.id`); got != "q" {
			t.Errorf("the focus is on %q", got)
		}
	})
}
