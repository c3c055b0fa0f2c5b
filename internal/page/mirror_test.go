package page

import (
	"testing"

	"vitrine/internal/fixtures/fixturestest"
)

const cdn = fixturestest.CDN

func TestUnsign(t *testing.T) {
	t.Parallel()
	const lib = "lib"
	mirror := fixturestest.Mirror{cdn + "lib.js": lib, "http://cdn.example/lib.js": lib, cdn + "a.js?x=1&y=2": lib}
	for page, want := range map[string]string{
		`<script src="` + cdn + `lib.js" integrity="sha384-AAAA">`:                                     `<script src="` + cdn + `lib.js" data-hash="sha384-AAAA">`,
		`<SCRIPT INTEGRITY=sha384-AAAA SRC='` + cdn + `lib.js' async>`:                                 `<SCRIPT data-hash=sha384-AAAA SRC='` + cdn + `lib.js' async>`,
		`<script src="//cdn.example/lib.js" integrity="sha384-AAAA"></script>`:                         `<script src="//cdn.example/lib.js" data-hash="sha384-AAAA"></script>`,
		`<link href="` + cdn + `a.js?x=1&amp;y=2" integrity="sha256-AAAA">`:                            `<link href="` + cdn + `a.js?x=1&amp;y=2" data-hash="sha256-AAAA">`,
		`<script src="` + cdn + `lib.js" integrity="` + fixturestest.Integrity(lib) + `">`:             `<script src="` + cdn + `lib.js" integrity="` + fixturestest.Integrity(lib) + `">`,
		`<script src="` + cdn + `lib.js" integrity="sha256-AAAA ` + fixturestest.Integrity(lib) + `">`: `<script src="` + cdn + `lib.js" integrity="sha256-AAAA ` + fixturestest.Integrity(lib) + `">`,
		`<script src="` + cdn + `lib.js" integrity="md5-AAAA">`:                                        `<script src="` + cdn + `lib.js" integrity="md5-AAAA">`,
		`<script src="` + cdn + `other.js" integrity="sha384-AAAA">`:                                   `<script src="` + cdn + `other.js" integrity="sha384-AAAA">`,
		`<script src="/own.js" integrity="sha384-AAAA">`:                                               `<script src="/own.js" integrity="sha384-AAAA">`,
		`<p>integrity="sha384-AAAA" of ` + cdn + `lib.js</p><script>integrity = 1</script>`:            `<p>integrity="sha384-AAAA" of ` + cdn + `lib.js</p><script>integrity = 1</script>`,
		`<script src="` + cdn + `lib.js">`:                                                             `<script src="` + cdn + `lib.js">`,
		`<script data-if="a>b" src="` + cdn + `lib.js" integrity="sha384-AAAA">`:                       `<script data-if="a>b" src="` + cdn + `lib.js" data-hash="sha384-AAAA">`,
		`<script src="` + cdn + `lib.js"integrity="sha384-AAAA"/async>`:                                `<script src="` + cdn + `lib.js"data-hash="sha384-AAAA"/async>`,
		`<script/src="` + cdn + `lib.js"/integrity=sha384-AAAA>`:                                       `<script/src="` + cdn + `lib.js"/data-hash=sha384-AAAA>`,
		`<!-- <script src="` + cdn + `lib.js" integrity="sha384-AAAA"></script> -->`:                   `<!-- <script src="` + cdn + `lib.js" integrity="sha384-AAAA"></script> -->`,
		`<noscript><link href="` + cdn + `lib.js" integrity="sha384-AAAA"></noscript>`:                 `<noscript><link href="` + cdn + `lib.js" data-hash="sha384-AAAA"></noscript>`,
		`<p>1 < 2</p><SCRIPT src="` + cdn + `lib.js" integrity="sha384-AAAA">a</SCRIPT>`:               `<p>1 < 2</p><SCRIPT src="` + cdn + `lib.js" data-hash="sha384-AAAA">a</SCRIPT>`,
		`<script integrity src="::">`:                                                                  `<script integrity src="::">`,
	} {
		n := &Network{settings: Settings{Mirror: mirror}}
		if got := string(n.dropIntegrity([]byte(page))); got != want {
			t.Errorf("%s\n got %s\nwant %s", page, got, want)
		} else if changed := got != page; changed != (len(n.unsigned) == 1) {
			t.Errorf("%s: recorded as unsigned: %v", page, n.unsigned)
		}
	}
}
