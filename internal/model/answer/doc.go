// Package answer reads what a model answered: exactly one JSON object, held
// against a declared shape. What does not fit is an error in words that the model
// can act on, never a guess: no substring, no first digit, no default.
package answer
