package parse

import (
	"slices"
	"strings"
)

// componentFile and plotFile are where a lone component and a plot go.
const (
	componentFile = "page.tsx"
	plotFile      = "plot.py"
)

// fencedComponent takes the first block of TypeScript or JSX with a default
// export, or else the first with JSX. Plain scripts and blocks without a language
// need both.
func fencedComponent(r *region, n *notes) *draft {
	fallback := -1
	for i, b := range r.blocks {
		typed := b.lang == "tsx" || b.lang == "jsx" || b.lang == "typescript" || b.lang == "ts"
		if !typed && b.lang != "javascript" && b.lang != "js" && b.lang != "react" && b.lang != "" {
			continue
		}
		jsx := holdsJSX(b.raw)
		if (typed || jsx) && scanModule(b.raw).defaultExport {
			return componentDraft(b, n)
		}
		if typed && jsx && fallback < 0 {
			fallback = i
		}
	}
	if fallback < 0 {
		return nil
	}
	return componentDraft(r.blocks[fallback], n)
}

func componentDraft(b block, n *notes) *draft {
	d := &draft{files: []draftFile{{componentFile, b.content()}}}
	if !b.closed {
		n.add("truncated_fence", "the fence of the component is never closed")
	}
	return d
}

// looseComponent takes a whole text that is a module with JSX and a default
// export, as data sets of bare components have them.
func looseComponent(r *region, _ *notes) *draft {
	code := strings.TrimSpace(r.loose())
	if !startsModule(code) || !holdsJSX(code) || !scanModule(code).defaultExport {
		return nil
	}
	return &draft{files: []draftFile{{componentFile, code}}}
}

// startsModule tells whether a text begins as a module does, and not as prose.
func startsModule(code string) bool {
	return slices.ContainsFunc([]string{
		"import ", `"use client"`, `'use client'`, "export ", "//", "/*", "const ", "function ", "interface ", "type ",
	}, func(s string) bool { return strings.HasPrefix(code, s) })
}

// holdsJSX tells whether code has a closed element.
func holdsJSX(code string) bool {
	return strings.Contains(code, "</") || strings.Contains(code, "/>")
}

// fencedPlot joins the blocks of Python in order.
func fencedPlot(r *region, n *notes) *draft {
	return plotDraft(r, n, func(b block) bool {
		return b.lang == "python" || b.lang == "py" || b.lang == "python3"
	})
}

// loosePlot takes the blocks without a language, or else the whole text, where
// they import something.
func loosePlot(r *region, n *notes) *draft {
	if d := plotDraft(r, n, func(b block) bool { return b.lang == "" && importsPython(b.raw) }); d != nil {
		return d
	}
	if len(r.blocks) > 0 || !importsPython(r.text) {
		return nil
	}
	return &draft{files: []draftFile{{plotFile, strings.TrimSpace(r.text)}}}
}

func plotDraft(r *region, n *notes, is func(block) bool) *draft {
	var parts []string
	for _, b := range r.blocks {
		if !is(b) || blank(b.raw) {
			continue
		}
		parts = append(parts, b.content())
		if !b.closed {
			n.add("truncated_fence", "the fence of the plot is never closed")
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return &draft{files: []draftFile{{plotFile, strings.Join(parts, "\n\n")}}}
}

// importsPython tells whether some line is a Python import.
func importsPython(code string) bool {
	for line := range strings.Lines(code) {
		if strings.HasPrefix(line, "import ") || strings.HasPrefix(line, "from ") && strings.Contains(line, " import ") {
			return true
		}
	}
	return false
}
