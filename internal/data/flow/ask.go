package flow

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"vitrine"
	"vitrine/internal/data/table"
	"vitrine/internal/inputs"
	"vitrine/internal/model"
	"vitrine/internal/model/answer"
	"vitrine/internal/model/dialog"
)

// A Model has one of the roles of a pipeline.
type Model struct {
	Ask  string // the name by which it is asked
	Name string // provider/model
}

// Asking says who answers the questions of steps. Answers are kept by the tape of the
// asker: a run that goes on asks for none that it has.
type Asking struct {
	Asker  dialog.Asker
	Models map[string]Model // by their roles
	AtOnce int              // questions under way, at most; 0: 8
}

// check says which role of a pipeline has no model.
func (a *Asking) check(p *Pipeline) error {
	for _, role := range slices.Sorted(maps.Keys(p.Models)) {
		if a.Models[role].Ask == "" {
			return refuse(fmt.Sprintf("the pipeline needs a model as %s: %s", role, p.Models[role]), "name one with --model "+role+"=PROVIDER/MODEL; vitrine models ls lists some")
		}
	}
	for role := range a.Models {
		if _, ok := p.Models[role]; !ok {
			return refuse(fmt.Sprintf("the pipeline has no role %q for a model", role), "vitrine data ls tells which each has")
		}
	}
	a.AtOnce = cmp.Or(a.AtOnce, 8)
	return nil
}

func (a *Asking) names() map[string]string {
	all := map[string]string{}
	for role, m := range a.Models {
		all[role] = m.Name
	}
	return all
}

// tally counts what the answers to a step's questions took, those that were kept from
// before included: a run that goes on counts as one that was never ended.
type tally struct {
	dialog.Asker
	mu             sync.Mutex
	calls, in, out int
}

// Ask implements [dialog.Asker].
func (t *tally) Ask(ctx context.Context, name string, r model.Request) (model.Reply, error) {
	reply, err := t.Asker.Ask(ctx, name, r)
	if err == nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.calls, t.in, t.out = t.calls+1, t.in+reply.Usage.In, t.out+reply.Usage.Out
	}
	return reply, err
}

func (t *tally) figures(c *Counts) {
	c.count("calls", float64(t.calls))
	c.count("tokens_in", float64(t.in))
	c.count("tokens_out", float64(t.out))
}

// A query is a question whose answer is one JSON object.
type query struct {
	role      string // of the model
	text      string
	shape     answer.Shape
	maxTokens int
	repeat    int // tells equal questions apart
	// read takes the object, which has the shape. Its error says in words for the model
	// what does not fit.
	read func(raw []byte) error
}

// put asks a query.
func (w *work) put(ctx context.Context, q query) error {
	_, err := dialog.Ask(ctx, w.asking.Asker, dialog.Question{
		Model: w.asking.Models[q.role].Ask, Stage: "data",
		Request: model.Request{
			Messages:  []model.Message{model.User(model.Text(q.text))},
			Schema:    &model.Schema{Name: "row", JSON: q.shape.Schema()},
			MaxTokens: q.maxTokens, Repeat: q.repeat,
		},
		Read: func(text string) error {
			raw, err := answer.Extract(text)
			if err == nil {
				err = q.shape.Check(raw)
			}
			if err != nil {
				return err
			}
			return q.read(raw)
		},
	})
	return err
}

// made is what a step made of one row.
type made struct {
	rows    []any // objects, written to kept.jsonl
	review  []any // of those, what a person is to look at
	figures map[string]float64
}

// unfit is why a row goes, in a word or two.
type unfit string

func (u unfit) Error() string { return string(u) }

// notTaken begins the reason of a row that an endpoint refuses.
const notTaken = "the endpoint does not take it: "

// hopeless is after how many questions in a row without an answer a step ends.
const hopeless = 10

// ask makes rows of each row, several at once, and writes them in the order of the rows.
// A row that gets no usable answer goes, with the reason. Where an endpoint gave no
// answer at all the step fails after the others were asked, so that the next run of the
// pipeline asks for these alone.
func (w *work) ask(do func(context.Context, inputs.Record) (made, error)) error {
	records, err := inputs.OpenRecords(w.in, inputs.Settings{})
	if err != nil {
		return err
	}
	defer records.Close()
	return w.askOver(records.All(), do)
}

func (w *work) askOver(rows rowSeq, do func(context.Context, inputs.Record) (made, error)) error {
	files, err := table.Create(filepath.Join(w.dir, keptFile), filepath.Join(w.dir, droppedFile))
	if err != nil {
		return err
	}
	defer files.Discard()
	open, err := newUnsure(w.dir)
	if err != nil {
		return err
	}
	defer open.Discard()
	t := taking{work: w, files: files, unsure: open}
	if err := inOrder(w.ctx, w.asking.AtOnce, rows, do, t.take); err != nil {
		return err
	}
	if len(t.failed) > 0 {
		return t.fault()
	}
	return errors.Join(open.commit(), files.Commit())
}

// taking writes what came of rows.
type taking struct {
	*work
	files  *table.Files
	unsure *unsure
	failed map[vitrine.FaultCode]int // rows without an answer, by the cause
	inARow int
	// answered says that the endpoint works: what it does not take then is the row's own fault.
	answered bool
	last     error
}

// take takes what came of one row. Its error ends the step.
func (t *taking) take(r inputs.Record, m made, err error) error {
	t.Read++
	for name, n := range m.figures {
		t.count(name, n)
	}
	if err != nil {
		return t.without(r, err)
	}
	t.inARow, t.answered = 0, true
	for _, row := range m.rows {
		t.Kept++
		if err := t.files.Writers[0].Write(row); err != nil {
			return err
		}
	}
	for _, row := range m.review {
		t.Review++
		if err := t.unsure.add(row); err != nil {
			return err
		}
	}
	return nil
}

// without decides about a row of which nothing was made.
func (t *taking) without(r inputs.Record, err error) error {
	var row *inputs.RowError
	var why unfit
	var unusable *dialog.Unusable
	switch {
	case errors.As(err, &row):
		t.say("skipped %v", err)
		t.drop("unusable row")
		return nil
	case errors.As(err, &why):
		return t.gone(r, string(why))
	case errors.As(err, &unusable):
		t.inARow, t.answered = 0, true
		return t.gone(r, "no usable answer: "+string(unusable.Cause))
	}
	fault := vitrine.AsFault("data", err)
	var told *model.Error
	own := errors.As(err, &told) && (told.Cause == model.CauseRequest || told.Cause == model.CauseTooLarge)
	passing := fault.Code.Retryable() || fault.Code == vitrine.FaultNoRecording
	if t.ctx.Err() != nil || fault.Code.Stops() || fault.Code == vitrine.FaultInterrupted || !own && !passing {
		return err
	}
	if !own || !t.answered {
		if t.inARow++; t.inARow >= hopeless {
			return err
		}
	}
	if own {
		return t.gone(r, notTaken+string(told.Cause))
	}
	if t.failed == nil {
		t.failed = map[vitrine.FaultCode]int{}
	}
	t.failed[fault.Code]++
	t.last = err
	return nil
}

func (t *taking) gone(r inputs.Record, reason string) error {
	t.drop(reason)
	return t.files.Writers[1].Write(Dropped{r.ID, reason})
}

// fault says which rows have no answer yet.
func (t *taking) fault() error {
	n, causes := 0, []string{}
	for _, code := range slices.Sorted(maps.Keys(t.failed)) {
		n += t.failed[code]
		causes = append(causes, fmt.Sprintf("%s %d", code, t.failed[code]))
	}
	last := vitrine.AsFault("data", t.last)
	return vitrine.NewFault("data", last.Code, t.last, fmt.Sprintf("%d of %d rows have no answer: %s", n, t.Read, strings.Join(causes, ", "))).
		WithFix("run the same command again: answers that are there are not asked for again")
}

// count adds to a figure of the step.
func (c *Counts) count(name string, n float64) {
	if n == 0 {
		return
	}
	if c.Figures == nil {
		c.Figures = map[string]float64{}
	}
	c.Figures[name] += n
}

// setAll is an object with more fields. A new instruction has the input of Alpaca rows in it,
// which goes: it would be read as a part of the instruction once more.
func setAll(row json.RawMessage, fields map[string]any) (json.RawMessage, error) {
	o := map[string]any{}
	var was map[string]json.RawMessage
	if err := json.Unmarshal(row, &was); err != nil {
		return nil, err
	}
	if _, written := fields["instruction"]; written {
		delete(was, "input")
	}
	for name, v := range was {
		o[name] = v
	}
	maps.Copy(o, fields)
	return json.Marshal(o)
}
