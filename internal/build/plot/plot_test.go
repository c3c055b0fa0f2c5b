package plot

import (
	"bytes"
	"image/png"
	"slices"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/build/buildtest"
)

const (
	imports = "import matplotlib.pyplot as plt, numpy as np, os"
	line    = "plt.plot([1, 3, 2])"
)

func TestContract(t *testing.T) {
	b := builder(t)
	buildtest.Contract(t, b, buildtest.Inputs{
		Good: artifact(imports, line, "plt.show()"), Broken: artifact("plt.plot("),
		Hostile: func(secret, target string) []*vitrine.Artifact {
			climbing := artifact(imports, line)
			climbing.Files = append(climbing.Files, vitrine.File{Path: strings.Repeat("../", 40) + target[1:], Content: "escaped"})
			return []*vitrine.Artifact{
				climbing,
				artifact(imports, "plt.title(open('"+secret+"').read())", "plt.show()"),
				artifact(imports, line, "open('"+target+"', 'w').write('escaped')"),
				artifact(imports, "os.symlink('"+secret+"', '../out/01.png')"),
			}
		},
	})
}

// What is saved, shown or left open is a picture; a figure is one however often it is saved.
func TestPictures(t *testing.T) {
	t.Parallel()
	b := builder(t)
	data := vitrine.File{Path: "data.csv", Content: "a,b\n1,2\n3,5\n"}
	for name, test := range map[string]struct {
		program []string
		sizes   [][2]int
	}{
		"shown":            {[]string{imports, line, "plt.show()"}, [][2]int{{640, 480}}},
		"left open":        {[]string{imports, line}, [][2]int{{640, 480}}},
		"saved":            {[]string{imports, "plt.figure(figsize=(3, 2))", line, "plt.savefig('a.png', dpi=50)", "plt.close()"}, [][2]int{{150, 100}}},
		"saved three ways": {[]string{imports, line, "plt.savefig('a.pdf'); plt.savefig('a.jpg', dpi=50); plt.savefig('a')", "plt.show()"}, [][2]int{{640, 480}}},
		"saved as drawing": {[]string{imports, line, "plt.savefig('a.svg'); plt.close()"}, [][2]int{{640, 480}}},
		"saved to memory":  {[]string{imports, "import io", line, "plt.savefig(io.BytesIO()); plt.close()"}, [][2]int{{640, 480}}},
		"two figures":      {[]string{imports, line, "plt.figure(figsize=(3, 2))", line, "plt.show()"}, [][2]int{{640, 480}, {300, 200}}},
		"ends by itself":   {[]string{imports, "import sys", line, "sys.exit()"}, [][2]int{{640, 480}}},
		"of a notebook":    {[]string{"%matplotlib inline", imports, line}, [][2]int{{640, 480}}},
		"seaborn, a file":  {[]string{imports, "import pandas as pd, seaborn as sns", "sns.barplot(data=pd.read_csv('data.csv'))"}, [][2]int{{640, 480}}},
	} {
		s := mustBuild(t, b, artifact(test.program...), data).Site
		if s.Failure != nil {
			t.Errorf("%s: %+v", name, s.Failure)
			continue
		}
		var sizes [][2]int
		for i := range s.Routes {
			img, err := png.Decode(bytes.NewReader(s.Files[strings.Replace("picture-N.png", "N", string(rune('1'+i)), 1)]))
			must(t, err)
			sizes = append(sizes, [2]int{img.Bounds().Dx(), img.Bounds().Dy()})
		}
		if !slices.Equal(sizes, test.sizes) {
			t.Errorf("%s: pictures of %v, want %v", name, sizes, test.sizes)
		}
	}
}

// Chance, the order of sets and the time of saving leave no trace: a second run, without
// the cache, gives the same bytes.
func TestAPlotIsTheSameEachTime(t *testing.T) {
	t.Parallel()
	program := artifact(imports, "import random", "rows = np.random.default_rng().normal(size=(2, 50)) + np.random.rand() + random.random()",
		"plt.scatter(*rows); plt.title(' '.join({'tea', 'cake', 'milk'}))", "plt.savefig('a.png')")
	first := mustBuild(t, builder(t), program)
	second := mustBuild(t, builder(t), program)
	if first.Site.Failure != nil || first.Cached || second.Cached || first.Site.Hash != second.Site.Hash {
		t.Errorf("%+v %s, then %s", first.Site.Failure, first.Site.Hash, second.Site.Hash)
	}
}

func TestAPlotIsKept(t *testing.T) {
	t.Parallel()
	b := builder(t)
	first, again := mustBuild(t, b, artifact(imports, line)), mustBuild(t, b, artifact(imports, line))
	if first.Cached || !again.Cached || again.Site.Hash != first.Site.Hash || !bytes.Equal(again.Site.Files["picture-1.png"], first.Site.Files["picture-1.png"]) {
		t.Errorf("cached %v, then %v", first.Cached, again.Cached)
	}
	if other := mustBuild(t, b, artifact(imports, line), vitrine.File{Path: "data.csv"}); other.Cached {
		t.Error("a plot with another file of its task is the same")
	}
}

// A figure of plotly is a page that asks for our script and no other; its marks are the same
// in every run.
func TestPlotlyIsAPage(t *testing.T) {
	t.Parallel()
	var hashes []string
	for _, ends := range []string{"fig.show()", "fig.write_html('a.html')", "fig.write_image('a.png')"} {
		s := mustBuild(t, builder(t), artifact("import plotly.express as px", "fig = px.bar(x=['tea'], y=[3], title='Cups')", ends)).Site
		html := string(s.Files["index.html"])
		if s.Failure != nil || strings.Count(html, "<script src=") != 1 || !strings.Contains(html, PlotlyScript) || !strings.Contains(html, "Cups") {
			t.Errorf("%s: %+v: %.600s", ends, s.Failure, html)
		}
		hashes = append(hashes, s.Hash)
	}
	if slices.Sort(hashes); hashes[0] != hashes[2] {
		t.Errorf("the pages differ: %v", hashes)
	}
}

// What a task has to be run before is run first, and its names are there.
func TestBeforeAPlot(t *testing.T) {
	t.Parallel()
	b := builder(t)
	before := vitrine.File{Path: BeforeFile, Content: "import matplotlib.pyplot as plt\nvalues = [1, 3]\n"}
	s := mustBuild(t, b, artifact("plt.plot(values)"), before).Site
	if s.Failure != nil || len(s.Routes) != 1 {
		t.Errorf("%+v", s)
	}
	if s := mustBuild(t, b, artifact("plt.plot(values)")).Site; s.Failure == nil || !strings.Contains(s.Failure.Message, "NameError") {
		t.Errorf("without it: %+v", s.Failure)
	}
}
