// Package page opens a built site in a tab of the browser under virtual time: every
// request is answered from memory, timers, animations and randomness follow the page's
// clock, and page time passes only when Vitrine advances it. Captures and interaction both use
// it.
package page
