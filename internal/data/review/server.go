package review

import (
	"cmp"
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"mime"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"vitrine/internal/digest"
	"vitrine/internal/meta/answers"
	"vitrine/internal/report"
)

//go:embed page.html
var pageText string

//go:embed keys.js
var keys []byte

var page = template.Must(template.New("page").Funcs(template.FuncMap{"style": report.Style}).Parse(pageText))

// longestText is how many characters of a side are shown.
const longestText = 20_000

// A Server asks one reviewer. What rows hold is shown as text and as pictures that were
// taken of it; nothing of it runs.
type Server struct {
	items []Item
	store *Store
	path  string // unguessable, so that no other page and no other user of the machine answers
	swap  []bool // of each pair, whether B is on the left

	mu    sync.Mutex
	shown map[int]time.Time
}

// NewServer asks a reviewer about items, in an order of their own by the seed; so are the
// sides of pairs.
func NewServer(items []Item, s *Store, seed uint64) *Server {
	v := &Server{items: slices.Clone(items), store: s, path: "/" + rand.Text(), shown: map[int]time.Time{}}
	place := func(i Item) string { return digest.Of("review", seed, filepath.Base(s.file), i.Question, i.ID) }
	slices.SortStableFunc(v.items, func(a, b Item) int {
		return cmp.Or(cmp.Compare(a.Question, b.Question), cmp.Compare(place(a), place(b)))
	})
	for _, i := range v.items { // by another hash than the order, of which the side would else be a function
		v.swap = append(v.swap, i.Kind == answers.Pair && digest.Of("side", seed, filepath.Base(s.file), i.ID)[0]%2 == 0)
	}
	return v
}

// Serve asks until the context ends, and is told its address first.
func (v *Server) Serve(ctx context.Context, listen string, told func(url string)) error {
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return refuse("cannot listen on "+listen+": "+err.Error(), "give another --listen, such as 127.0.0.1:0")
	}
	server := &http.Server{Handler: v.Handler(), ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	told("http://" + l.Addr().String() + v.path + "/")
	select {
	case err = <-ended:
	case <-ctx.Done():
		err = server.Close()
		<-ended
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// Handler serves the page.
func (v *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+v.path+"/{$}", func(w http.ResponseWriter, r *http.Request) { v.forward(w, r, 0) })
	mux.HandleFunc("GET "+v.path+"/keys.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		_, _ = w.Write(keys)
	})
	mux.HandleFunc("GET "+v.path+"/done", v.done)
	mux.HandleFunc("GET "+v.path+"/{item}", v.ask)
	mux.HandleFunc("POST "+v.path+"/{item}", v.answer)
	mux.HandleFunc("GET "+v.path+"/{item}/{side}/{picture}", v.picture)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; script-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		mux.ServeHTTP(w, r)
	})
}

// forward leads to the next item without an answer.
func (v *Server) forward(w http.ResponseWriter, r *http.Request, from int) {
	v.mu.Lock()
	i := v.store.next(v.items, from)
	v.mu.Unlock()
	to := v.path + "/done"
	if i >= 0 {
		to = v.path + "/" + strconv.Itoa(i)
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// item is the place that a request names; false where there is none.
func (v *Server) item(w http.ResponseWriter, r *http.Request) (int, bool) {
	i, err := strconv.Atoi(r.PathValue("item"))
	if err != nil || i < 0 || i >= len(v.items) {
		http.NotFound(w, r)
		return 0, false
	}
	return i, true
}

// A choice is one button.
type choice struct{ Value, Name, Key string }

// choices are the buttons of a kind. A pair's are of what is on the left and on the right.
func choices(kind answers.Kind, swapped bool) []choice {
	switch {
	case kind != answers.Pair:
		return []choice{{"true", "Yes", "y"}, {"false", "No", "n"}}
	case swapped:
		return []choice{{"B", "Left is better", "ArrowLeft"}, {"tie", "Equal", "ArrowDown"}, {"A", "Right is better", "ArrowRight"}}
	}
	return []choice{{"A", "Left is better", "ArrowLeft"}, {"tie", "Equal", "ArrowDown"}, {"B", "Right is better", "ArrowRight"}}
}

// questions are what is asked, in words.
var questions = map[string]string{
	Duplicate:     "Do both ask for the same thing?",
	Good:          "Is this row good for training?",
	"better site": "Which of the two is the better answer?",
}

// A word of a text, marked where the other side does not have it.
type word struct {
	Text   string
	Marked bool
}

// A sideShown is a side as the page has it.
type sideShown struct {
	Name     string
	Words    []word
	Pictures []string // URLs
	Cut      bool
}

func (v *Server) ask(w http.ResponseWriter, r *http.Request) {
	i, ok := v.item(w, r)
	if !ok {
		return
	}
	item := v.items[i]
	v.mu.Lock()
	v.shown[i] = time.Now()
	said, count := v.store.Said(item.ID), v.store.Count(v.items)
	v.mu.Unlock()
	names := []string{"", ""}
	if len(item.Sides) == 2 {
		names = map[bool][]string{true: {"Left", "Right"}, false: {"The row", "What it is like"}}[item.Kind == answers.Pair]
	}
	var sides []sideShown
	for k := range item.Sides {
		of := k
		if v.swap[i] {
			of = 1 - k
		}
		sides = append(sides, v.side(i, of, names[k]))
	}
	v.write(w, map[string]any{
		"Question": questions[item.Question], "Why": item.Why, "Instruction": item.Instruction, "Sides": sides,
		"Choices": choices(item.Kind, v.swap[i]), "Said": said, "At": i + 1, "Of": len(v.items), "Count": count,
		"Before": max(0, i-1), "After": (i + 1) % len(v.items),
	})
}

// side shows a side, with the words marked that the other one does not have.
func (v *Server) side(i, of int, name string) sideShown {
	item, text := v.items[i], []rune(v.items[i].Sides[of].Text)
	s := sideShown{Name: name}
	if s.Cut = len(text) > longestText; s.Cut {
		text = text[:longestText]
	}
	others := map[string]bool{}
	for k, other := range item.Sides {
		if k != of && item.Question == Duplicate {
			for _, w := range strings.FieldsFunc(strings.ToLower(other.Text), between) {
				others[w] = true
			}
		}
	}
	for len(text) > 0 {
		n := 1
		for n < len(text) && between(text[n]) == between(text[0]) {
			n++
		}
		one := word{Text: string(text[:n])}
		one.Marked = len(others) > 0 && !between(text[0]) && !others[strings.ToLower(one.Text)]
		s.Words, text = append(s.Words, one), text[n:]
	}
	for p := range item.Sides[of].Pictures {
		s.Pictures = append(s.Pictures, fmt.Sprintf("%s/%d/%d/%d", v.path, i, of, p))
	}
	return s
}

// between reports whether a character is between words.
func between(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

func (v *Server) answer(w http.ResponseWriter, r *http.Request) {
	i, ok := v.item(w, r)
	if !ok {
		return
	}
	item, value := v.items[i], r.FormValue("value")
	if !slices.ContainsFunc(choices(item.Kind, false), func(c choice) bool { return c.Value == value }) {
		http.Error(w, "that is no answer to the question", http.StatusBadRequest)
		return
	}
	label := answers.Label{Value: answers.Text(value)}
	if item.Kind == answers.Pair {
		label.First = map[bool]string{false: "A", true: "B"}[v.swap[i]]
	}
	v.mu.Lock()
	if began, ok := v.shown[i]; ok {
		seconds := time.Since(began).Round(time.Millisecond).Seconds()
		label.Seconds = &seconds
	}
	err := v.store.Say(item.Item, label)
	v.mu.Unlock()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	v.forward(w, r, i+1)
}

func (v *Server) picture(w http.ResponseWriter, r *http.Request) {
	i, ok := v.item(w, r)
	side, errSide := strconv.Atoi(r.PathValue("side"))
	n, errN := strconv.Atoi(r.PathValue("picture"))
	switch {
	case !ok:
		return
	case errSide != nil || errN != nil || side < 0 || n < 0 || side >= len(v.items[i].Sides) || n >= len(v.items[i].Sides[side].Pictures):
		http.NotFound(w, r)
		return
	}
	file := v.items[i].Sides[side].Pictures[n]
	w.Header().Set("Content-Type", mime.TypeByExtension(strings.ToLower(filepath.Ext(file))))
	http.ServeFile(w, r, file)
}

func (v *Server) done(w http.ResponseWriter, _ *http.Request) {
	v.mu.Lock()
	count := v.store.Count(v.items)
	v.mu.Unlock()
	v.write(w, map[string]any{"Count": count, "Of": len(v.items), "File": v.store.file})
}

func (v *Server) write(w http.ResponseWriter, data map[string]any) {
	data["Path"] = v.path
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = page.Execute(w, data) // who asked is gone
}
