package parse

import (
	"fmt"
	"strings"
	"testing"

	"vitrine"
)

const megabyte = 1 << 20

// bigProject is a whole project of about this many bytes.
func bigProject(size int) string {
	const component = `import { useState } from 'react'
import { Card } from 'antd'

// Shows one row of numbers; it's here for its apostrophe.
export default function Row({ title }: { title: string }) {
  const [open, setOpen] = useState<boolean>(false)
  return (
    <Card title={title} onClick={() => setOpen(!open)}>
      <p className={` + "`row ${open ? 'open' : 'shut'}`" + `}>Don't panic &amp; carry on</p>
      {[1, 2, 3].map((n) => <span key={n}>{n / 2}</span>)}
    </Card>
  )
}
`
	var b strings.Builder
	b.WriteString("<think>\nA plan.\n</think>\n<answer>\n```xml\n<webArtifact id=\"big\" title=\"Big\">\n")
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "<webAction type=\"file\" filePath=\"src/components/Row%d.tsx\">\n%s</webAction>\n", i, strings.Repeat(component, 1+i%40))
	}
	b.WriteString("<webAction type=\"shell\">npm install</webAction>\n<webAction type=\"start\">npm run dev</webAction>\n</webArtifact>\n```\n</answer>\n")
	return b.String()
}

// bigPage is one page of about this many bytes.
func bigPage(size int) string {
	const row = "<tr><td class=\"n\">1</td><td>A cell with `ticks` and <b>bold</b> text</td></tr>\n"
	return "Here it is:\n```html\n<!doctype html>\n<html>\n<body>\n<table>\n" +
		strings.Repeat(row, size/len(row)) + "</table>\n</body>\n</html>\n```\nEnjoy!\n"
}

func BenchmarkOutput(b *testing.B) {
	const nested = 100_000
	for _, bench := range []struct{ name, text string }{
		{"project_20MB", bigProject(20 * megabyte)},
		{"project_1file_20MB", "<webArtifact id=\"a\" title=\"b\"><webAction type=\"file\" filePath=\"package.json\">{}</webAction>" +
			"<webAction type=\"file\" filePath=\"src/data.ts\">" + strings.Repeat("export const row = { name: 'a', n: 1 }\n", 20*megabyte/39) + "</webAction></webArtifact>"},
		{"page_20MB", bigPage(20 * megabyte)},
		{"bare_page_20MB", strings.TrimPrefix(bigPage(20*megabyte), "Here it is:\n```html\n")},
		{"prose_20MB", strings.Repeat("Nothing but words here. ", 20*megabyte/24)},
		{"crlf_20MB", strings.Repeat("<p>words</p>\r\n", 20*megabyte/14)},
		{"project_60KB", bigProject(60 << 10)},
		{"nested_actions", strings.Repeat(`<webAction type="file" filePath="a">`, nested) + strings.Repeat("</webAction>", nested)},
		{"nested_artifacts", strings.Repeat(`<webArtifact id="a" title="b">`, nested)},
		{"nested_think", strings.Repeat("<think>", nested) + strings.Repeat("</think>", nested)},
		{"nested_fences", strings.Repeat("```html\n", nested)},
		{"nested_div", strings.Repeat("<div>", nested)},
		{"fence_lines_20MB", strings.Repeat("```\n", 20*megabyte/4)},
		{"think_tags_20MB", strings.Repeat("<think>", 20*megabyte/7)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.text)))
			b.ReportAllocs()
			for b.Loop() {
				Output(vitrine.Output{Text: bench.text})
			}
		})
	}
}
