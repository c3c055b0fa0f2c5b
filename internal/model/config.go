package model

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml"

	"vitrine"
	"vitrine/internal/strictyaml"
)

// maxConfig bounds a models file in bytes.
const maxConfig = 64 << 10

// An Entry is what the models file says of one word: an alias, or the full name
// of a model whose price or address it gives.
type Entry struct {
	// Model is provider/model. It may be left out where the word itself is one.
	Model string `yaml:"model"`
	// BaseURL is where this model is asked: one server of one's own serves one model.
	BaseURL string `yaml:"base_url"`
	// KeyVariable names the variable of the key. Keys themselves are refused.
	KeyVariable string `yaml:"api_key_env"`
	Price       *Price `yaml:"price"`
	// MaxImages is how many pictures the endpoint takes in one conversation; 0 means
	// any number.
	MaxImages int `yaml:"max_images"`
}

var (
	variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)
	aliasName    = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/:@-]*$`)
	// looksLikeKey knows the beginnings of providers' keys.
	looksLikeKey = regexp.MustCompile(`(?i)(^|[^a-z0-9])(sk-[a-z0-9_-]{8,}|AIza[a-z0-9_-]{10,}|gsk_[a-z0-9]{10,}|hf_[a-z0-9]{10,}|xai-[a-z0-9]{10,}|bearer +[a-z0-9._-]{8,})`)
)

// ParseConfig reads a models file:
//
//	models:
//	  house:                              # an alias
//	    model: vllm/Qwen/Qwen2.5-VL-72B-Instruct
//	    base_url: http://gpu1:8000
//	    api_key_env: GPU1_KEY
//	    price: {in: 0.2, out: 0.6, date: 2026-11-21}
//	    max_images: 8
//
// Name is what messages call the file. The error is a [*vitrine.Fault] with code
// usage; it never repeats a line of the file, which may hold a key.
func ParseConfig(name string, data []byte) (map[string]Entry, error) {
	entries, err := parseConfig(data)
	if err != nil {
		return nil, vitrine.NewFault("judge", vitrine.FaultUsage, nil, name+": "+err.Error()).
			WithFix("docs/models.md shows a models file")
	}
	return entries, nil
}

func parseConfig(data []byte) (map[string]Entry, error) {
	if len(data) > maxConfig {
		return nil, fmt.Errorf("the file is longer than %d bytes: no models file", maxConfig)
	}
	if line := keyLine(data); line > 0 {
		return nil, fmt.Errorf("line %d looks like it holds a key: put the key into a variable and name that with api_key_env", line)
	}
	if line, err := strictyaml.Check(data, maxConfig); err != nil {
		return nil, fmt.Errorf("line %d: %w", max(line, 1), err)
	}
	var file struct {
		Models map[string]Entry `yaml:"models"`
	}
	err := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict()).Decode(&file)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, withoutSource(err)
	}
	for word, e := range file.Models {
		if err := e.check(word); err != nil {
			return nil, fmt.Errorf("models.%s: %w", word, err)
		}
	}
	return file.Models, nil
}

func keyLine(data []byte) int {
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if looksLikeKey.Match(line) {
			return n
		}
	}
	return 0
}

// withoutSource is an error of the YAML library without the lines it shows.
func withoutSource(err error) error {
	var at yaml.Error
	if errors.As(err, &at) && at.GetToken() != nil {
		return fmt.Errorf("line %d: %s", at.GetToken().Position.Line, at.GetMessage())
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return errors.New(first)
}

func (e Entry) check(word string) error {
	if !aliasName.MatchString(word) {
		return errors.New("want a name of letters, digits and . _ - / : @")
	}
	full := e.Model
	if full == "" {
		full = word
	}
	p, _, err := find(full)
	switch {
	case err != nil:
		return fmt.Errorf("model: want PROVIDER/MODEL with one of %s", strings.Join(Providers(), ", "))
	case e.KeyVariable != "" && !variableName.MatchString(e.KeyVariable):
		return errors.New("api_key_env: want the name of a variable such as GPU1_KEY, not a key")
	case e.MaxImages < 0:
		return fmt.Errorf("max_images: want a number of pictures, got %d", e.MaxImages)
	}
	if e.BaseURL != "" {
		if _, err := baseURL(p.protocol, e.BaseURL); err != nil {
			return fmt.Errorf("base_url: %w", err)
		}
	}
	if e.Price != nil {
		return e.Price.check()
	}
	return nil
}
