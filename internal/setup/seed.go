package setup

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"vitrine/internal/cache"
	"vitrine/internal/disk"
)

// seedFile holds the seed of this installation, from which behave makes what pages cannot
// foresee. Workers of a service are given its seed with each job.
const seedFile = "behave.seed"

// seed is the seed of behave: as given, by flag or VITRINE_BEHAVE_SEED, else that of this
// installation, which is made at first.
func (f *Interacting) seed(here Machine) ([]byte, error) {
	if given := cmp.Or(f.Seed, here.Getenv("VITRINE_BEHAVE_SEED")); given != "" {
		return []byte(given), nil
	}
	name := filepath.Join(here.CacheDir, seedFile)
	if raw, err := os.ReadFile(name); err == nil && len(strings.TrimSpace(string(raw))) >= 32 {
		return []byte(strings.TrimSpace(string(raw))), nil
	}
	fresh := make([]byte, 16)
	if _, err := rand.Read(fresh); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(here.CacheDir, 0o755); err != nil {
		return nil, cache.Fault(err)
	}
	if err := disk.WriteFile(name, []byte(hex.EncodeToString(fresh)+"\n"), 0o600); err != nil {
		return nil, cache.Fault(err)
	}
	raw, err := os.ReadFile(name) // another process may have made it meanwhile
	return []byte(strings.TrimSpace(string(raw))), err
}
