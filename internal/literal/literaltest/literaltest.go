// Package literaltest evaluates configuration files for tests, without a process.
package literaltest

import (
	"context"
	"encoding/json"
	"errors"

	"vitrine/internal/literal"
	"vitrine/internal/literal/typescript"
)

// An Evaluator evaluates configuration files that are data. It refuses those that are code,
// with [literal.NotData].
type Evaluator struct{}

// Evaluate returns the value that a configuration file exports, as JSON.
func (Evaluator) Evaluate(_ context.Context, f literal.File) (json.RawMessage, error) {
	data, err := typescript.Read(f)
	if errors.Is(err, literal.ErrCode) {
		err = literal.NotData(err.Error())
	}
	return data, err
}
