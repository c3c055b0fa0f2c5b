package project

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
)

func artifact(files ...string) *vitrine.Artifact {
	a := &vitrine.Artifact{}
	for i := 0; i < len(files); i += 2 {
		a.Files = append(a.Files, vitrine.File{Path: files[i], Content: files[i+1]})
	}
	return a
}

func TestRoutes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		files []string
		want  []string
	}{
		"none": {[]string{"src/App.tsx", "export default () => <p>Route</p>"}, []string{"/"}},
		"elements, nested, index and catch-all": {[]string{"src/App.tsx", `
			<Routes>
				<Route path="/" element={<Home items={[1, 2].map((x) => x > 1)} />} />
				<Route path="about" element={<About/>}/>
				<Route path='/admin' element={<Admin/>}>
					<Route index element={<Overview/>} />
					<Route path="users" element={<Users/>} />
					<Route path={"users/:id"} element={<User/>} />
				</Route>
				<Route path="*" element={<NotFound/>} />
			</Routes>`}, []string{"/", "/about", "/admin", "/admin/users", "/admin/users/:id", "/*"}},
		"objects":                   {[]string{"src/router.tsx", "const router = createBrowserRouter([{ path: '/', element: <A/> }, {path: `/b`}, { element: 1, path: \"c\" }])"}, []string{"/", "/b", "/c"}},
		"paths that are not routes": {[]string{"src/a.ts", "const icon = { path: 'M0 0h1' }", "src/b.css", "<Route path='/x'>"}, []string{"/"}},
		"hash router":               {[]string{"src/App.tsx", "<HashRouter><Routes><Route path='/' /><Route path='/x' /></Routes></HashRouter>"}, []string{"/", "/#/x"}},
		"unfinished":                {[]string{"src/App.tsx", "<Route path='/x' element={<A"}, []string{"/", "/x"}},
	} {
		if diff := cmp.Diff(test.want, Routes(artifact(test.files...))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestRoutesAreBounded(t *testing.T) {
	t.Parallel()
	size := 0
	nested := Routes(artifact("src/App.tsx", strings.Repeat(`<Route path="deeper">`, 50_000)))
	for _, r := range nested {
		size += len(r)
	}
	if size > MaxRoutes*maxRoutePath {
		t.Errorf("nested routes come to %d MB", size>>20)
	}
	var many strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&many, "<Route path='/%d' />", i)
	}
	if n := len(Routes(artifact("src/App.tsx", many.String()))); n != MaxRoutes {
		t.Errorf("%d routes, want %d", n, MaxRoutes)
	}
}

func FuzzRoutes(f *testing.F) {
	f.Add("<Route path='/a'><Route path=\"b\"/></Route>")
	f.Fuzz(func(t *testing.T, source string) {
		got := Routes(artifact("src/App.tsx", source))
		if len(got) == 0 || got[0] != "/" {
			t.Errorf("got %v", got)
		}
	})
}
