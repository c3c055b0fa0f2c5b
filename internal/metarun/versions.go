package metarun

import (
	"fmt"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strings"

	"vitrine/internal/evidence"
	"vitrine/internal/meta/answers"
	"vitrine/internal/redteam"
)

// Attacked are the items with a version for each attack of those that show pages of one file.
// Of a pair the side is attacked that is settled to be the worse, else one that its id draws.
// Without is how many items have no page that could be attacked.
func Attacked(items []answers.Item, attacks []redteam.Persuasion) (all []answers.Item, without int) {
	for _, i := range items {
		if i.VariantOf != "" {
			continue
		}
		side, attacked := 0, "it"
		if i.Kind == answers.Pair {
			side = worse(i)
			attacked = string(rune('A' + side))
		}
		page := pageOf(i.Shown[side])
		if page == "" {
			without++
			continue
		}
		all = append(all, i)
		for _, attack := range attacks {
			v := i
			v.ID, v.VariantOf, v.Variant, v.Attacked = i.ID+"~"+attack.Name, i.ID, attack.Name, attacked
			v.Truth, v.Lengths = nil, nil
			v.Shown = slices.Clone(i.Shown)
			v.Shown[side] = answers.Thing{Code: attack.On(page, i.Instruction)}
			all = append(all, v)
		}
	}
	return all, without
}

// worse is the side of a pair that people do not prefer: 0 for A, 1 for B.
func worse(i answers.Item) int {
	if i.Truth != nil && i.Truth.Text == "A" {
		return 1
	}
	if i.Truth != nil && i.Truth.Text == "B" {
		return 0
	}
	h := fnv.New32a()
	h.Write([]byte(i.ID))
	return int(h.Sum32() % 2)
}

// pageOf is the page of one file that a thing shows, empty where it shows something else.
func pageOf(t answers.Thing) string {
	if t.Code != "" {
		return t.Code
	}
	if t.Page != "" {
		if files, err := codeOf(t); err == nil && len(files) == 1 {
			return files[0].Content
		}
	}
	if t.Evidence != "" {
		if a, err := evidence.LoadArtifact(t.Evidence); err == nil && len(a.Files) == 1 && strings.HasPrefix(filepath.Ext(a.Files[0].Path), ".htm") {
			return a.Files[0].Content
		}
	}
	return ""
}

// Remade are the items with versions of their pages by operators that keep what a page does,
// or break it; n of each operator and page, drawn by the seed.
func Remade(items []answers.Item, operators []string, n int, seed uint64) (all []answers.Item, without int) {
	broken := map[string]bool{}
	for _, o := range redteam.Operators() {
		broken[o.Name] = o.Kind != redteam.Equivalent
	}
	there := map[string]bool{} // of an earlier call
	for _, i := range items {
		there[i.ID] = true
	}
	for _, i := range items {
		all = append(all, i)
		page := ""
		if i.Kind != answers.Pair && i.VariantOf == "" {
			page = pageOf(i.Shown[0])
		}
		if page == "" {
			if i.VariantOf == "" {
				without++
			}
			continue
		}
		for _, m := range redteam.Mutants(page, n, seed, operators...) {
			v := i
			v.ID, v.VariantOf, v.Variant, v.Broken = fmt.Sprintf("%s~%s", i.ID, m.Name()), i.ID, m.Operator, broken[m.Operator]
			if there[v.ID] {
				continue
			}
			v.Truth, v.Lengths = nil, nil
			v.Shown = []answers.Thing{{Code: m.HTML}}
			all = append(all, v)
		}
	}
	return all, without
}
