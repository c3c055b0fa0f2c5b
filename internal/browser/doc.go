// Package browser launches, isolates, supervises and drives Chromium. It knows
// nothing of judging.
//
// Chromium runs in the sandbox with no network interface at all and with its
// own sandbox on. Commands travel over a pipe, so there is no port a page could
// find. A caller only says [Supervisor.Run]: it gets a page in a context of its
// own, and a browser that died is started again for the next caller.
package browser
