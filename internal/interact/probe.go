package interact

import (
	"context"
	_ "embed"
	"encoding/json"

	"vitrine/internal/page"
)

//go:embed scripts/dom.js
var domScript string

//go:embed scripts/look.js
var lookScript string

//go:embed scripts/aim.js
var aimScript string

//go:embed scripts/snapshot.js
var snapshotScript string

//go:embed scripts/find.js
var findScript string

//go:embed scripts/survey.js
var surveyScript string

//go:embed scripts/face.js
var faceScript string

// probe calls a function of the scripts in the isolated world and decodes what it
// returns. A document that does not have them yet is given them first.
func (s *Session) probe(ctx context.Context, out any, function string, args ...any) error {
	call := function + "("
	for i, a := range args {
		if i > 0 {
			call += ","
		}
		call += page.Literal(a)
	}
	call += ")"
	var answer struct {
		New   bool            `json:"new"`
		Value json.RawMessage `json:"value"`
	}
	ask := "typeof vitrineProbe === 'undefined' ? {new: true} : {value: vitrineProbe." + call + "}"
	if err := s.page.AskIsolated(ctx, ask, &answer); err != nil {
		return err
	}
	if answer.New {
		answer.New = false
		if err := s.page.AskIsolated(ctx, probeSource+";({value: vitrineProbe."+call+"})", &answer); err != nil {
			return err
		}
	}
	if out == nil || len(answer.Value) == 0 {
		return nil
	}
	return json.Unmarshal(answer.Value, out)
}

// probeSource defines vitrineProbe, with what Go calls of it.
var probeSource = "globalThis.vitrineProbe = (() => { 'use strict';\nconst own = " + page.UnclobberScript + ";\n" + domScript + lookScript + aimScript + snapshotScript + findScript + surveyScript + faceScript +
	"\nreturn { look: once(look), survey: once(survey), snapshot: once(snapshot), query, aim, choose, put, ready, give, scrollBy, focus, draggable }; })()"
