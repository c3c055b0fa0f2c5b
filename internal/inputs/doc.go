// Package inputs reads what a person has of models' outputs and makes one [Item] of
// each: rows of JSON lines, JSON, CSV or Parquet, chat and batch results of the usual
// endpoints, rollout dumps of trainers, single pages, folders and archives.
//
// # How a file is read
//
//	unpack   gzip and zstd, by their magic numbers, within bounds
//	sniff    the format, by content first and by name where content says nothing
//	rows     one value after the other, each with its line and column
//	record   where in a row the output, the instruction and the id are
//	name     an id for each output, all different and the same at every reading
//
// Every input is read twice: [Open] surveys it (how many outputs, which fields, which
// rows cannot be used), [Input.Items] gives the outputs. Neither holds more than one
// row in memory. What cannot be read a second time, such as standard input, is copied
// to a file that has no name.
//
// # What is trusted
//
// Nothing. Sizes, ratios, numbers of entries and of fields are bounded, links are not
// followed, and no name leaves its folder or archive.
package inputs
