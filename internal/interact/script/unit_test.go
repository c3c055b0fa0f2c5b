package script

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/goccy/go-yaml"

	"vitrine"
	"vitrine/internal/browser"
	"vitrine/internal/interact"
)

// window is small, since comparing frames is what the race detector makes slow.
var window = vitrine.Viewport{Name: "small", Width: 800, Height: 600}

// unit is what the unit set says of one of its pages.
type unit struct {
	Page  string
	Tasks []struct {
		ID       string
		Feasible bool
		Error    string
		Why      string
	}
}

// Every script of the unit set is held against its page: what works passes, what does
// not fails or is partial.
func TestTheUnitSetIsJudgedRight(t *testing.T) {
	if testing.Short() {
		t.Skip("needs the browser")
	}
	sup := browser.New(browser.Settings{Pages: 4})
	t.Cleanup(sup.Close)
	var mu sync.Mutex
	right, all, wrong := 0, 0, []string{}
	t.Run("pages", func(t *testing.T) {
		for _, name := range unitSet(t) {
			t.Run(filepath.Base(name), func(t *testing.T) {
				t.Parallel()
				site, feasible := unitPage(t, name)
				for _, s := range unitScripts(t, name) {
					c, err := Run(t.Context(), &interact.Driver{Browser: sup, Site: site, Viewport: window}, s, nil)
					if err != nil {
						t.Errorf("%s: %v", s.ID, err)
						continue
					}
					works, known := feasible[s.ID]
					if !known {
						t.Errorf("%s: the page does not say whether it is feasible", s.ID)
					}
					mu.Lock()
					if all++; (c.Verdict == vitrine.VerdictPass) == works {
						right++
					} else {
						wrong = append(wrong, s.ID+": "+string(c.Verdict)+", "+string(c.End)+": "+c.Why)
					}
					mu.Unlock()
				}
			})
		}
	})
	t.Logf("%d of %d are judged right", right, all)
	if float64(right) < 0.98*float64(all) || all < 150 {
		t.Errorf("%d of %d are judged right, want 0.98 of at least 150; wrong are\n%s", right, all, strings.Join(wrong, "\n"))
	} else if len(wrong) > 0 {
		t.Logf("wrong are\n%s", strings.Join(wrong, "\n"))
	}
}

func unitScripts(t *testing.T, name string) []Script {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	scripts, err := Parse(filepath.Base(name), text)
	if err != nil {
		t.Fatal(err)
	}
	return scripts
}

// The eight error types of WebDevJudge Table 11.
func TestTheUnitSetHasEveryErrorType(t *testing.T) {
	counts := map[string]int{}
	for _, name := range unitSet(t) {
		_, p := readUnit(t, name)
		for _, task := range p.Tasks {
			if task.Feasible != (task.Error == "") {
				t.Errorf("%s: feasible is %v, error %q", task.ID, task.Feasible, task.Error)
			}
			counts[task.Error]++
		}
	}
	for _, kind := range []string{"non_functional", "missing_element", "prerequisite", "loading", "unreasonable", "ambiguous", "overly_detailed", "missing_animation"} {
		if counts[kind] == 0 {
			t.Errorf("no task is infeasible by %s", kind)
		}
	}
	if len(counts) != 9 {
		t.Errorf("the errors are %v, want eight types and none", counts)
	}
}

// readUnit reads what the unit set says of the page of a file of scripts, and its folder.
func readUnit(t *testing.T, scripts string) (dir string, p unit) {
	t.Helper()
	dir = filepath.Join(filepath.Dir(scripts), "../pages")
	about, err := os.ReadFile(filepath.Join(dir, filepath.Base(scripts)))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(about, &p); err != nil {
		t.Fatal(err)
	}
	return dir, p
}

// unitPage is the page of a file of scripts and which of its tasks can be done.
func unitPage(t *testing.T, scripts string) (*vitrine.Site, map[string]bool) {
	t.Helper()
	dir, p := readUnit(t, scripts)
	html, err := os.ReadFile(filepath.Join(dir, p.Page))
	if err != nil {
		t.Fatal(err)
	}
	feasible := map[string]bool{}
	for _, task := range p.Tasks {
		feasible[task.ID] = task.Feasible
	}
	return site("index.html", string(html)), feasible
}

// site is a site of these files: names, each with its content.
func site(files ...string) *vitrine.Site {
	s := &vitrine.Site{Kind: vitrine.KindPage, Base: "/", Routes: []string{"/"}, Files: map[string][]byte{}}
	for i := 0; i < len(files); i += 2 {
		s.Files[files[i]] = []byte(files[i+1])
	}
	return s
}
