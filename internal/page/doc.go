// Package page opens a built site on a page of the browser and puts its time under
// our hand: every request is answered from memory, timers, animations and
// randomness follow the page's clock, and page time passes only when it is told to.
// What gathers evidence and what tries a site out both stand on it.
package page
