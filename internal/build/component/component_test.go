package component

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
)

func artifact(source string) *vitrine.Artifact {
	return &vitrine.Artifact{Kind: vitrine.KindComponent, Files: []vitrine.File{{Path: "page.tsx", Content: source}}}
}

func TestComponentOnTheHostIsBundled(t *testing.T) {
	t.Parallel()
	site, missing := bundle(artifact(`'use client'
import { useState } from 'react'
import Link from 'next/link'
export default function Page() { const [n, set] = useState<number>(0); return <Link href="/x" onClick={() => set(n + 1)}>Clicked {n}</Link> }`))
	if len(missing) != 0 || site.Failure != nil {
		t.Fatalf("missing %v, failure %+v", missing, site.Failure)
	}
	if js := string(site.Files["host/component.js"]); !strings.Contains(js, "Clicked ") || strings.Contains(js, "require(\"react") {
		t.Errorf("bundle:\n%s", js)
	}
	if page := string(site.Files["index.html"]); !strings.Contains(page, "/host/tailwind.js") || len(site.Files["host/tailwind.js"]) == 0 || len(site.Files["host/react.js"]) == 0 {
		t.Errorf("the host lacks React or Tailwind:\n%s", page)
	}
	again, _ := bundle(artifact(`export default () => null`))
	if site.Hash == "" || again.Hash == site.Hash {
		t.Error("two components have one hash")
	}
}

func TestForeignPackagesAreNamed(t *testing.T) {
	t.Parallel()
	source := `import { LineChart } from 'recharts'; import x from '@scope/pkg/deep'; import 'lodash/fp'; export default () => <LineChart data={x}/>`
	site, missing := bundle(artifact(source))
	if diff := cmp.Diff([]string{"@scope/pkg", "lodash", "recharts"}, missing); diff != "" || site != nil {
		t.Fatalf("site %v, missing (-want +got):\n%s", site, diff)
	}
	made := project(artifact(source), missing)
	manifest, _ := made.File("package.json")
	for _, want := range []string{`"recharts":"^2.12.0"`, `"lodash":"latest"`, `"react":"^18.3.1"`} {
		if !strings.Contains(manifest, want) {
			t.Errorf("package.json lacks %s: %s", want, manifest)
		}
	}
	if page, ok := made.File("src/page.tsx"); !ok || page != source {
		t.Errorf("src/page.tsx: %q", page)
	}
}

func TestBrokenComponentSaysWhere(t *testing.T) {
	t.Parallel()
	for name, source := range map[string]string{
		"syntax":       "export default function Page() {\n  return <div>\n}",
		"missing file": `import x from './data'; export default () => x`,
		"host's disk":  `import x from '../../../../etc/passwd'; export default () => x`,
	} {
		site, missing := bundle(artifact(source))
		if len(missing) != 0 || site == nil || site.Failure == nil || site.Failure.Code != vitrine.FailureBuild || site.Failure.Message == "" {
			t.Errorf("%s: %+v, missing %v", name, site, missing)
		}
	}
}

// What a parser computes without an end is left to a process that may die of it.
func TestWhatWouldTakeTheProcessIsNotBundledHere(t *testing.T) {
	t.Parallel()
	doubling := "import { LineChart } from 'recharts'; import './style.css'; enum E { A = 'aaaaaaaa', B = `${A}${A}`, C = `${B}${B}` }\nexport default () => <LineChart data={E.C}/>"
	site, missing := bundle(artifact(doubling))
	if site != nil || !slices.Equal(missing, []string{"recharts"}) {
		t.Errorf("a doubling enum: site %v, missing %v", site, missing)
	}
	if site, _ := bundle(artifact("enum Kind { Green = 'green', Black = 'black' }\nexport default () => <p>{Kind.Green}</p>")); site == nil || site.Failure != nil {
		t.Errorf("a plain enum: %+v", site)
	}
	nested := "import { LineChart } from 'recharts'; export default () => <LineChart data={" + strings.Repeat("[", 60_000) + strings.Repeat("]", 60_000) + "}/>"
	if site, missing := bundle(artifact(nested)); site != nil || !slices.Equal(missing, []string{"recharts"}) {
		t.Errorf("lists inside each other: site %v, missing %v", site, missing)
	}
	many := artifact("export default () => null")
	for i := range maxFiles {
		many.Files = append(many.Files, vitrine.File{Path: fmt.Sprint("m", i, ".tsx")})
	}
	if site, _ := bundle(many); site == nil || site.Failure == nil || site.Failure.Code != vitrine.FailureTooLarge {
		t.Errorf("%d files: %+v", len(many.Files), site)
	}
}
