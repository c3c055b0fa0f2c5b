package flow_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/data/flow"
	"vitrine/internal/model"
	"vitrine/internal/model/modeltest"
)

// embedder gives texts vectors by their first letter and their length.
func embedder(q modeltest.Question) modeltest.Answer {
	a := modeltest.Answer{Usage: model.Usage{In: 2 * len(q.Embed)}}
	for _, text := range q.Embed {
		v := make([]float64, 5)
		v[int(text[0])%4], v[4] = 10, float64(len(text))/100
		a.Vectors = append(a.Vectors, v)
	}
	return a
}

func halved(t *testing.T, server *modeltest.Server, dir string, texts ...string) flow.Settings {
	t.Helper()
	p, err := flow.Parse([]byte("name: x\ninputs: {in: tasks}\nmodels: {m: makes vectors}\nsteps: [{cluster: {embed: m, seed: 1}}]"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i, text := range texts {
		b.WriteString(lines(map[string]any{"id": fmt.Sprint("r", i), "instruction": text}))
	}
	s := askedBy(t, server, p, filepath.Join(dir, "out"))
	s.Inputs["in"] = []string{write(t, dir, "in.jsonl", b.String())}
	return s
}

// many are texts of four kinds, by their first letters.
func many(n int) (texts []string) {
	for i := range n {
		texts = append(texts, string(rune('a'+i%4))+strings.Repeat("x", i/4))
	}
	return texts
}

func TestClustersOfVectorsThatAModelMakes(t *testing.T) {
	server := modeltest.New(t, embedder)
	s := halved(t, server, t.TempDir(), append(many(100), "")...)
	sum := run(t, s)
	r := sum.Steps[1]
	if r.Kept == 0 || r.Kept > 50 || r.Reasons["no instruction"] != 1 || r.Figures["calls"] != 4 || r.Figures["tokens_in"] != 200 || server.Calls() != 4 {
		t.Errorf("%+v in %d calls, want half of 100 in four questions", r, server.Calls())
	}
	for _, row := range rows(t, filepath.Join(s.Out, "steps", "cluster-"+r.Key, "dropped.jsonl")) {
		var a, b int
		if by, _ := row["represented_by"].(string); by != "" {
			_, _ = fmt.Sscanf(row["id"].(string)+" "+by, "r%d r%d", &a, &b)
			if a%4 != b%4 {
				t.Errorf("row %d stands for %d, whose vector points elsewhere", b, a)
			}
		}
	}
	first := read(t, filepath.Join(s.Out, "kept.jsonl"))
	if err := os.RemoveAll(filepath.Join(s.Out, "steps")); err != nil {
		t.Fatal(err)
	}
	if again := run(t, s); !bytes.Equal(first, read(t, filepath.Join(s.Out, "kept.jsonl"))) || server.Calls() != 4 || again.Steps[1].Figures["calls"] != 4 {
		t.Errorf("with its answers alone the run gives other rows, or asked: %d calls", server.Calls())
	}
	s.Asking.Models["m"] = flow.Model{Ask: "openai/other", Name: "openai/other"}
	if other := run(t, s); other.Steps[1].Key == r.Key || server.Calls() != 8 {
		t.Errorf("the vectors of another model are not asked for: %d calls", server.Calls())
	}
}

// TestTextsThatAnEndpointDoesNotTakeGo, and no others of the same question do.
func TestTextsThatAnEndpointDoesNotTakeGo(t *testing.T) {
	server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer {
		if strings.Contains(q.Text, "too long") {
			return modeltest.Answer{Failure: &modeltest.Failure{Status: 400, Message: "this model's maximum context length is 8192 tokens", Type: "context_length_exceeded"}}
		}
		return embedder(q)
	})
	texts := many(70)
	texts[0], texts[40] = "too long", "too long, too"
	r := run(t, halved(t, server, t.TempDir(), texts...)).Steps[1]
	if r.Read != 70 || r.Reasons["the endpoint does not take it: too_large"] != 2 || r.Kept == 0 || r.Kept+r.Dropped != 70 {
		t.Errorf("%+v, want two rows gone for their length", r)
	}
}

func TestVectorsThatCannotBeHad(t *testing.T) {
	status := func(code int) func(modeltest.Question) modeltest.Answer {
		return func(modeltest.Question) modeltest.Answer {
			return modeltest.Answer{Failure: &modeltest.Failure{Status: code, Message: "no"}}
		}
	}
	for name, test := range map[string]struct {
		answer func(modeltest.Question) modeltest.Answer
		code   vitrine.FaultCode
		want   string
		most   int
	}{
		"no such model": {status(404), vitrine.FaultModelRequest, "gives no vectors", 40},
		"down":          {status(503), vitrine.FaultModelError, "gives no vectors", 1},
		"busy":          {status(429), vitrine.FaultRateLimited, "gives no vectors", 1},
		"key":           {status(401), vitrine.FaultNoKey, "refuses the key", 1},
		"other dimensions half-way": {func(q modeltest.Question) modeltest.Answer {
			a := embedder(q)
			if strings.Contains(q.Text, "axxxxxxxxxxxxxxxxxxxx") {
				for i := range a.Vectors {
					a.Vectors[i] = a.Vectors[i][:3]
				}
			}
			return a
		}, vitrine.FaultModelError, "vectors of 5 numbers, and then of 3", 4},
		"too few": {func(q modeltest.Question) modeltest.Answer {
			a := embedder(q)
			a.Vectors = a.Vectors[1:]
			return a
		}, vitrine.FaultModelError, "31 vectors for 32 texts", 1},
	} {
		server := modeltest.New(t, test.answer)
		_, err := flow.Run(context.Background(), halved(t, server, t.TempDir(), many(100)...))
		if f := vitrine.AsFault("", err); err == nil || f.Code != test.code || !strings.Contains(err.Error(), test.want) || f.Fix == "" || server.Calls() > test.most {
			t.Errorf("%s: %v after %d calls, want %q", name, err, server.Calls(), test.want)
		}
	}
}

func TestEqualVectorsAndOneRow(t *testing.T) {
	for n, texts := range [][]string{{"one"}, {"low", "low", "low"}} {
		server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer {
			return modeltest.Answer{Vectors: equal(len(q.Embed), n)}
		})
		if r := run(t, halved(t, server, t.TempDir(), texts...)).Steps[1]; r.Kept != 1 {
			t.Errorf("%+v, want one row", r)
		}
	}
}

// equal are n equal vectors of two numbers.
func equal(n, value int) (all [][]float64) {
	for range n {
		all = append(all, []float64{float64(value), 0})
	}
	return all
}

func TestAnyShareIsKept(t *testing.T) {
	server := modeltest.New(t, embedder)
	s := halved(t, server, t.TempDir(), many(100)...)
	for keep, want := range map[string]int{"half": 50, "0.25": 25, "0.001": 1} {
		p, err := flow.Parse([]byte("name: x\ninputs: {in: tasks}\nmodels: {m: makes vectors}\nsteps: [{cluster: {embed: m, seed: 1, keep: " + keep + "}}]"))
		if err != nil {
			t.Fatal(err)
		}
		s.Pipeline = p
		if r := run(t, s).Steps[1]; r.Kept != want {
			t.Errorf("%s: %+v, want %d kept", keep, r, want)
		}
	}
}

func TestATableAndAModelAreTwoWays(t *testing.T) {
	for steps, want := range map[string]string{
		"{cluster: {embed: m, table: t}}": "two ways",
		"{cluster: {embed: nobody}}":      `models has no "nobody"`,
		"{cluster: {keep: 1}}":            "above 0 and below 1",
		"{cluster: {keep: most}}":         "above 0 and below 1",
	} {
		_, err := flow.Parse([]byte("name: x\ninputs: {in: tasks, t: a table}\nmodels: {m: makes vectors}\nsteps: [" + steps + "]"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", steps, err, want)
		}
	}
}
