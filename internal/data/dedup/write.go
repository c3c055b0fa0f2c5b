package dedup

import (
	"context"
	"math"
	"os"
	"path/filepath"

	"vitrine/internal/data/table"
	"vitrine/internal/disk"
	"vitrine/internal/inputs"
)

// The files of a result.
const (
	KeptFile    = "kept.jsonl"
	DroppedFile = "dropped.jsonl"
	ReviewFile  = "review.jsonl"
)

// write reads the records again and puts each where it belongs.
func (s *Settings) write(ctx context.Context, records *inputs.Records, c *collection, verdicts []verdict, origin []string, sum *Summary) (err error) {
	if err := os.MkdirAll(s.Out, 0o755); err != nil {
		return disk.Fault(err)
	}
	files, err := table.Create(filepath.Join(s.Out, KeptFile), filepath.Join(s.Out, DroppedFile), filepath.Join(s.Out, ReviewFile))
	if err != nil {
		return err
	}
	defer files.Discard()
	kept, dropped, review := files.Writers[0], files.Writers[1], files.Writers[2]
	n, kinds := 0, c.comparable(len(origin))
	for r, err := range records.All() {
		if err != nil {
			if err := only(err, func(error) {}); err != nil {
				return err
			}
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		v := verdicts[n]
		if r.Repaired {
			sum.Repaired++
		}
		if c.kinds[len(origin)+n]&kinds == 0 {
			sum.Without++
		}
		n++
		line := v.line(r.ID, c, origin)
		switch {
		case v.reason != "":
			sum.Dropped++
			sum.Reasons[v.reason]++
			if line.Benchmark != "" {
				sum.Benchmarks[line.Benchmark]++
			}
			err = dropped.Write(line)
		case v.review:
			line.Reason = ReasonText
			sum.Review++
			err = review.Write(line)
			fallthrough
		default:
			sum.Kept++
			if err == nil {
				err = kept.Line(r.Row)
			}
		}
		if err != nil {
			return err
		}
	}
	return files.Commit()
}

// line is a verdict as the files have it.
func (v verdict) line(id string, c *collection, origin []string) Verdict {
	line := Verdict{ID: id, Reason: v.reason, Similarity: math.Round(v.similarity*1e6) / 1e6}
	if v.other >= 0 {
		line.DuplicateOf = c.ids[v.other]
	}
	if v.other >= 0 && v.other < len(origin) {
		line.Benchmark = origin[v.other]
	}
	return line
}
