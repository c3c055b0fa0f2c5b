// Package vlm asks language models what they think of a site, by protocols of the
// papers (docs/papers.md says what differs). It sees evidence, never a browser or a
// file: frames come from a callback, code from the caller.
//
// A protocol is one file with its prompt (prompts/<name>.txt, in our own words), the
// shape of its answer and its arithmetic. What is alike for all is here: which
// frames are shown, how code is packed ([Settings].CodeTokens), how data is fenced,
// in which order a pair is shown, panels and cascades.
//
// Everything that comes from a site or a task is data between two lines that hold a
// mark made of the data's own hash. Text in it that is addressed to the judge is
// reported as the finding judge_injection.
//
// An invalid render gets a protocol's lowest answer without any call. An answer
// that cannot be used gives no score at all: a [vitrine.Fault], beside a judgement
// that still holds every call with its raw answer.
package vlm
