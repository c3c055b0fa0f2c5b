// Package agent lets a language model try a site out, turn by turn, in three forms
// after published ones (docs/papers.md says what differs) on one session: an agent that plans interactions and judges each
// (AesCoder §4.3, G.3), one that carries out a test case (WebGen-Bench on
// WebVoyager), and one that works through the leaves of a rubric with the answers
// of GUI models (WebDevJudge B.3). The model sees the window, the controls in
// words, and what its last action really changed. Every run is bounded and ends
// with a typed reason; an answer that is of no use is never guessed at.
package agent
