// Package interact tries sites out. A Driver opens a site on a live page with the
// deterministic clock; a Session carries out actions on it by real input events and
// says what each of them changed. Who tries, by which plan, is a package below:
// explore without a model, agent and verify with one, script by what a person wrote.
//
//	Driver.Run ── Session ── Reset, Look, Query, Do, Frame
//	                   ├─ live.Page   time, requests, console
//	                   ├─ recorder.js  in the page's world: dialogs, exceptions, who listens
//	                   └─ probe       in an isolated world: scene, snapshots, where to point
//
// Page time alone decides what is seen: the same site gives the same trace, whatever
// runs beside it.
package interact

// Version is part of the cache key of every trace: it changes whenever the same site
// could give another trace.
const Version = "6"
