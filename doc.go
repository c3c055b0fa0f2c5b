// Package vitrine holds the nouns of the system: plain types that every other
// package imports and that import nothing but the standard library.
//
// What happens to a model's output reads left to right:
//
//	Task + Output → Artifact → Site → Evidence → Judgement → Reward → Report
//	         parse      build    capture      judge      reward   report
//
// Three things are never mixed. A bad site is data: a low score. A site that
// could not be judged has no score at all and a typed cause ([Fault]). A bug of
// ours is a wrapped Go error.
package vitrine

// Version is the version of Vitrine. It is part of every cache key and of every
// evidence manifest.
const Version = "0.1.0"
