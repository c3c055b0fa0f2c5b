package markup

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTags(t *testing.T) {
	t.Parallel()
	for page, want := range map[string][]string{
		"":                                     nil,
		"1 < 2 <3 < b</p>":                     nil,
		`<A HREF='x'B=y c D="1&amp;2>3">Tea`:   {`a href=x b=y c= d=1&2>3 0-31`},
		`<img/src=a/ alt="b"/>`:                {`img src=a/ alt=b 0-21`},
		`<p id=a id=b>`:                        {`p id=a 0-13`},
		`<!-- <p> --><!doctype html><?x <p>?>`: nil,
		`<title><p></title><textarea><p></textarea><xmp><p></xmp>`: {`title 0-7`, `textarea 18-28`, `xmp 42-47`},
		`<noscript><p></noscript>`:                                 {`noscript 0-10`, `p 10-13`},
		`<script type=a>"<p>"</SCRIPT ><p>`:                        {`script type=a 0-30 holds "<p>"`, `p 30-33`},
		`<script src=a></script><style></style><p>`:                {`script src=a 0-23`, `style 23-38`, `p 38-41`},
		`<script><!-- <script> </script> --></script><p>`:          {`script 0-44 holds <!-- <script> </script> -->`, `p 44-47`},
		`<script>a = "</scripts>"`:                                 {`script 0-24 holds a = "</scripts>"`},
		`<style>a`:                                                 {`style 0-8 holds a`},
		`<p><a href="`:                                             {`p 0-3`},
		"<svg><image xlink:href=a /><![CDATA[ <p> ]]></svg>":       {`svg 0-5`, `image xlink:href=a 5-27`},
		"<p\x00 a=\xff\r\nb>é<b>":                                  {"p\uFFFD a=\xff b= 0-11", `b 13-16`},
	} {
		var got []string
		for tag := range Tags(page) {
			s := tag.Data
			for _, a := range tag.Attr {
				s += " " + a.Key + "=" + a.Val
			}
			s += fmt.Sprintf(" %d-%d", tag.Start, tag.End)
			if tag.Inner != "" {
				s += " holds " + tag.Inner
			}
			got = append(got, s)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", page, diff)
		}
	}
}

func FuzzTags(f *testing.F) {
	f.Add(`<p a="b"><!-- --><script>"</p>"</script><img/x`)
	f.Fuzz(func(t *testing.T, page string) {
		end := 0
		for tag := range Tags(page) {
			if tag.Start < end || tag.End > len(page) || !strings.HasPrefix(page[tag.Start:tag.End], tag.Raw) || !strings.Contains(page[tag.Start:tag.End], tag.Inner) {
				t.Fatalf("%q: %+v after %d", page, tag, end)
			}
			end = tag.End
		}
	})
}
