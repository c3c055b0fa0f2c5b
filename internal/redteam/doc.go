// Package redteam searches for pages that earn a reward without working, and measures
// whether a reward notices that a page was broken.
//
// It has three sources of pages. Mutants are honest pages with one fault, made by an
// [Operator] on the HTML and on the syntax trees of its scripts; equivalent ones are written
// differently and do the same. Exploits are made of an instruction alone by a [Generator].
// Candidates of the search are exploits that are changed and crossed for as long as the
// reward rises. Which reward it is, is behind the interface [Scorer].
//
// Only pages of HTML are mutated: scripts of type text/babel, in other files and of
// projects are left as they are.
//
// The same settings and the same rewards give the same pages: every choice is drawn from a
// generator with a fixed seed.
package redteam
