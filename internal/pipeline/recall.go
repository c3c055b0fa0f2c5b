package pipeline

import (
	"vitrine"
	"vitrine/internal/cache"
	"vitrine/internal/digest"
	"vitrine/internal/htmlhint"
	"vitrine/internal/judge/measured"
	"vitrine/internal/require"
)

// recall gives the answer that the cache has, or works for it and keeps it.
func recall[T any](c cache.Results, key cache.Key, work func() (T, error)) (answer T, cached bool, err error) {
	if _, ok := c.Get(key, &answer); ok {
		return answer, true, nil
	}
	if answer, err = work(); err != nil {
		return answer, false, err
	}
	return answer, false, c.Put(key, answer, "")
}

// hint checks the source of a page. Other kinds have no HTML that a model wrote as
// the whole document.
func (p *Pipeline) hint(a *vitrine.Artifact, rules []string) (vitrine.Hint, error) {
	source, ok := a.File("index.html")
	if a.Kind != vitrine.KindPage || !ok {
		return vitrine.Hint{}, nil
	}
	if rules == nil {
		rules = htmlhint.Rules
	}
	key := cache.Key{Stage: "hint", Parts: map[string]any{"source": digest.Text(source), "rules": rules, "hint": p.made().Tools["hint"], "vitrine": p.made().Vitrine}}
	h, _, err := recall(p.cache, key, func() (vitrine.Hint, error) { return htmlhint.HTML(source, rules) })
	return h, err
}

// measure asks the measured judge. Evidence that the cache has by its content was
// perhaps judged before.
func (w *work) measure() (j vitrine.Judgement, err error) {
	if w.content == "" {
		return measured.JudgeWith(w.Evidence, w.settings.Calibration), nil
	}
	key := cache.Key{Stage: "judgement", Parts: map[string]any{
		"evidence": w.content, "instruction": w.Evidence.Instruction, "hint": digest.Of(w.Evidence.Hint),
		"judge": w.made().Tools["measured"], "vitrine": w.made().Vitrine, "open": require.Open(w.Evidence.Instruction), // rules of another package
	}}
	w.keep(key)
	j, w.Sample.Cached.Judge, err = recall(w.cache, key, func() (vitrine.Judgement, error) { return measured.JudgeWith(w.Evidence, w.settings.Calibration), nil })
	return j, err
}

// keep notes what an answer was asked for with.
func (w *work) keep(k cache.Key) {
	if k.Stage != "" {
		w.keys = append(w.keys, k)
	}
}
