// Package require reads what an instruction asks for, by rules and without a model:
// behaviours with what they act on, pages, literal texts, colours, numbers, and what
// cannot be checked. It is pure, and its time is linear in the length of the text, of
// which it reads a bounded part.
//
// [Read] splits a text into sentences and these into items, at conjunctions and anchors,
// before it looks for verbs: clause.go. A verb with its object gives a behaviour by the
// table in verbs.go, a noun such as "leaderboard" by the one in forms.go, the noun for
// the site by the one in kinds.go, what is said otherwise by the lines of sayings.txt. The labels that controls may have are in words.go.
// A person can read and extend each of these tables without reading the rest.
//
// The mould is the one of rules for user stories (Visual Narrator, MarcelRobeer/VisualNarrator
// at 51c6c38), with conjunctions split first, since rules that take the first verb lose
// the others.
package require
