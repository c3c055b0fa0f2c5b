// Package dialog asks a model one question until the answer can be used, or says
// why there is none. An answer that does not fit is sent back once with what is
// wrong; one that was cut off is asked for once more with more room; a refusal is
// final. Nothing is guessed, and every call is kept with its raw answer.
package dialog
