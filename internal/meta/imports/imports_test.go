package imports

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/leak"
	"vitrine/internal/meta/answers"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// imported reads a set and holds that what comes of it is of the form.
func imported(t *testing.T, name, path string) string {
	t.Helper()
	lines, err := Read(name, path)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := answers.Write(&b, lines); err != nil {
		t.Fatal(err)
	}
	if _, err := answers.Read(bytes.NewReader(b.Bytes())); err != nil {
		t.Errorf("%v in\n%s", err, &b)
	}
	return b.String()
}

func holds(t *testing.T, got string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(got, w+"\n") {
			t.Errorf("there is no line\n%s\nin\n%s", w, got)
		}
	}
}

// The folders are made in the shapes of the published ones, with contents of our own.
func TestSetsAreReadInTheirShapes(t *testing.T) {
	holds(t, imported(t, "interaction2code", folder(t, map[string]string{
		"human_evaluation/failure/failure_direct_prompt_m.json": `{"7/2-direct_prompt-m.html": "4,6/1"}`,
		"human_evaluation/compare/compare_direct_prompt_m.json": `{"7/2-direct_prompt-m.html": 2}`,
	})),
		`{"item":{"id":"7/2-direct_prompt-m.html#usable","kind":"unit","question":"usable","task":"7","category":"direct_prompt_m","model":"direct_prompt_m"}}`,
		`{"label":{"item":"7/2-direct_prompt-m.html#usable","rater":"people","value":false}}`,
		`{"label":{"item":"7/2-direct_prompt-m.html#failure","rater":"people","value":"4,6"}}`,
		`{"label":{"item":"7/2-direct_prompt-m.html#beats Gemini, direct prompt","rater":"people","value":"B"}}`)
	holds(t, imported(t, "webdevjudge", folder(t, map[string]string{
		"data/index2label.json": `{"12": "model_b", "3": "tie"}`, "data/index2category.csv": "subcategory,category,index\nx,Games,12\n",
	})),
		`{"item":{"id":"12","kind":"pair","question":"better site","category":"Games","truth":"B"}}`,
		`{"item":{"id":"3","kind":"pair","question":"better site","truth":"tie"}}`)
	holds(t, imported(t, "webdevjudge", folder(t, map[string]string{
		"data/index2label.json": `{"12": "model_b", "3": "tie"}`, "data/index2category.csv": "subcategory,category,index\nx,Games,12\n",
		"data/all.jsonl": `{"question_id":"q12","label":"model_b","conversation_a":[{"role":"user","content":[{"text":"A game"}]},{"role":"assistant","object":{"code":"<p>a"}}],"conversation_b":[{"role":"assistant","object":{"code":"<p>b"}}]}
{"question_id":"q3","label":"tie","conversation_a":[{"role":"user","content":[{"text":"A shop"}]},{"role":"user","content":[{"text":"with tea"}]},{"role":"assistant","object":{"code":"<p>c"}}],"conversation_b":[{"role":"assistant","object":{"code":"<p>d"}}]}
`,
		"data/rubric.jsonl": `{"question_id":"q12","rubric":{"intention":{}}}
{"question_id":"q3","rubric":null}
`,
	})),
		`{"item":{"id":"12","kind":"pair","question":"better site","category":"Games","truth":"B","instruction":"A game","rubric":{"intention":{}},"shown":[{"code":"<p>a"},{"code":"<p>b"}]}}`,
		`{"item":{"id":"3","kind":"pair","question":"better site","truth":"tie","instruction":"A shop with tea","shown":[{"code":"<p>c"},{"code":"<p>d"}]}}`)
	holds(t, imported(t, "webdevjudge-unit", folder(t, map[string]string{
		"webdevjudge_unit/data/webdevjudge_unit.jsonl": `{"web_id":"w1","task_id":2,"code":"<p>x","task":"Add tea","expected":"It is there","label":0,"error_type":{"zh":"…","en":"missing element"}}
{"web_id":"w1","task_id":3,"code":"<p>x","task":"Look","expected":"","label":1,"error_type":null}
`,
	})),
		`{"item":{"id":"w1#2","kind":"unit","question":"feasible","task":"w1","category":"missing element","truth":false,"asks":"Add tea Expected result: It is there","shown":[{"code":"<p>x"}]}}`,
		`{"item":{"id":"w1#3","kind":"unit","question":"feasible","task":"w1","category":"feasible","truth":true,"asks":"Look","shown":[{"code":"<p>x"}]}}`)
	holds(t, imported(t, "rate-my-web-design", folder(t, map[string]string{
		"ratings/Ratings_Human.csv":             "id,user_id,filename,isopen,Aesth,LoD,Useful,ts\n1,9,a.png,0,8,7,6,now\n",
		"ratings/Ratings_Models_and_PreLLM.csv": "filename,NIMA mean score,GPT4-Aesthetic,GPT4-Level of Detail,GPT4-Usefulness for Designers,GPT4-Overall AVG,rate my img,humans_o\na.png,,5,1,3,6,4,7\n",
	})),
		`{"label":{"item":"a.png#usefulness","rater":"9","value":6}}`,
		`{"answer":{"item":"a.png#aesthetics","judge":"gpt-4o","value":5}}`,
		`{"answer":{"item":"a.png#aesthetics","judge":"nima","value":null}}`,
		`{"item":{"id":"a.png#overall","kind":"rating","question":"overall","task":"a.png","truth":7}}`)
	holds(t, imported(t, "mercilesscat", folder(t, map[string]string{
		"results/00_1.json": `{"row_id":"00_1","category":"game","functional":{"score":3,"reason":"works"},"usability":{"score":0,"reason":"ERROR: no money"},
			"aesthetic":{"score":8,"reason":"nice"},"overall_score":3.5}`,
	})),
		`{"answer":{"item":"00_1#functional","judge":"opendesign-html-evaluator","value":3}}`,
		`{"answer":{"item":"00_1#usability","judge":"opendesign-html-evaluator","value":null,"error":"no money"}}`,
		`{"answer":{"item":"00_1#overall","judge":"opendesign-html-evaluator","value":null,"error":"a part has no grade: no money"}}`)
}

// Choices of sessions that are not accepted, and pairs passed over, are no labels; what a session says twice counts once.
func TestLooksOfScreenshots(t *testing.T) {
	files := map[string]string{
		"rating-based-dataset/preprocess/train_means_list.csv": "image,mean_score\n/english_resized/7.png,4.5\n",
		"rating-based-dataset/preprocess/test_list.csv":        "image,mean_score\n/foreign_resized/8.png,2\n",
		"comparison-based-dataset/website_scores.csv":          "\"website\",\"score\"\n\"image3\",1\n",
		"comparison-based-dataset/data/votesessions.json": `[
			{"_id":{"$oid":"s1"},"acc":true,"vot":[{"imL":9,"imR":3,"imC":3},{"imL":3,"imR":9,"imC":3},{"imL":4,"imR":5,"imC":-1},{"imL":3,"imR":4,"imC":4}]},
			{"_id":{"$oid":"s2"},"acc":false,"vot":[{"imL":1,"imR":2,"imC":2}]}]`,
		"comparison-based-dataset/images/3.png": "a picture",
	}
	dir := folder(t, files)
	got := imported(t, "calista", dir)
	holds(t, got,
		`{"item":{"id":"english/7.png#appeal","kind":"rating","question":"appeal, 1 to 9","task":"english/7.png","category":"english","split":"fit","truth":4.5}}`,
		`{"item":{"id":"foreign/8.png#appeal","kind":"rating","question":"appeal, 1 to 9","task":"foreign/8.png","category":"foreign","split":"test","truth":2}}`,
		`{"item":{"id":"3#attractiveness","kind":"rating","question":"attractiveness, 1 to 10","task":"3","truth":1,"shown":[{"picture":"`+filepath.Join(dir, "comparison-based-dataset", "images", "3.png")+`"}]}}`,
		`{"item":{"id":"3, 9#more attractive","kind":"pair","question":"more attractive"}}`,
		`{"label":{"item":"3, 9#more attractive","rater":"s1","value":"A","first":"B"}}`,
		`{"label":{"item":"3, 4#more attractive","rater":"s1","value":"B","first":"A"}}`)
	if n := strings.Count(got, `"label"`); n != 2 {
		t.Errorf("%d labels, want 2", n)
	}
	delete(files, "rating-based-dataset/preprocess/test_list.csv")
	if got := imported(t, "calista", folder(t, files)); strings.Contains(got, `"test"`) || !strings.Contains(got, `"fit"`) {
		t.Errorf("without the list of test pictures:\n%s", got)
	}
	for name, content := range map[string]string{
		"rating-based-dataset/preprocess/train_means_list.csv": "image,mean_score\n/english_resized/7.png,high\n",
		"comparison-based-dataset/website_scores.csv":          "website,score\nimage,1\n",
		"comparison-based-dataset/data/votesessions.json":      `[{"_id":{"$oid":"s1"},"acc":true,"vot":[{"imL":9,"imR":3,"imC":4}]}]`,
	} {
		kept := files[name]
		files[name] = content
		if lines, err := Read("calista", folder(t, files)); err == nil {
			t.Errorf("%s = %s gives %d lines", name, content, len(lines))
		}
		files[name] = kept
	}
}

func TestRunsOfUsability(t *testing.T) {
	run := `[{"Heuristic":"1. Error Prevention ","SeverityRating":3,"IssueFound":true},{"Heuristic":"Error prevention","SeverityRating":1},{"Heuristic":"Heuristic 1","SeverityRating":4}]`
	got := imported(t, "llm-usability", folder(t, map[string]string{"results/site/eval1.json": run, "results/site/eval 3.json": run}))
	holds(t, got,
		`{"answer":{"item":"site#error prevention#severity","judge":"gpt-4o","value":3,"repeat":1}}`,
		`{"answer":{"item":"site#error prevention#severity","judge":"gpt-4o","value":0,"repeat":2}}`,
		`{"answer":{"item":"site#error prevention#issue","judge":"gpt-4o","value":true,"repeat":3}}`)
	if n := strings.Count(got, `"severity"`); n != 10 {
		t.Errorf("%d heuristics", n)
	}
}

func TestWhatIsNoSet(t *testing.T) {
	for name, tt := range map[string]struct {
		set   string
		files map[string]string
	}{
		"nothing":              {"mercilesscat", nil},
		"no JSON":              {"mercilesscat", map[string]string{"results/00_1.json": "{"}},
		"another label":        {"webdevjudge", map[string]string{"data/index2label.json": `{"1":"both"}`, "data/index2category.csv": "index,category\n"}},
		"another row":          {"webdevjudge", map[string]string{"data/index2label.json": `{"1":"tie"}`, "data/index2category.csv": "index,category\n", "data/all.jsonl": `{"label":"model_a","conversation_a":[{"object":{"code":"x"}}],"conversation_b":[{"object":{"code":"x"}}]}`}},
		"rows too few":         {"webdevjudge", map[string]string{"data/index2label.json": `{"1":"tie","2":"tie"}`, "data/index2category.csv": "index,category\n", "data/all.jsonl": `{"label":"tie","conversation_a":[{"object":{"code":"x"}}],"conversation_b":[{"object":{"code":"x"}}]}`}},
		"a side without code":  {"webdevjudge", map[string]string{"data/index2label.json": `{"1":"tie"}`, "data/index2category.csv": "index,category\n", "data/all.jsonl": `{"label":"tie"}`}},
		"no label of a unit":   {"webdevjudge-unit", map[string]string{"webdevjudge_unit/data/webdevjudge_unit.jsonl": `{"code":"x","task":"y"}`}},
		"a label of 2":         {"webdevjudge-unit", map[string]string{"webdevjudge_unit/data/webdevjudge_unit.jsonl": `{"code":"x","task":"y","label":2}`}},
		"no units":             {"webdevjudge-unit", nil},
		"no categories":        {"webdevjudge", map[string]string{"data/index2label.json": `{"1":"tie"}`}},
		"another failure":      {"interaction2code", map[string]string{"human_evaluation/failure/failure_m.json": `{"1/1.html":"4"}`}},
		"no comparisons":       {"interaction2code", map[string]string{"human_evaluation/failure/failure_m.json": `{"1/1.html":"4/0"}`}},
		"a run that is none":   {"llm-usability", map[string]string{"results/a/evalx.json": "[]"}},
		"a person's no number": {"rate-my-web-design", map[string]string{"ratings/Ratings_Human.csv": "user_id,filename,Aesth,LoD,Useful\n1,a,x,1,1\n", "ratings/Ratings_Models_and_PreLLM.csv": "filename\n"}},
	} {
		if lines, err := Read(tt.set, folder(t, tt.files)); err == nil {
			t.Errorf("%s gives %d lines", name, len(lines))
		}
	}
}

func TestTablesOfOnesOwn(t *testing.T) {
	dir := folder(t, map[string]string{
		"a.csv": "item,question,value,rater,judge,seconds,repeat\n1,looks,4,ann,,12,\n1,looks,,,j,,2\n1,kind,shop,ann,,,\n",
		"b.csv": "item,value,rater,judge\n1,4,ann,j\n",
	})
	holds(t, imported(t, "csv", filepath.Join(dir, "a.csv")),
		`{"item":{"id":"1#looks","kind":"rating","question":"looks"}}`,
		`{"label":{"item":"1#looks","rater":"ann","value":4,"seconds":12}}`,
		`{"answer":{"item":"1#looks","judge":"j","value":null,"repeat":2}}`,
		`{"item":{"id":"1#kind","kind":"class","question":"kind"}}`)
	if _, err := Read("csv", filepath.Join(dir, "b.csv")); err == nil {
		t.Error("a row with a rater and a judge is read")
	}
}

// A table that cannot be meant as it stands says what is wrong with it, and where.
func TestATableThatCannotBeReadSaysWhy(t *testing.T) {
	for table, want := range map[string]string{
		"":                               "own.csv is empty",
		"item,value,rater\n":             "it has no rows",
		"item;value;rater\n1;2;ann\n":    `there is no column "item", only item;value;rater`,
		"item,rater\n1,ann\n":            `there is no column "value", only item, rater`,
		"item,value\n1,2\n":              "there is no column rater, and none judge",
		"item,value,rater\n,2,ann\n":     "row 1: want an item, and either a rater or a judge",
		"item,value,judge\n1,,j\n":       `row 1: the kind is ""`,
		"item,value,judge,kind\n1,A,j,p": `row 1: the kind is "p"`,
		"item,value,judge,kind\n1,A,j,pair\n2,C,j,pair\n": `row 2, column value: "C" is no answer about a pair; want A, B or tie`,
	} {
		dir := folder(t, map[string]string{"own.csv": table})
		_, err := Read("csv", filepath.Join(dir, "own.csv"))
		if why := errors.Unwrap(err); why == nil || !strings.Contains(why.Error(), want) {
			t.Errorf("%q: %v, want %q", table, why, want)
		}
	}
	if _, err := Read("webdevjudg", "."); err == nil || !strings.Contains(err.Error(), `did you mean "webdevjudge"`) {
		t.Errorf("a set misspelt: %v", err)
	}
}

// Folders that Vitrine made are read where a file of the form is; others are refused.
func TestAFolderIsReadAsWhatMadeIt(t *testing.T) {
	dir := folder(t, map[string]string{
		"run/run.json":      `{"schema":1,"recipe":"quality","judge":"measured"}`,
		"run/samples.jsonl": `{"schema":1,"id":"1","task_id":"t","model":"m","reward":0.5}` + "\n",
		"red/rewards.jsonl": `{"id":"a.html","reward":0.8}` + "\n",
		"people.jsonl":      `{"item":{"id":"1#reward","kind":"rating","question":"reward"}}` + "\n" + `{"label":{"item":"1#reward","rater":"ann","value":0.6}}` + "\n",
		"other/page.html":   "x",
	})
	set, err := Open(filepath.Join(dir, "run"), filepath.Join(dir, "people.jsonl"), filepath.Join(dir, "red"))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(set.Judges(), "; "); got != "quality, measured; reward" || len(set.Notes) != 1 {
		t.Errorf("judges %s, notes %q", got, set.Notes)
	}
	if _, err := Open(filepath.Join(dir, "other")); err == nil || !strings.Contains(err.Error(), "is a folder, and none of vitrine score or vitrine redteam --mutants") {
		t.Errorf("another folder: %v", err)
	}
}

// Tables as pandas writes them, and what a later row adds, are read; what cannot be is refused.
func TestCellsOfTables(t *testing.T) {
	dir := folder(t, map[string]string{
		"a.csv": "item,value,judge,swapped,question,task,category\n1,A,j,True,better,,\n1,A,j,False,better,t1,shop\n2,True,j,,holds,,\n",
	})
	holds(t, imported(t, "csv", filepath.Join(dir, "a.csv")),
		`{"answer":{"item":"1#better","judge":"j","value":"A","repeat":1,"swapped":true}}`,
		`{"item":{"id":"1#better","kind":"pair","question":"better","task":"t1","category":"shop"}}`,
		`{"item":{"id":"2#holds","kind":"unit","question":"holds"}}`,
		`{"answer":{"item":"2#holds","judge":"j","value":true,"repeat":1}}`)
	for content, want := range map[string]string{
		"item,value,judge\n1,4,j\n2,N/A,j\n":    `row 2, column value: "N/A"`,
		"item,value,judge\n1,4,j\n2,Inf,j\n":    `row 2, column value: "Inf"`,
		"item,value,judge,repeat\n1,4,j,two\n":  `row 1, column repeat: "two"`,
		"item,value,judge,usd\n1,4,j,$3\n":      `row 1, column usd: "$3"`,
		"item,value,judge,seconds\n1,4,j,-3\n":  `row 1, column seconds: "-3"`,
		"item,value,judge,swapped\n1,A,j,yes\n": `row 1, column swapped: "yes"`,
		"item,value,value,judge\n1,4,5,j\n":     `two columns "value"`,
	} {
		path := filepath.Join(folder(t, map[string]string{"b.csv": content}), "b.csv")
		if _, err := Read("csv", path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
