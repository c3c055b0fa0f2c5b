package fullstack

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"

	"vitrine"
	"vitrine/internal/bench/jest"
	"vitrine/internal/sandbox"
)

const aRow = `{"id":7,"content":"A list.","labels":{"programming_language":"html","category":"Basic","difficulty":"easy"},"test":{"code":"load('#<INSERT>')","asset":{"a.css":"cHt9"}}}`

func TestTasks(t *testing.T) {
	t.Parallel()
	read := func(text string) ([]vitrine.Task, error) {
		return Benchmark{}.Tasks(fstest.MapFS{rowsFile: {Data: []byte(text)}})
	}
	inText := `{"id":"8","content":"B","labels":"{\"programming_language\":\"html\"}","test":"{\"code\":\"x\",\"asset\":\"{}\"}"}`
	tasks, err := read(aRow + "\n" + `{"id":1,"labels":{"programming_language":"sql"}}` + "\n\n" + inText)
	if err != nil || len(tasks) != 2 || tasks[0].ID != "7" || tasks[1].ID != "8" || tasks[0].Files[1].Content != "p{}" || tasks[0].Category != "Basic" {
		t.Fatalf("%+v, %v", tasks, err)
	}
	for want, row := range map[string]string{
		"no id": strings.Replace(aRow, `"id":7,`, "", 1), "no content": strings.Replace(aRow, "A list.", " ", 1), "no test.code": strings.Replace(aRow, "load('#<INSERT>')", "", 1),
		"cannot lie in the folder": strings.Replace(aRow, "a.css", "../a.css", 1), "test.asset": strings.Replace(aRow, "cHt9", "%", 1), "unexpected end": "{",
	} {
		_, err := read(row)
		if f := vitrine.AsFault("", err); err == nil || f.Code != vitrine.FaultUsage || !strings.Contains(f.Message, "line 1: ") || !strings.Contains(f.Message, want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := (Benchmark{}).Tasks(fstest.MapFS{}); err == nil {
		t.Error("a file that is not there was read")
	}
}

func TestCodeOfAnAnswer(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		"x\n```css\na\n```\n```html\nb\n```\n```html\nc\n```": "b", "```\na\n```": "a", "```html\nnever closed": "never closed", "I cannot.": "", "": "",
		"<think>```html\nno\n```</think>```html\nyes\n```": "yes", "```html\n<p>1</p>\n# Example usage\nx\n```": "<p>1</p>",
	} {
		if got := code(answer); got != want {
			t.Errorf("%q: %q, want %q", answer, got, want)
		}
	}
}

// As published the page is pasted: ${} of an answer is code of the test. Ours is text.
func TestWhereThePageGoes(t *testing.T) {
	t.Parallel()
	task := func(test string) vitrine.Task { return vitrine.Task{Files: []vitrine.File{{Content: test}}} }
	page := "a`${process.exit(0)}\\"
	for _, test := range []struct {
		of              string
		ours, published suite
	}{
		{"set(`#<INSERT>`)", suite{"set(`a\\`\\${process.exit(0)}\\\\`)", ""}, suite{"set(`" + page + "`)", ""}},
		{"set(`<b>#<INSERT></b>`)", suite{"set(`<b>a\\`\\${process.exit(0)}\\\\</b>`)", ""}, suite{"set(`<b>" + page + "</b>`)", ""}},
		{"x(`\\``) + #<INSERT> + `#<INSERT>`", suite{"x(`\\``) + " + page + " + `a\\`\\${process.exit(0)}\\\\`", ""}, suite{"x(`\\``) + " + page + " + `", ""}},
		{"one #<INSERT> two #<INSERT> three", suite{"one " + page + " two " + page + " three", ""}, suite{"one " + page + " two ", ""}},
		{"goto('index.html')", suite{"goto('index.html')", page}, suite{"goto('index.html')", page}},
	} {
		if got := inserted(task(test.of), page, true); got != test.ours {
			t.Errorf("ours of %q: %+v", test.of, got)
		}
		if got := inserted(task(test.of), page, false); got != test.published {
			t.Errorf("published of %q: %+v", test.of, got)
		}
	}
}

// The exit code is all that the published rule looks at.
func TestRules(t *testing.T) {
	t.Parallel()
	says := func(log string, exit int) verdict {
		return read(jest.Run{Word: "WORD", Step: vitrine.BuildStep{Log: log, ExitCode: exit}})
	}
	both, ended, failed := says(`WORD {"passed":1,"total":1}`, 0), says("", 0), says(`WORD {"passed":1,"total":2,"message":"no list"}`, 1)
	if !both.strict || !both.compat || ended.strict || !ended.compat || failed.strict || failed.compat || failed.why != "no list" {
		t.Errorf("%+v, %+v, %+v", both, ended, failed)
	}
	if m := measured(failed, both, both); m.Outcome != "passed" || m.Strict["pass"].Sum != 1 || m.Strict["aside"].Sum != 0 || m.Compat["pass"].Sum != 1 {
		t.Errorf("%+v", m)
	}
	if m := measured(both, both, both); m.Outcome != "set aside" || m.Strict["pass"] != nil || m.Strict["aside"].Sum != 1 || m.Compat["pass"].Sum != 1 {
		t.Errorf("a row that an empty page passes: %+v", m)
	}
	if m := measured(failed, ended, ended); m.Outcome != "failed" || m.Strict["pass"].Sum != 0 || m.Compat["pass"].Sum != 1 {
		t.Errorf("a test that was ended: %+v", m)
	}
}

// A verdict that the machine was too busy for is not that of the next answer.
func TestEmptyIsTriedAgainAfterAFault(t *testing.T) {
	t.Parallel()
	k, tries := &kept{}, 0
	try := func() verdict {
		if tries++; tries == 1 {
			return verdict{err: sandbox.ErrStarved}
		}
		return verdict{strict: true}
	}
	if v := k.of(try); v.err == nil {
		t.Errorf("%+v", v)
	}
	for range 2 {
		if v := k.of(try); v.err != nil || !v.strict || tries != 2 {
			t.Errorf("%+v after %d tries", v, tries)
		}
	}
}

func FuzzTaskOf(f *testing.F) {
	f.Add([]byte(aRow))
	f.Fuzz(func(t *testing.T, line []byte) {
		if task, html, err := taskOf(line); err == nil && html && (len(task.Files) == 0 || task.ID == "") {
			raw, _ := json.Marshal(task)
			t.Errorf("%s", raw)
		}
	})
}
