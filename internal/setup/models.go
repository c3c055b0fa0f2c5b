package setup

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"strings"

	"vitrine/internal/model"
	"vitrine/internal/model/providers"
)

// ModelsFile is read if it is there and no other is named.
const ModelsFile = ".vitrine/models.yaml"

// Models say where aliases, addresses and prices of models are.
type Models struct {
	File string // empty: [ModelsFile], if it is there
	// at are models that were named by their address.
	at map[string]model.Entry
}

// At takes the name of a model, which may be URL#MODEL for one that is served in OpenAI's
// protocol at an address, and returns the name by which it is asked: MODEL, or "default"
// without one. A key of the server is read from VLLM_API_KEY.
func (m *Models) At(name string) string {
	if !strings.HasPrefix(name, "http://") && !strings.HasPrefix(name, "https://") {
		return name
	}
	address, id, _ := strings.Cut(name, "#")
	id = cmp.Or(id, "default")
	if m.at == nil {
		m.at = map[string]model.Entry{}
	}
	m.at[id] = model.Entry{Model: "vllm/" + id, BaseURL: address}
	return id
}

// Client makes a client of the models file.
func (m Models) Client(here Machine, s model.Settings) (*model.Client, error) {
	var err error
	if s.Models, err = m.entries(); err != nil {
		return nil, err
	}
	if s.Models == nil {
		s.Models = map[string]model.Entry{}
	}
	maps.Copy(s.Models, m.at)
	s.Dial, s.Getenv = providers.Dial, here.Getenv
	return model.NewClient(s)
}

func (m Models) entries() (map[string]model.Entry, error) {
	name := m.File
	if name == "" {
		name = ModelsFile
	}
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) && m.File == "" {
		return nil, nil
	}
	if err != nil {
		return nil, usage(fmt.Sprintf("--models: %v", err), "name a file as docs/models.md shows it")
	}
	return model.ParseConfig(name, data)
}
