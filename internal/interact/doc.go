// Package interact exercises sites. [Run] does so by a Method, a package below: explore
// without a model, agent and verify with one, script by what a person wrote. Each opens the
// site by a Driver on a page under virtual time; a Session carries out actions on it by real
// input events and says what each of them changed.
//
//	Run ── Method ── Driver.Run ── Session ── Reset, Look, Query, Do, Frame
//	                                     ├─ page.Page    time, requests, console
//	                                     ├─ recorder.js  in the page's world: dialogs, exceptions, who listens
//	                                     └─ probe        in an isolated world: scene, snapshots, where to point
//
// Page time alone decides what is seen: the same site gives the same trace, whatever
// else runs on the machine.
package interact

// Version is part of the cache key of every trace: it changes whenever the same site
// could give another trace.
const Version = "15"
