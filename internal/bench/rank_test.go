package bench_test

import (
	"math"
	"strings"
	"testing"

	"vitrine/docs/published"
	"vitrine/internal/bench"
)

func sheet(t *testing.T, text string) bench.Sheet {
	t.Helper()
	s, err := bench.ParseSheet("s.csv", []byte(text))
	must(t, err)
	return s
}

// Every published table can be read and says where it is from.
func TestPublishedTablesAreRead(t *testing.T) {
	t.Parallel()
	names, err := published.Tables.ReadDir(".")
	must(t, err)
	if len(names) < 20 {
		t.Errorf("%d tables", len(names))
	}
	for _, n := range names {
		content, err := published.Tables.ReadFile(n.Name())
		must(t, err)
		s, err := bench.ParseSheet(n.Name(), content)
		must(t, err)
		if s.About["source"] == "" || len(s.Models) < 2 {
			t.Errorf("%s: source %q, %d rows", n.Name(), s.About["source"], len(s.Models))
		}
	}
}

// What ArtifactsBench states of its two figures follows from the ranks that they show.
func TestPublishedRankConsistency(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]float64{"artifactsbench-arena-rank.csv": 0.944, "artifactsbench-webbench-rank.csv": 0.694} {
		content, err := published.Tables.ReadFile(name)
		must(t, err)
		s := sheet(t, string(content))
		ours, err := s.ScoresOf("")
		must(t, err)
		there, err := s.ScoresOf("arena_rank")
		must(t, err)
		r, err := bench.Rank(ours, there, nil)
		must(t, err)
		if math.Abs(r.Consistency.Value-want) > 0.0005 || len(r.Models) != 12 {
			t.Errorf("%s: %.4f of %d models, want %g of 12", name, r.Consistency.Value, len(r.Models), want)
		}
	}
}

func TestRankWorkedByHand(t *testing.T) {
	t.Parallel()
	ours, err := sheet(t, "model,score\na,90\nb,80\nc,70\nd,60\nonly,1\n").ScoresOf("score")
	must(t, err)
	there, err := sheet(t, "model,place_rank\nA,2\nb,1\nc,3\nd,4\n").ScoresOf("")
	must(t, err)
	r, err := bench.Rank(ours, there, map[string]string{"a": "A"})
	must(t, err)
	// the first two are swapped: Σ|Δ| = 2 of at most 8; ρ = 1 − 6·2/(4·15); τ = (5 − 1)/6.
	if math.Abs(r.Consistency.Value-0.75) > 1e-12 || math.Abs(r.Spearman.Value-0.8) > 1e-12 || math.Abs(r.Kendall.Value-4.0/6) > 1e-12 || r.Top[3].Value != 1 {
		t.Errorf("%+v %+v %+v %v", r.Consistency, r.Spearman, r.Kendall, r.Top)
	}
	if r.Models[0].Model != "a" || strings.Join(r.AbsentThere, "") != "only" || len(r.AbsentHere) != 0 {
		t.Errorf("%+v", r)
	}
	// of six the best three there are a, b and d, and the best five all but e.
	six, err := sheet(t, "model,score\na,6\nb,5\nc,4\nd,3\ne,2\nf,1\n").ScoresOf("")
	must(t, err)
	arena, err := sheet(t, "model,there_rank\na,1\nb,2\nc,4\nd,3\ne,6\nf,5\n").ScoresOf("")
	must(t, err)
	r, err = bench.Rank(six, arena, nil)
	must(t, err)
	if r.Top[3].Value != 2./3 || r.Top[5].Value != 4./5 || r.Top[3].Low >= r.Top[3].Value {
		t.Errorf("the best of six: %v", r.Top)
	}
	// of three pairs one is a tie of ours: τ-b = 2/√(2·3).
	tied, err := sheet(t, "model,score\na,3\nb,2\nc,2\n").ScoresOf("")
	must(t, err)
	three, err := sheet(t, "model,score\na,3\nb,2\nc,1\n").ScoresOf("")
	must(t, err)
	r, err = bench.Rank(tied, three, nil)
	must(t, err)
	if math.Abs(r.Kendall.Value-2/math.Sqrt(6)) > 1e-12 {
		t.Errorf("with a tie: %v", r.Kendall.Value)
	}
	_, err = bench.Rank(ours, there, nil)
	must(t, err) // three are left
	delete(there.By, "b")
	_, err = bench.Rank(ours, there, nil)
	refused(t, err, "2 models are in both lists")
	_, err = sheet(t, "model,score\na,1\n").ScoresOf("total")
	refused(t, err, "there is no column total")
}

func TestNamesThatAreNotAlike(t *testing.T) {
	t.Parallel()
	ours, err := sheet(t, "model,score\na,90\nb,80\nc,70\nd,60\n").ScoresOf("")
	must(t, err)
	for want, same := range map[string]map[string]string{`two models of ours are "b" there`: {"a": "b"}, "--same x=b": {"x": "b"}, "--same a=y": {"a": "y"}} {
		_, err = bench.Rank(ours, ours, same)
		refused(t, err, want)
	}
}

func TestComparedByTask(t *testing.T) {
	t.Parallel()
	b := ran(t, map[string]bench.Measured{"1": passed(1, 5), "2": passed(1, 4), "4": passed(1, 1)},
		`{"id":"1","task_id":"a","model":"n","output":"<p>1</p>"}`, `{"id":"2","task_id":"b","model":"n","output":"<p>2</p>"}`, `{"id":"4","task_id":"d","model":"n","output":"<p>4</p>"}`)
	x, err := bench.Compare(first(t), b, "", "", bench.Strict)
	must(t, err)
	pass, grade := x.Columns[0], x.Columns[1]
	if pass.Tasks != 2 || pass.OnlyB != 1 || pass.OnlyA != 0 || pass.Difference.Value != 0.5 || pass.Wins != 1 || pass.Ties != 1 || pass.Losses != 0 {
		t.Errorf("pass: %+v", pass)
	}
	// differences 1 and 2: mean 1.5, variance 0.5; (1.96 + 0.84)² · 0.5 / 2.25 = 1.74
	if grade.Difference.Value != 1.5 || *grade.Enough != 2 {
		t.Errorf("grade: %+v, enough %v", grade.Difference, *grade.Enough)
	}
	_, err = bench.Compare(b, b, "nobody", "", bench.Strict)
	refused(t, err, "which model of")
}

// What has no spread has no interval of no width.
func TestIntervalsHaveAWidth(t *testing.T) {
	t.Parallel()
	rows := []string{`{"id":"1","task_id":"a","model":"m","output":"<p>1</p>"}`, `{"id":"2","task_id":"b","model":"m","output":"<p>2</p>"}`}
	for share, wilson := range map[float64][2]float64{1: {0.3424, 1}, 0: {0, 0.6576}} {
		table, err := bench.Tabulate([]string{ran(t, map[string]bench.Measured{"1": passed(share, 5), "2": passed(share, 4)}, rows...)}, bench.Strict, nil)
		must(t, err)
		if f := table.Rows[0].Figures["pass"]; *f.Value != share || math.Abs(*f.Low-wilson[0]) > 1e-3 || math.Abs(*f.High-wilson[1]) > 1e-3 {
			t.Errorf("of two that are all %g: %g [%g, %g]", share, *f.Value, *f.Low, *f.High)
		}
	}
	x := ran(t, map[string]bench.Measured{"1": passed(1, 5)}, rows[0])
	c, err := bench.Compare(x, x, "", "", bench.Strict)
	must(t, err)
	if d := c.Columns[0]; d.Tasks != 1 || d.Difference != nil || d.Ties != 1 {
		t.Errorf("of one task: %+v", d)
	}
}

func TestSheetsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"name,score\na,1\n": "has no columns model and another", "model,score\na\n": "is no CSV", "model,score\na,good\n": `"good" is no number`,
		"model,score\na,1\na,2\n": `has the model "a" twice`, "": "has no columns", "model,score\na,NaN\n": "is no number", "model,score\na,Inf\n": "is no number", "model,score\na,-inf\n": "is no number",
	} {
		_, err := bench.ParseSheet("s.csv", []byte(text))
		refused(t, err, want)
	}
	if s := sheet(t, "\ufeffmodel,x\na,1\n"); s.Values[0]["x"] != 1 {
		t.Errorf("with a mark of byte order: %+v", s)
	}
	if s := sheet(t, "model,x,y\na,,–\nb,-,2\n"); len(s.Values[0]) != 0 || s.Values[1]["y"] != 2 {
		t.Errorf("empty cells are values: %v", s.Values)
	}
}

func FuzzParseSheet(f *testing.F) {
	content, err := published.Tables.ReadFile("webgen-r1-table1.csv")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(content)
	f.Add([]byte("# benchmark: x\nmodel,\"a\nb\"\nm,1\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := bench.ParseSheet("f.csv", b)
		if err == nil && (len(s.Models) != len(s.Values) || len(s.Titles) == 0) {
			t.Errorf("%d models, %d rows, %d titles", len(s.Models), len(s.Values), len(s.Titles))
		}
	})
}
