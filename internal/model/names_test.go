package model

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"vitrine"
)

func TestBaseURLs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		protocol Protocol
		in, want string // want is empty for what is refused
	}{
		{OpenAI, "https://api.openai.com/v1", "https://api.openai.com/v1"},
		{OpenAI, "https://api.openai.com/v1/", "https://api.openai.com/v1"},
		{OpenAI, "https://api.openai.com", "https://api.openai.com/v1"},
		{OpenAI, "http://gpu1:8000//", "http://gpu1:8000/v1"},
		{OpenAI, "http://gpu1:8000/v1/chat/completions", "http://gpu1:8000/v1"},
		{OpenAI, "https://api.groq.example/openai/v1", "https://api.groq.example/openai/v1"},
		{OpenAI, "https://generativelanguage.googleapis.com/v1beta/openai/", "https://generativelanguage.googleapis.com/v1beta/openai"},
		{Anthropic, "https://api.anthropic.com", "https://api.anthropic.com"},
		{Anthropic, "https://api.anthropic.com/v1/", "https://api.anthropic.com"},
		{Anthropic, "https://proxy.example/anthropic/v1/messages", "https://proxy.example/anthropic"},
		{Google, "https://g.example/v1beta/", "https://g.example"},
		{OpenAI, "gpu1:8000", ""}, {OpenAI, "ftp://gpu1", ""}, {OpenAI, "http://", ""}, {OpenAI, "", ""},
		{OpenAI, "https://user:secret@gpu1/v1", ""}, {OpenAI, "https://gpu1/v1?key=secret", ""}, {OpenAI, "http://[::1", ""},
	} {
		got, err := baseURL(c.protocol, c.in)
		if got != c.want || (err == nil) != (c.want != "") || err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %q became %q, %v, want %q", c.protocol, c.in, got, err, c.want)
		}
	}
}

func FuzzBaseURL(f *testing.F) {
	f.Add("https://api.openai.com/v1/")
	f.Add("http://h/v1/chat/completions/v1")
	f.Fuzz(func(t *testing.T, in string) {
		for _, p := range []Protocol{OpenAI, Anthropic, Google} {
			once, err := baseURL(p, in)
			if err != nil {
				continue
			}
			if strings.HasSuffix(once, "/") || !strings.HasPrefix(once, "http") {
				t.Errorf("%s: %q became %q", p, in, once)
			}
		}
	})
}

func TestOllamaHost(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"localhost": "http://localhost:11434", "0.0.0.0": "http://localhost:11434", "0.0.0.0:9": "http://localhost:9", ":9": "http://localhost:9",
		"http://gpu1:9": "http://gpu1:9", "https://gpu1": "https://gpu1:11434", "[::]:9": "http://localhost:9", "[::1]:9": "http://[::1]:9",
	} {
		if got := ollamaHost(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

// described resolves a name with variables and entries.
func described(t *testing.T, name string, env map[string]string, models map[string]Entry) (Info, error) {
	t.Helper()
	c, err := NewClient(Settings{Dial: func(Target) (Model, error) { return nil, nil }, Models: models, Getenv: func(v string) string { return env[v] }})
	must(t, err)
	return c.Describe(name)
}

func TestNames(t *testing.T) {
	t.Parallel()
	env := map[string]string{
		"OPENAI_API_KEY": "k1", "GEMINI_API_KEY": "k2", "GOOGLE_API_KEY": " k2\n", "VLLM_BASE_URL": "http://gpu1:8000/", "OLLAMA_HOST": "gpu2", "MY_LAB_BASE_URL": "http://lab", "MY_LAB_API_KEY": "k3",
	}
	models := map[string]Entry{
		"house":             {Model: "vllm/Qwen/Qwen2.5-VL-72B", BaseURL: "http://gpu3", KeyVariable: "OPENAI_API_KEY", MaxImages: 3},
		"nano":              {Model: "openai/gpt-5-nano"},
		"openai/gpt-5-nano": {Price: &Price{In: 9, Out: 9, Date: "2026-11-21"}},
	}
	for name, want := range map[string]string{
		"openai/gpt-5-mini":          "openai openai gpt-5-mini https://api.openai.com/v1 OPENAI_API_KEY true 0.25",
		"anthropic/claude-haiku-4-5": "anthropic anthropic claude-haiku-4-5 https://api.anthropic.com ANTHROPIC_API_KEY false 1",
		"google/gemini-2.5-flash":    "google google gemini-2.5-flash https://generativelanguage.googleapis.com GOOGLE_API_KEY true 0.3",
		"openrouter/qwen/qwen-vl":    "openrouter openai qwen/qwen-vl https://openrouter.ai/api/v1 OPENROUTER_API_KEY false ?",
		"vllm/Qwen/Qwen2.5-VL-7B":    "vllm openai Qwen/Qwen2.5-VL-7B http://gpu1:8000/v1 VLLM_API_KEY false ?",
		"sglang/m":                   "sglang openai m http://localhost:30000/v1 SGLANG_API_KEY false ?",
		"ollama/llava:13b":           "ollama openai llava:13b http://gpu2:11434/v1 OLLAMA_API_KEY false ?",
		"openai-api/my-lab/a/b":      "openai-api/my-lab openai a/b http://lab/v1 MY_LAB_API_KEY true ?",
		"house":                      "vllm openai Qwen/Qwen2.5-VL-72B http://gpu3/v1 OPENAI_API_KEY true ?",
		"nano":                       "openai openai gpt-5-nano https://api.openai.com/v1 OPENAI_API_KEY true 9",
	} {
		info, err := described(t, name, env, models)
		must(t, err)
		price := "?"
		if info.Price != nil {
			price = fmt.Sprint(info.Price.In)
		}
		if got := fmt.Sprint(info.Provider, " ", info.Protocol, " ", info.Model, " ", info.BaseURL, " ", info.KeyVariable, " ", info.HasKey, " ", price); got != want {
			t.Errorf("%s is\n%s, want\n%s", name, got, want)
		}
		if strings.Contains(fmt.Sprintf("%v %+v %#v", info, info, info), "k1") {
			t.Errorf("%s: the key shows", name)
		}
	}
}

func TestVariablesThatCannotBe(t *testing.T) {
	t.Parallel()
	for name, env := range map[string]map[string]string{
		"google/x":         {"GOOGLE_API_KEY": "secret-1", "GEMINI_API_KEY": "secret-2"},
		"vllm/x":           {"VLLM_BASE_URL": "gpu1:8000"},
		"openai-api/lab/x": {},
		"anthropic/x":      {"ANTHROPIC_BASE_URL": "https://me:secret-3@host"},
	} {
		_, err := described(t, name, env, nil)
		f := vitrine.AsFault("x", err)
		if f.Code != vitrine.FaultUsage || f.Fix == "" || strings.Contains(fmt.Sprint(f, f.Fix), "secret") {
			t.Errorf("%s: %v, fix %q", name, err, f.Fix)
		}
	}
}

func TestModelsFile(t *testing.T) {
	t.Parallel()
	entries, err := ParseConfig("models.yaml", []byte(`
models:
  house:
    model: vllm/Qwen/Qwen2.5-VL-72B-Instruct
    base_url: http://gpu1:8000
    api_key_env: GPU1_KEY
    price: {in: 0.2, out: 0.6, cached: 0.02, date: 2026-11-01}
    max_images: 8
  openai/gpt-5-mini:
    price: {in: 0.3, out: 2, date: 2026-11-01}
`))
	must(t, err)
	house := entries["house"]
	if len(entries) != 2 || house.Model != "vllm/Qwen/Qwen2.5-VL-72B-Instruct" || house.MaxImages != 8 || *house.Price.Cached != 0.02 || house.KeyVariable != "GPU1_KEY" {
		t.Errorf("got %+v", entries)
	}
	if entries, err := ParseConfig("x", nil); err != nil || len(entries) != 0 {
		t.Errorf("an empty file gives %v, %v", entries, err)
	}
}

func TestBadModelsFiles(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct{ file, says string }{
		"an unknown key":    {"models:\n  a:\n    modle: openai/x\n", "modle"},
		"a key of its own":  {"models:\n  a:\n    model: openai/x\n    api_key: hush-hush\n", "api_key"},
		"a literal key":     {"models:\n  a:\n    model: openai/x\n    api_key_env: sk-proj-abcdef123456\n", "line 4 looks like it holds a key"},
		"a key in the URL":  {"models:\n  a:\n    model: openai/x\n    base_url: http://h/?k=AIzaSyabcdef123456\n", "line 4 looks"},
		"no variable":       {"models:\n  a:\n    model: openai/x\n    api_key_env: hush hush\n", "api_key_env"},
		"no model":          {"models:\n  a: {}\n", "models.a: model"},
		"a wrong provider":  {"models:\n  a: {model: openia/x}\n", "openai, anthropic"},
		"a bad alias":       {"models:\n  'a b': {model: openai/x}\n", "want a name"},
		"a bad URL":         {"models:\n  a: {model: openai/x, base_url: gpu1}\n", "base_url"},
		"no date":           {"models:\n  a: {model: openai/x, price: {in: 1, out: 1}}\n", "date"},
		"a negative price":  {"models:\n  a: {model: openai/x, price: {in: -1, out: 1, date: 2026-01-01}}\n", "price"},
		"a price too fine":  {"models:\n  a: {model: openai/x, price: {in: 0.00000015, out: 1, date: 2026-01-01}}\n", "six decimals"},
		"no number":         {"models:\n  a: {model: openai/x, price: {in: .nan, out: 1, date: 2026-01-01}}\n", "price"},
		"negative pictures": {"models:\n  a: {model: openai/x, max_images: -1}\n", "max_images"},
		"a list":            {"- a\n", "line 1"},
		"no YAML":           {"models: [\n", ""},
		"something else":    {"recipes: {}\n", "recipes"},
		"an alias":          {"models:\n  a: &hush-hush {model: openai/x}\n  b: *hush-hush\n", "line 2: anchors (&), aliases (*)"},
		"deep":              {"models: " + strings.Repeat("[", 30_000), "nested at most"},
		"too long":          {strings.Repeat("# x\n", 1<<17), "longer"},
	} {
		_, err := ParseConfig("models.yaml", []byte(c.file))
		f := vitrine.AsFault("x", err)
		told := fmt.Sprint(err, f.Fix)
		if f.Code != vitrine.FaultUsage || !strings.Contains(f.Message, "models.yaml") || !strings.Contains(told, c.says) || f.Fix == "" {
			t.Errorf("%s: %v", what, err)
		}
		if strings.Contains(told, "hush") || strings.Contains(told, "sk-proj") || strings.Contains(told, "AIza") {
			t.Errorf("%s: the key is told: %s", what, told)
		}
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add([]byte("models:\n  a: {model: openai/x, price: {in: 1, out: 2, date: 2026-01-01}}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := ParseConfig("x", data)
		if err != nil {
			return
		}
		for word, e := range entries {
			if e.check(word) != nil {
				t.Errorf("%q was let through: %+v", word, e)
			}
		}
	})
}

func TestPricesAreExact(t *testing.T) {
	t.Parallel()
	rows, err := Prices()
	must(t, err)
	seen := map[string]bool{}
	for _, r := range rows {
		if _, _, err := find(r.Name); err != nil || r.Source == "" || seen[r.Name] || r.Cached != nil && *r.Cached > r.In {
			t.Errorf("%+v: %v", r, err)
		}
		seen[r.Name] = true
	}
	if len(rows) < 12 {
		t.Errorf("%d rows", len(rows))
	}
	cached := 0.0375
	p := &Price{In: 0.15, Out: 0.6, Cached: &cached, UpTo: 2_000_000}
	sum := money(0)
	for range 1000 { // a thousand times a thousandth of each
		cost, ok := p.cost(Usage{In: 1500, Cached: 500, Out: 1000})
		if !ok {
			t.Fatal("not known")
		}
		sum += cost
	}
	if want := money(0.15e12 + 0.0375e12/2 + 0.6e12); sum != want {
		t.Errorf("the sum is %d, want %d", sum, want)
	}
	if _, ok := p.cost(Usage{In: 2_000_001}); ok {
		t.Error("a price holds beyond its length")
	}
	if _, ok := (*Price)(nil).cost(Usage{}); ok {
		t.Error("no price is a price")
	}
	if cost, _ := p.cost(Usage{In: 5, Cached: 50}); cost != 5*37_500 {
		t.Errorf("more cached than sent costs %d", cost)
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"": 0, "2": 2 * time.Second, "0.5": 500 * time.Millisecond, "-1": 0, "soon": 0, "NaN": 0, "1e300": time.Hour, "99999999": time.Hour, "Inf": time.Hour,
		"Sat, 21 Nov 2026 12:00:30 GMT": 30 * time.Second, "Sat, 21 Nov 2026 11:00:00 GMT": 0, "Sun, 21 Nov 2027 11:00:00 GMT": time.Hour,
	} {
		if got := retryAfter(http.Header{"Retry-After": {value}}, now); got != want {
			t.Errorf("%q is %s, want %s", value, got, want)
		}
	}
	if got := retryAfter(http.Header{"Retry-After": {"9"}, "Retry-After-Ms": {"15"}}, now); got != 15*time.Millisecond {
		t.Errorf("milliseconds are read as %s", got)
	}
	google, _ := readAPIError([]byte(`{"error":{"code":429,"message":"quota","status":"RESOURCE_EXHAUSTED","details":[{"@type":"x"},{"retryDelay":"12.5s"}]}}`))
	if e := google.read(429, http.Header{}, ""); e.RetryAfter != 12500*time.Millisecond || e.Cause != CauseRate || e.Message != "quota" {
		t.Errorf("Google's is read as %+v", e)
	}
}

func FuzzComplaint(f *testing.F) {
	for _, s := range []string{`{"error":{"message":"m","type":"t","code":429}}`, `{"error":"text"}`, `[{"error":{"details":[{"retryDelay":"1s"}]}}]`, `{"message":{"a":1}}`, `{"error":{"message":5,"code":"x","details":{}}}`, `{"detail":[{"msg":"x"}]}`} {
		f.Add([]byte(s), 400)
	}
	f.Fuzz(func(t *testing.T, body []byte, status int) {
		c, ok := readAPIError(body)
		if !ok {
			return
		}
		e := c.read(c.status(status), http.Header{}, "")
		w := wire{key: "canary-key"}
		if tidy := w.tidy(e.Message + "canary-key"); len(tidy) > maxMessage+8 || strings.Contains(tidy, "canary-key") || strings.ContainsAny(tidy, "\n\r\x00") {
			t.Errorf("the message is %q", tidy)
		}
		if e.RetryAfter < 0 || e.RetryAfter > time.Hour || e.Cause == "" {
			t.Errorf("read %+v", e)
		}
	})
}

func TestMessagesOfOthersAreTidied(t *testing.T) {
	t.Parallel()
	w := wire{key: "my-own-key"}
	for in, want := range map[string]string{
		"a\n\tb\x00c": "a b c", "with my-own-key in it": "with [key] in it",
		"masked sk-proj-12345678 and AIzaSyD-1234567890": "masked [key] and [key]", "bad \xff bytes": "bad � bytes",
	} {
		if got := w.tidy(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
	if got := (wire{}).tidy("all fine"); got != "all fine" {
		t.Errorf("without a key: %q", got)
	}
	if got := w.tidy(string(bytes.Repeat([]byte("x"), 9999))); len(got) > maxMessage+4 {
		t.Errorf("%d bytes", len(got))
	}
}
