package imports

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestTestingAgentsAreTwoJudges(t *testing.T) {
	result := func(name, more string) string {
		return `{"results":[{"test_name":"` + name + `","runtime":2.5,` + more + `}]}`
	}
	got := imported(t, "webtestpilot", folder(t, map[string]string{
		"experiments/rq1_2/results/pinata/shop/shop.final.json":       result("01::Buy - Bug", `"success":false,"has_bug":true,"error_message":"Failed at step 4"`),
		"experiments/rq1_2/results/webtestpilot/shop/shop.final.json": result("01::Buy - Bug", `"success":false,"has_bug":true,"error_message":"Error at step 3: 'State' object has no attribute 'cart'\nmore"`),
		"experiments/rq3_4/results/qwen-3b/w-qwen-3b-default.json":    result("02::Read", `"success":true,"has_bug":false,"error_message":null`),
		"experiments/rq3_4/results/gpt-4.1/w-gpt-restyle.json":        result("02::Read - Bug", `"success":true,"has_bug":true,"error_message":null`),
	}))
	holds(t, got,
		`{"item":{"id":"shop/01::Buy","kind":"unit","question":"the test passes","task":"shop/01::Buy","category":"shop, as it is","truth":true}}`,
		`{"item":{"id":"shop/01::Buy - Bug","kind":"unit","question":"the test passes","task":"shop/01::Buy","category":"shop, with a bug","truth":false,"variant_of":"shop/01::Buy","variant":"bug","broken":true}}`,
		`{"answer":{"item":"shop/01::Buy - Bug","judge":"pinata, gpt-4.1, without exceptions","value":false,"seconds":2.5}}`,
		`{"answer":{"item":"shop/01::Buy - Bug","judge":"webtestpilot, gpt-4.1","value":false,"seconds":2.5}}`,
		`{"answer":{"item":"shop/01::Buy - Bug","judge":"webtestpilot, gpt-4.1, without exceptions","value":null,"error":"Error at step 3: 'State' object has no attribute 'cart'","seconds":2.5}}`,
		`{"answer":{"item":"bookstack/02::Read","judge":"webtestpilot, qwen-3b","value":true,"seconds":2.5}}`,
		`{"item":{"id":"bookstack/02::Read - Bug, restyle","kind":"unit","question":"the test passes","task":"bookstack/02::Read","category":"bookstack, with a bug, restyle","truth":false,"variant_of":"bookstack/02::Read - Bug","variant":"restyle"}}`)
	if n := strings.Count(got, `{"item":{"id":"bookstack/02::Read",`); n != 1 {
		t.Errorf("an item is there %d times", n)
	}
}

func TestGradesThatAModelCouldNotGiveAreNull(t *testing.T) {
	got := imported(t, "praisonaibench", folder(t, map[string]string{"output/json/benchmark_results_1.json": `[
		{"test_name":"cube","model":{"model":"m"},"evaluation":{"functional":{"score":100},"quality":{"quality_score":0,"raw_score":-1},"overall_score":70}},
		{"test_name":"sun","model":"m","evaluation":{"functional":{"score":85},"quality":{"quality_score":0,"feedback":"Evaluation failed"},"overall_score":59}},
		{"test_name":"sea","model":"m","evaluation":{"functional":{"score":85},"quality":{"quality_score":50,"raw_score":1},"overall_score":74}},
		{"test_name":"sky","model":"m"}]`}))
	holds(t, got,
		`{"item":{"id":"benchmark_results_1/m/cube","kind":"rating","question":"page, 0 to 100","task":"cube","model":"m"}}`,
		`{"answer":{"item":"benchmark_results_1/m/cube","judge":"model on code","value":null,"error":"it says that it cannot tell"}}`,
		`{"answer":{"item":"benchmark_results_1/m/cube","judge":"both","value":null,"error":"it says that it cannot tell"}}`,
		`{"answer":{"item":"benchmark_results_1/m/sun","judge":"model on code","value":null,"error":"it gave no answer"}}`,
		`{"answer":{"item":"benchmark_results_1/m/sea","judge":"both","value":74}}`)
	if strings.Contains(got, "sky") {
		t.Error("what was not evaluated is there")
	}
}

func TestMutantsAreVersionsOfTheirPages(t *testing.T) {
	got := imported(t, "redteam", folder(t, map[string]string{"rewards.jsonl": `
{"id":"a.html","reward":0.8,"parts":{"function":0.9,"looks":0.7}}
{"id":"a.html~handlers-removed-0","reward":0.5,"parts":{"function":0.1,"looks":0.7}}
{"id":"a.html~same-printed-1","reward":null,"why":"the browser is gone"}
{"id":"a.html~handlers-removed-0","reward":0.1,"parts":{"function":0.1,"looks":0.7}}
{"id":"b.html~1","reward":0.3}
{"id":"a.ht`}))
	holds(t, got,
		`{"answer":{"item":"a.html#reward","judge":"reward","value":0.8}}`,
		`{"answer":{"item":"a.html#function","judge":"function","value":0.9}}`,
		`{"item":{"id":"a.html~handlers-removed-0#looks","kind":"rating","question":"looks","task":"a.html","variant_of":"a.html#looks","variant":"handlers-removed","broken":true}}`,
		`{"answer":{"item":"a.html~handlers-removed-0#reward","judge":"reward","value":0.1}}`,
		`{"item":{"id":"a.html~same-printed-1#reward","kind":"rating","question":"reward","task":"a.html","variant_of":"a.html#reward","variant":"same-printed"}}`,
		`{"answer":{"item":"a.html~same-printed-1#reward","judge":"reward","value":null,"error":"the browser is gone"}}`,
		`{"item":{"id":"b.html~1#reward","kind":"rating","question":"reward","task":"b.html~1"}}`)
}

func TestVersionsInTablesOfOnesOwn(t *testing.T) {
	dir := folder(t, map[string]string{"a.csv": "item,question,template,value,judge,variant_of,variant,broken,swapped\n1,fit,t1,7,j,,,,\n1,fit,t1,8,j,,,,true\n2,fit,t1,1,j,1,distractor,true,\n1,fit,t2,7,j,,,,\n"})
	holds(t, imported(t, "csv", filepath.Join(dir, "a.csv")),
		`{"item":{"id":"1#fit#t1","kind":"rating","question":"fit","template":"t1"}}`,
		`{"item":{"id":"2#fit#t1","kind":"rating","question":"fit","variant_of":"1#fit#t1","variant":"distractor","broken":true,"template":"t1"}}`,
		`{"answer":{"item":"1#fit#t1","judge":"j","value":8,"repeat":1,"swapped":true}}`,
		`{"answer":{"item":"1#fit#t2","judge":"j","value":7,"repeat":1}}`)
}

func TestWhatIsNoSetOfVersions(t *testing.T) {
	final := `{"results":[{"test_name":"1","success":true,"has_bug":false}]}`
	for name, tt := range map[string]struct {
		set   string
		files map[string]string
	}{
		"no outcome":  {"webtestpilot", map[string]string{"experiments/rq1_2/results/a/b/b.final.json": `{"results":[{"test_name":"1"}]}`}},
		"no wordings": {"webtestpilot", map[string]string{"experiments/rq1_2/results/a/b/b.final.json": final}},
		"no wording":  {"webtestpilot", map[string]string{"experiments/rq1_2/results/a/b/b.final.json": final, "experiments/rq3_4/results/m/x.json": final}},
		"no rows":     {"praisonaibench", map[string]string{"output/json/benchmark_results_1.json": `{}`}},
		"no grades":   {"praisonaibench", map[string]string{"output/json/benchmark_results_1.json": `[{"test_name":"sky"}]`}},
		"no rewards":  {"redteam", nil},
		"no JSON":     {"redteam", map[string]string{"rewards.jsonl": "{\n{}\n"}},
		"no operator": {"redteam", map[string]string{"rewards.jsonl": `{"id":"a"}` + "\n" + `{"id":"a~none-0"}` + "\n"}},
	} {
		if lines, err := Read(tt.set, folder(t, tt.files)); err == nil {
			t.Errorf("%s gives %d lines", name, len(lines))
		}
	}
}
