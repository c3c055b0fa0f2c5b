// Package parse turns the raw text a model returned into files: Output →
// Artifact. It is a pure function in linear time. It never fails: whatever the
// text is there is an answer, and an artifact without files carries a note that
// says why.
//
// # The way of the text
//
//	clean    one line ending, valid UTF-8, no NUL, no BOM
//	lex      the few tags and fence lines that carry structure, in one pass
//	walk     what is literal content (files, fenced code, whole documents) is
//	         stepped over; what is left is the frame around it
//	split    <think> reasoning apart from the body, and the <answer> in it
//	find     the website: a manifest, else a fenced block, else bare text
//	place    each path checked, so that no file lies outside the work folder
//	score    s_code of the project, published and strict
//
// # What was decided where the formats are silent
//
// Frame tags are <think>, </think>, <answer> and </answer>, exactly so. They are
// counted everywhere but in content: in the closed actions of a manifest, in
// closed fences and in bare HTML documents, since a chat page may well hold the
// text "<answer>". Inside the reasoning every tag counts, because a mention there
// is what breaks readers that look for the first or last tag.
//
// A <think> that is never closed makes the rest reasoning, unless a website
// plainly follows: a manifest with an action, an html fence, or a document or an
// <answer> at the start of a line. A </think> that was never opened ends the
// reasoning that a chat template opened in the prompt, unless it stands in content
// or at the very end. The answer is looked into first, then the whole text outside
// the reasoning.
//
// Of several manifests the first closed one with a file wins, else the first with
// a file: the same "first" that holds for pages. Content runs to the first close
// tag of the action's own family (web or bolt), whatever stands in between.
//
// A fence opens and closes as in CommonMark, with three allowances: it may follow
// a frame tag on the same line, it may be indented at will, and lengths above
// eight count as eight.
package parse
