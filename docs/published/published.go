// Package published has the tables that others published, one CSV file each with its
// source, for comparison with what Vitrine measures.
package published

import "embed"

// Tables are the files, which [vitrine/internal/bench.ParseSheet] reads.
//
//go:embed *.csv
var Tables embed.FS
