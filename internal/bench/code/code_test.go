package code

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/leak"
	"vitrine/internal/sandbox"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

const (
	small  = `{"task_id":2,"text":"Double it.","test_list":["assert double(2) == 4"],"test_setup_code":""}`
	large  = `{"task_id":"Mbpp/2","prompt":"Double it.","test_list":["assert double(2) == 4"],"test":"for i in range(99):\n    assert double(i) == 2 * i"}`
	inputs = `{"question_id":"1_A","question_content":"Add them.","difficulty":"easy","public_test_cases":"[{\"input\":\"1 2\",\"output\":\"3\"}]","private_test_cases":"","metadata":"{}"}`
)

// pickle is a text as Python packs private test cases.
func pickle(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, err := z.Write(append([]byte{0x80, 4, 0x95, 0, 0, 0, 0, 0, 0, 0, 0, 0x8c, byte(len(text))}, text+"\x94."...))
	if err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

func suiteOf(t *testing.T, task vitrine.Task) (s suite) {
	t.Helper()
	if err := json.Unmarshal([]byte(task.Files[0].Content), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTasks(t *testing.T) {
	t.Parallel()
	read := func(b Benchmark, text string) ([]vitrine.Task, error) {
		return b.Tasks(fstest.MapFS{b.info.Data[0].Name: {Data: []byte(text)}})
	}
	tasks, err := read(MBPP, small+"\n\n")
	if err != nil || len(tasks) != 1 || tasks[0].ID != "2" || !strings.Contains(suiteOf(t, tasks[0]).Tests, "double(2) == 4") || !strings.Contains(tasks[0].Instruction, "double(2)") {
		t.Fatalf("%+v, %v", tasks, err)
	}
	tasks, err = read(MBPPPlus, large)
	if err != nil || tasks[0].ID != "Mbpp/2" || !strings.Contains(suiteOf(t, tasks[0]).Tests, "range(99)") {
		t.Fatalf("%+v, %v", tasks, err)
	}
	packed := strings.Replace(inputs, `"private_test_cases":""`, `"private_test_cases":"`+pickle(t, `[{"input":"2 2","output":"4"}]`)+`"`, 1)
	tasks, err = read(LiveCodeBench, packed)
	if s := suiteOf(t, tasks[0]); err != nil || len(s.Cases) != 2 || s.Cases[1].Output != "4" || s.Call != "" || tasks[0].Category != "easy" {
		t.Fatalf("%+v, %v", tasks, err)
	}
	for want, of := range map[string]struct {
		b   Benchmark
		row string
	}{
		"no id": {MBPP, `{"text":"x"}`}, "no text": {MBPP, `{"task_id":1,"test_list":["assert 1"]}`}, "no tests": {MBPPPlus, small}, "second row": {MBPP, small + "\n" + small},
		"test cases: ": {LiveCodeBench, strings.Replace(inputs, `"private_test_cases":""`, `"private_test_cases":"AAAA"`, 1)}, "metadata: ": {LiveCodeBench, strings.Replace(inputs, `"{}"`, `"{"`, 1)}, "unexpected end": {MBPP, "{"},
	} {
		_, err := read(of.b, of.row)
		if f := vitrine.AsFault("", err); err == nil || f.Code != vitrine.FaultUsage || !strings.Contains(f.Message, want) || f.Fix == "" {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestProgram(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		"```python\na\n```\nor\n```py\nb\n```\n```\nc\n```": "b\n", "```\na\n```": "a\n", "x = 1": "x = 1", "<think>```python\nno\n```</think>```python\nyes\n```": "yes\n",
	} {
		if got := program(answer); got != want {
			t.Errorf("%q: %q, want %q", answer, got, want)
		}
	}
}

// peek looks for the job in the memory and the files of the processes around it.
const peek = `import os
for pid in [p for p in os.listdir("/proc") if p.isdigit() and int(p) != os.getpid()]:
    try:
        for fd in os.listdir("/proc/%s/fd" % pid):
            try:
                text = open("/proc/%s/fd/%s" % (pid, fd), "rb").read() if os.readlink("/proc/%s/fd/%s" % (pid, fd)).startswith("/") else b""
            except OSError:
                continue
            assert b"cases" not in text, "found it at %s/%s" % (pid, fd)
    except OSError:
        pass
open("/proc/%d/mem" % os.getppid(), "rb")`

// Right answers pass; wrong, endless and forging ones do not, and say why.
func TestAnswers(t *testing.T) {
	t.Parallel()
	box, err := MBPP.Tester(t.Context(), bench.Machine{Sandbox: sandbox.Sandbox{}})
	if err != nil {
		t.Skip(err)
	}
	called := suite{Call: "add", Cases: []pair{{"1\n2", "3"}, {"[1]\n[2]", "[1, 2]"}}}
	read := suite{Cases: []pair{{"1 2", "3"}, {"2 2", "4.0"}}}
	asserted := suite{Tests: "assert add(1, 2) == 3"}
	for name, test := range map[string]struct {
		of   suite
		code string
		pass bool
		why  string
	}{
		"asserted": {asserted, "def add(a, b): return a + b", true, ""}, "prints": {asserted, "def add(a, b): return a + b\nprint(add(1, 1))", true, ""}, "wrong": {asserted, "def add(a, b): return a", false, "AssertionError"}, "no Python": {asserted, "I cannot.", false, "SyntaxError"},
		"ended before": {asserted, "import os\nos._exit(0)", false, "ended before"}, "says so itself": {asserted, "print('WORD {\"pass\": true}')\nimport sys; sys.exit()", false, "ended before"},
		"called": {called, "class Solution:\n    def add(self, a, b): return a + b", true, ""}, "a function": {called, "def add(a, b): return a + b", true, ""}, "nothing": {called, "x = 1", false, "KeyError"},
		"the starter code": {called, "class Solution:\n    def add(self, a: List[int], b: Optional[int]) -> int: return a + b", true, ""}, "known modules": {read, "a, b = map(int, sys.stdin.read().split())\nprint(reduce(operator.add, deque([a, b])) if __name__ == '__main__' and pow(2, 3, 5) == 3 else 0)", true, ""},
		"looks for what is expected": {read, peek, false, "PermissionError"}, "wrong result": {called, "def add(a, b): return 3", false, "case 2: another result"},
		"read": {read, "a, b = map(int, input().split())\nprint(a + b)", true, ""}, "fails": {read, "print(3)", false, "case 2: another output"}, "reads too much": {read, "input(); input()", false, "EOFError"},
	} {
		v, err := box.(tester).try(t.Context(), test.code, test.of)
		if err != nil || v.Pass != test.pass || !strings.Contains(v.Why, test.why) {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
	}
	// One that sleeps has failed: it is not the machine that was busy.
	if v, err := (tester{box.(tester).box, 5}).try(t.Context(), "import time\ntime.sleep(600)", asserted); err != nil || v.Pass || !strings.Contains(v.Why, "within 5 seconds") {
		t.Errorf("%+v, %v", v, err)
	}
	task, err := task([]byte("1"), "Add.", "", asserted)
	if err != nil {
		t.Fatal(err)
	}
	m, err := box.Test(t.Context(), task, vitrine.Output{Text: "```python\ndef add(a, b): return a + b\n```"})
	if err != nil || m.Outcome != "passed" || m.Strict["pass"].Sum != 1 || m.Compat["pass"].Sum != 1 {
		t.Errorf("%+v, %v", m, err)
	}
}

// Each case has its time, however many there are.
func TestLimitsAreThoseOfTheCases(t *testing.T) {
	t.Parallel()
	if few := limitsOf(suite{Tests: "assert True"}); few != limits {
		t.Errorf("%+v", few)
	}
	if many := limitsOf(suite{Cases: make([]pair, 100)}); many.CPU < 100*cpuSeconds*time.Second || many.Wall < 100*wallSeconds*time.Second {
		t.Errorf("%+v", many)
	}
}

func FuzzRows(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte(inputs))
	f.Fuzz(func(t *testing.T, line []byte) {
		for _, b := range []Benchmark{MBPP, MBPPPlus, LiveCodeBench} {
			if task, err := b.read(line); err == nil && (task.ID == "" || len(task.Files) != 1) {
				t.Errorf("%s: %+v", b.info.Name, task)
			}
		}
	})
}

func FuzzPickled(f *testing.F) {
	f.Add([]byte("\x80\x04\x8c\x03abc\x94."))
	f.Add([]byte("\x80\x04X\xff\xff\xff\xffabc"))
	f.Fuzz(func(t *testing.T, p []byte) {
		if text, err := pickled(p); err == nil && len(text) > len(p) {
			t.Errorf("%d of %d bytes", len(text), len(p))
		}
	})
}
