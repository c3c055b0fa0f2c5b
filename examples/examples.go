// Package examples holds model outputs to learn from: good pages, and one page
// for each way in which an output goes wrong. They were written by hand for
// Vitrine; the businesses in them do not exist, and none of them needs a network.
//
// Each folder of demo is one output: output.md is the text as a model would
// return it, sample.json says what was asked and what there is to learn. After a
// change there, run go generate.
package examples

import _ "embed"

//go:generate go run gen.go demo.jsonl

// Demo is the input of a run, one JSON object a line, sorted by id: id,
// instruction, output, model and meta. In meta, "shows" is a sentence on what to
// learn, and "expect" names the outcome and, for some, the checks of the measured
// judge that must be among the lowest at the viewports desktop and mobile.
//
//go:embed demo.jsonl
var Demo []byte
