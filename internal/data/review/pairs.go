package review

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strconv"

	"vitrine/internal/evidence"
	"vitrine/internal/meta"
	"vitrine/internal/meta/answers"
)

// mostPictures is how many views of a site are shown.
const mostPictures = 6

// Pairs are the pairs of a file, as vitrine compare --pairs takes them; a and b are evidence
// folders of vitrine render or score. Their items are those that vitrine meta import
// comparisons makes of what a judge says of the same file, so that people and judges meet.
func Pairs(file string) ([]Item, error) {
	pairs, err := meta.ReadPairs("--pairs", file)
	if err != nil {
		return nil, err
	}
	var items []Item
	for n, p := range pairs {
		item := Item{Item: answers.Item{ID: cmp.Or(p.ID, strconv.Itoa(n+1)), Kind: answers.Pair, Question: "better site", Category: p.Category}}
		for _, dir := range []string{p.A, p.B} {
			ev, err := evidence.Load(dir)
			if err != nil {
				return nil, refuse(fmt.Sprintf("pair %s: %s is no evidence folder: %v", item.ID, dir, err), "make evidence of sites by vitrine render SITE --out FOLDER, or take that of a run of vitrine score")
			}
			item.Instruction = cmp.Or(item.Instruction, ev.Instruction)
			var side Side
			for _, v := range ev.Views {
				if len(v.Frames) > 0 && len(side.Pictures) < mostPictures && filepath.IsLocal(filepath.FromSlash(v.Frames[0].File)) {
					side.Pictures = append(side.Pictures, filepath.Join(dir, filepath.FromSlash(v.Frames[0].File)))
				}
			}
			if len(side.Pictures) == 0 {
				side.Text = "(nothing was shown)"
			}
			item.Sides = append(item.Sides, side)
		}
		items = append(items, item)
	}
	return items, nil
}

func percent(similarity float64) string { return fmt.Sprintf("%.1f %%", 100*similarity) }
