package vlm

import "vitrine/internal/model/answer"

// alignment says from 1 to 10 how well a screenshot fits the instruction, by one of
// five templates and under one of two conditions, so that a judge can be tested by
// asking the same thing differently (PairBench, as WebGen-R1 G.4 and G.5 use it). The
// screenshot stands after the instruction or before it.
var alignment = protocol{
	name: "alignment", version: "1", observes: ObserveImage, fixed: true, pictures: firstPicture,
	shape: object(reason, answer.Field{Name: "score", Shape: answer.Integer(1, 10)}),
	read:  readScore("alignment.10"), worst: only("alignment.10", 1), main: "alignment.10", scale: between(1, 10),
}

// alignmentTemplates is how many there are.
const alignmentTemplates = 5

// The conditions: one that wants differences to count, and one that wants small
// ones not to (WebGen-R1 G.5).
const (
	conditionVariant   = "variant"
	conditionInvariant = "invariant"
)

var conditions = map[string]string{
	conditionVariant:   "Differences count. How it renders, what it holds, how the layout fits together and how it looks all matter, and a clear departure from the request in any of them lowers the score, even where details are right. The score stays high only where the required elements and the design as a whole are exactly as requested.",
	conditionInvariant: "Small differences do not count. As long as the main functions, the logic of the layout and the essential content are as requested, variations in style leave the score alone. Only serious departures and broken designs lower it.",
}
