package vitrine

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Provenance says by what rewards are made: everything that can change one, except the
// outputs themselves. Rewards of equal fingerprints compare. It is the one idea of "the
// same job": cache keys are made of its parts, a run is only resumed under its own, the
// service's answers are kept by it, and a worker gets jobs of its own alone.
type Provenance struct {
	Vitrine string `json:"vitrine"` // version
	// Build is the revision that the binary was built of; empty if it does not say. It is
	// for people and no part of the fingerprint, or every commit would empty the caches.
	Build    string            `json:"build,omitempty"`
	Browser  string            `json:"browser"`         // product and version
	Fonts    string            `json:"fonts"`           // hash of the installed ones
	Fixtures string            `json:"fixtures"`        // hash of what other hosts are answered with
	Recipes  []string          `json:"recipes"`         // name@hash, the default first
	Tools    map[string]string `json:"tools"`           // versions of stages and of what they use, by name
	Files    map[string]string `json:"files,omitempty"` // hashes of prompt, rubric, cases, scripts, tasks and calibration, by name
	Settings map[string]string `json:"settings"`        // by name; those that are zero are left out
}

// Fingerprint is the same for equal provenances only: 32 hexadecimal digits.
func (p Provenance) Fingerprint() string {
	b, _ := json.Marshal(p.rows()) // texts marshal, in order of their keys
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}

// Differences says in which parts now differs from p, in order of their names: what
// each was, and what it is now. It is empty for equal fingerprints.
func (p Provenance) Differences(now Provenance) (all []string) {
	before, after := p.rows(), now.rows()
	names := maps.Clone(before)
	maps.Copy(names, after)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if before[name] != after[name] {
			all = append(all, fmt.Sprintf("%s (%s, now %s)", name, orNone(before[name]), orNone(after[name])))
		}
	}
	return all
}

func orNone(value string) string {
	if value == "" {
		return "none"
	}
	return value
}

// rows is each part that counts, by its name. Parts that are empty are left out.
func (p Provenance) rows() map[string]string {
	rows := map[string]string{
		"vitrine": p.Vitrine, "browser": p.Browser, "fonts": p.Fonts, "fixtures": p.Fixtures, "recipe": strings.Join(p.Recipes, " "),
	}
	for _, part := range []map[string]string{p.Tools, p.Files, p.Settings} {
		maps.Copy(rows, part)
	}
	maps.DeleteFunc(rows, func(_, value string) bool { return value == "" })
	return rows
}
