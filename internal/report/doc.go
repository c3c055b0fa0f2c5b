// Package report turns a run folder into something a person reads: a static
// HTML report, a JSON summary and a few lines for a terminal.
//
//	<run>/report.html          summary and gallery
//	<run>/report/index.js      one short row a sample, for the gallery
//	<run>/report/s/<name>.html one page a sample
//	<run>/report/report.css …  style and scripts
//
// The report opens from the disk: there is no server and no URL that leaves the
// run folder. Whatever a model wrote is hostile. It reaches a page only as
// escaped text or as a picture that the capture took, and a content security
// policy refuses inline scripts and styles on top of that.
package report
