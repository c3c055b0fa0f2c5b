// Package server is the reward service: what a trainer asks over HTTP, it answers
// from the queue. It renders and judges nothing itself.
//
//	POST /v1/score ── items ── jobs, by the hash of what is to be judged ── queue
//	     ^                                                                    │
//	     └──────────── results, in order: a reward, or null with its cause ───┘
//
// Equal items, also of different requests, are one job; so a client that repeats a
// request costs nothing. What could not be judged is null and has a typed cause:
// it is never 0. The protocols of trainers are packages below this one; each maps
// its own shapes to [Server.Score] and the sessions, and says what it makes of null.
//
// A batch that is answered while its client does other things, and a refine session, lie
// with the queue: whichever replica of the service is asked reads them there, and one
// feeds the batches of another that is gone.
//
// The service listens on this machine alone unless it is given a token. What
// models wrote is only ever shown from a second origin.
package server
