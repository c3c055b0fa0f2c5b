package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"vitrine/internal/model"
	"vitrine/internal/model/providers"
)

// ModelsFile is read if it is there and no other is named.
const ModelsFile = ".vitrine/models.yaml"

// Models say where aliases, addresses and prices of models are.
type Models struct {
	File string // empty: [ModelsFile], if it is there
}

// Client makes a client of the models file.
func (m Models) Client(here Machine, s model.Settings) (*model.Client, error) {
	var err error
	if s.Models, err = m.entries(); err != nil {
		return nil, err
	}
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
