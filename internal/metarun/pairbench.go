package metarun

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"vitrine/internal/judge/vlm"
	"vitrine/internal/meta/answers"
)

// templates is how many templates the protocol alignment has.
const templates = 5

// PairBench are the items of a pairwise benchmark over pages with their instructions (WebGen-R1
// E.6): each page with its instruction, with the instruction in other words, and with another
// one, that of a page that the seed draws, which does not fit, by each of the five templates. Other
// words are asked for once: known has those of an earlier call.
func PairBench(ctx context.Context, items []answers.Item, j *vlm.Judge, known map[string]answers.Item, seed uint64) (all []answers.Item, err error) {
	bases := slices.DeleteFunc(slices.Clone(items), func(i answers.Item) bool { return i.Template != "" || i.VariantOf != "" || i.Kind != answers.Rating })
	random := rand.New(rand.NewPCG(seed, 5))
	for n, base := range bases {
		if base.Instruction == "" {
			return nil, lacks("the item "+base.ID+" has no instruction", "give it with the item")
		}
		others := slices.DeleteFunc(slices.Concat(bases[n+1:], bases[:n]), func(i answers.Item) bool { return i.Instruction == base.Instruction })
		if len(others) == 0 {
			return nil, lacks("a distractor is another instruction, and no page has one than "+base.ID, "give items of two tasks or more")
		}
		other := others[random.IntN(len(others))].Instruction
		reworded := known[named(base.ID, "paraphrase", 1)].Instruction
		if reworded == "" {
			if reworded, _, err = j.Paraphrase(ctx, base.Instruction); err != nil {
				return nil, err
			}
		}
		for template := 1; template <= templates; template++ {
			for _, v := range []struct {
				kind, instruction string
				broken            bool
			}{{"", base.Instruction, false}, {"paraphrase", reworded, false}, {"distractor", other, true}} {
				i := base
				i.ID, i.Template = named(base.ID, v.kind, template), fmt.Sprintf("alignment-%d", template)
				i.Instruction, i.Variant, i.Broken, i.Truth = v.instruction, v.kind, v.broken, nil
				if v.kind != "" {
					i.VariantOf = named(base.ID, "", template)
				}
				all = append(all, i)
			}
		}
	}
	return all, nil
}

// named is the id of an item of the benchmark.
func named(id, kind string, template int) string {
	if kind == "" {
		kind = "itself"
	}
	return fmt.Sprintf("%s~%s-%d", id, kind, template)
}
