package static

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/project"
)

func artifact(kind vitrine.Kind, pairs ...string) *vitrine.Artifact {
	a := &vitrine.Artifact{Kind: kind}
	for i := 0; i < len(pairs); i += 2 {
		a.Files = append(a.Files, vitrine.File{Path: pairs[i], Content: pairs[i+1]})
	}
	return a
}

func TestPageIsServedAsItIs(t *testing.T) {
	t.Parallel()
	site := Site(artifact(vitrine.KindPage, "about.html", "about", "css/site.css", "p{}", "index.html", "<p>\x00ü"))
	want := &vitrine.Site{
		Kind: vitrine.KindPage, Builder: "static", Base: "/", Routes: []string{"/", "/about.html"},
		Files: map[string][]byte{"index.html": []byte("<p>\x00ü"), "about.html": []byte("about"), "css/site.css": []byte("p{}")},
	}
	want.Hash = build.Hash(want.Files)
	if diff := cmp.Diff(want, site); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestHashIsOfWhatIsServed(t *testing.T) {
	t.Parallel()
	base := Site(artifact(vitrine.KindPage, "index.html", "a", "b.js", "c")).Hash
	for name, other := range map[string]*vitrine.Artifact{
		"another page":          artifact(vitrine.KindPage, "index.html", "x", "b.js", "c"),
		"another path":          artifact(vitrine.KindPage, "index.html", "a", "c.js", "c"),
		"a file less":           artifact(vitrine.KindPage, "index.html", "a"),
		"bytes moved elsewhere": artifact(vitrine.KindPage, "index.html", "ab.js", "b.js", ""),
	} {
		if Site(other).Hash == base {
			t.Errorf("%s: the same hash", name)
		}
	}
	if Site(artifact(vitrine.KindPage, "index.html", "a", "b.js", "c")).Hash != base {
		t.Error("the same files have two hashes")
	}
}

func TestDrawingGetsAPageAroundIt(t *testing.T) {
	t.Parallel()
	drawing := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4"/></svg>`
	site := Site(artifact(vitrine.KindSVG, "image.svg", drawing))
	page := string(site.Files["index.html"])
	if !strings.HasPrefix(page, "<!DOCTYPE html>") || !strings.Contains(page, drawing) || string(site.Files["image.svg"]) != drawing {
		t.Errorf("got %v", site.Files)
	}
	if diff := cmp.Diff([]string{"/"}, site.Routes); diff != "" || site.Kind != vitrine.KindSVG || site.Failure != nil {
		t.Errorf("got %+v", site)
	}
}

func TestTooLargePageIsAFailure(t *testing.T) {
	t.Parallel()
	half := strings.Repeat("x", build.DefaultMaxBytes/2+1)
	site := Site(artifact(vitrine.KindPage, "a.js", half, "index.html", half))
	if site.Failure == nil || site.Failure.Code != vitrine.FailureTooLarge || site.Failure.Message != "the files are 100 MB, more than 100 MB" {
		t.Fatalf("got %+v", site.Failure)
	}
	if site.Files != nil || site.Hash != "" || site.Builder != "static" || len(site.Routes) != 1 {
		t.Errorf("there is something to serve: %s", site.Hash)
	}
	if fits := Site(artifact(vitrine.KindPage, "index.html", half)); fits.Failure != nil {
		t.Errorf("half of it is too large: %+v", fits.Failure)
	}
}

func TestRoutesAreBounded(t *testing.T) {
	t.Parallel()
	a := &vitrine.Artifact{Kind: vitrine.KindPage}
	for i := range 5000 {
		a.Files = append(a.Files, vitrine.File{Path: fmt.Sprint(i, ".html")})
	}
	if n := len(Site(a).Routes); n != project.MaxRoutes {
		t.Errorf("%d routes, want %d", n, project.MaxRoutes)
	}
}
