package exact

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/sandbox"
)

func TestPlain(t *testing.T) {
	t.Parallel()
	for log, want := range map[string]string{
		"\x1b[31mred\x1b[0m":                             "red",
		"\x1b[38;2;1;2;3mtrue\x1b[39m \x1b[4:3mcurl":     "true curl",
		"\x1b[2K\x1b[1G\x1b[?25lline":                    "line",
		"\x1b]0;title\x07text":                           "text",
		"\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\ after": "link after",
		"\x1b]0;never ends\nnext line\x07 kept":          "0;never ends\nnext line kept",
		"a\r\nb\rc":                                      "a\nb\nc",
		"bell\x07, null\x00, back\b\tand tab":            "bell, null, back\tand tab",
		"\x1b(Bplain\x1b7\x1b8\x1b=":                     "plain",
		"/build/project/src/App.tsx:1:2":                 "src/App.tsx:1:2",
		"ü 漢 … ✓":                                        "ü 漢 … ✓",
		"\u009b31mc1 control":                            "31mc1 control",
		"ends in an escape\x1b":                          "ends in an escape",
		"half a code \x1b[":                              "half a code ",
	} {
		if got := plain(log); got != want {
			t.Errorf("%q: got %q, want %q", log, got, want)
		}
	}
}

func TestFirstError(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ log, want string }{
		"vite": {
			"> build\n> vite build\n\nvite v5.4.2 building for production...\n✓ 3 modules transformed.\nx Build failed in 61ms\nerror during build:\n" +
				"[vite]: Rollup failed to resolve import \"chart.js\" from \"src/App.tsx\".\nThis is most likely unintended",
			`[vite]: Rollup failed to resolve import "chart.js" from "src/App.tsx".`,
		},
		"tsc":  {"> tsc && vite build\n\nsrc/App.tsx(3,7): error TS6133: 'x' is declared but its value is never read.\n", "src/App.tsx(3,7): error TS6133: 'x' is declared but its value is never read."},
		"npm":  {"npm error code E404\nnpm error 404 Not Found - GET http://r/x\nnpm error A complete log of this run can be found in: /tmp/x", "npm error 404 Not Found - GET http://r/x"},
		"none": {"all is well\n", "otherwise"},
		"long": {"Error: " + strings.Repeat("é", 400), "Error: " + strings.Repeat("é", 146) + "…"},
	} {
		if got := firstError(test.log, "otherwise"); got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}

func TestUsefulLines(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	for i := range 100 {
		fmt.Fprintf(&log, "line %d  \n\n", i)
	}
	log.WriteString("npm notice new version\nnpm error A complete log of this run can be found in: /tmp/.npm/_logs/x-debug-0.log\n")
	lines := strings.Split(useful(log.String()), "\n")
	if len(lines) != 61 || lines[0] != "… 40 lines left out …" || lines[60] != "line 99" {
		t.Errorf("got %d lines from %q to %q", len(lines), lines[0], lines[len(lines)-1])
	}
}

func TestInstallFault(t *testing.T) {
	t.Parallel()
	failed, refused := errors.New("exit status 1"), errors.New("connection refused")
	for name, test := range map[string]struct {
		err, unanswered error
		log             string
		want            vitrine.FaultCode
	}{
		"out of time":         {sandbox.ErrTimeout, refused, "", vitrine.FaultInstallTimeout},
		"no answer":           {failed, refused, "npm error code E502", vitrine.FaultRegistry},
		"no space":            {failed, nil, "npm error code ENOSPC", vitrine.FaultDiskFull},
		"not there":           {failed, nil, "npm error code E404", ""},
		"conflict":            {failed, nil, "npm error code ERESOLVE", ""},
		"of somebody else":    {failed, nil, "npm error code ENOTFOUND", ""},
		"our own, as it is":   {vitrine.NewFault("sandbox", vitrine.FaultNoSandbox, nil, ""), nil, "", vitrine.FaultNoSandbox},
		"nothing but a limit": {sandbox.ErrMemory, nil, "", ""},
	} {
		err := installFault(test.err, test.unanswered, test.log)
		if test.want == "" && err != nil || test.want != "" && vitrine.AsFault("x", err).Code != test.want {
			t.Errorf("%s: got %v, want %s", name, err, test.want)
		}
	}
}
