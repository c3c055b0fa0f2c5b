// Package capture turns a site into evidence: it opens every route at every
// viewport in a page of its own, takes full-page frames at fixed page times and
// gathers in the same visit what judges need. One file a probe: frames, dom,
// colors, content, console, network, axe, accessibility.
//
// A visit goes like this. The page's clock is replaced before any script runs
// (scripts/clock.js), so page time stands still while resources load from memory
// and advances only when Vitrine advances it. The visit waits for signals (load event,
// images, fonts, open requests), lets a second of page time pass so that entrance
// animations end, takes the first frame, reads the document, and advances to the
// next frame's time. Nothing waits for the wall clock.
package capture
