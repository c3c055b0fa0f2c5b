// Package flow runs data pipelines: files that a person can read, of steps that each
// take rows and give rows, with counts and the reason for every row that goes.
//
//	file.go     a pipeline file: which steps, in which order, with which settings
//	run.go      runs the steps; a step that ran before on the same rows is not run again
//	rows.go     reading and writing rows
//	*_step.go   one kind of step each
//
// A step works in a folder of its own, which takes its name only when the step is done:
// a run that is killed at any moment leaves whole steps and what is taken away by the
// next. The name holds a hash of the settings and of the content of the rows that came
// in, so that a changed step, and what follows it, run again, and nothing else.
package flow
