// Package behave proves that a site does what its instruction asks for. Each behaviour has
// a relation: an act by real input, what it must change, what must stay, and an act that
// must not have the effect. What is entered are tokens that the page cannot foresee.
//
//	Requirements ── one relation each ──> works | fail | absent | unclear
//	                   │
//	                sitemap    places of the site and the way to each
//	                match      controls and forms by their labels, ranked
//	                fill       forms by the types of their fields, with tokens
//	                view       scene, rows and texts of the page as it stands
//
// A relation that does not hold is tried once more from a fresh state with other tokens
// before it fails. Of several controls that may be meant the best matches are tried. All
// state is what a person could notice, and it is read from an isolated world. The result
// depends on the site, the requirements and the seed alone.
package behave

// Version is part of the key under which traces are cached: it changes whenever the same
// site could give another answer.
const Version = "38"
