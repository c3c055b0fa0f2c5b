package model

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"vitrine"
)

// A provider is the first word of a name.
type provider struct {
	name     string
	protocol Protocol
	base     string   // where it is asked unless a variable says otherwise
	keys     []string // variables of the key; the first is the one to tell of
	bases    []string // variables of the base URL
	keyless  bool     // servers of one's own, which may want no key
}

// generic is the first word of openai-api/NAME/MODEL, which is any server that
// speaks OpenAI's protocol.
const generic = "openai-api"

var known = []provider{
	{"openai", OpenAI, "https://api.openai.com/v1", []string{"OPENAI_API_KEY"}, []string{"OPENAI_BASE_URL"}, false},
	{"anthropic", Anthropic, "https://api.anthropic.com", []string{"ANTHROPIC_API_KEY"}, []string{"ANTHROPIC_BASE_URL"}, false},
	{"google", Google, "https://generativelanguage.googleapis.com", []string{"GOOGLE_API_KEY", "GEMINI_API_KEY"}, []string{"GOOGLE_BASE_URL", "GOOGLE_GEMINI_BASE_URL"}, false},
	{"openrouter", OpenAI, "https://openrouter.ai/api/v1", []string{"OPENROUTER_API_KEY"}, []string{"OPENROUTER_BASE_URL"}, false},
	{"vllm", OpenAI, "http://localhost:8000/v1", []string{"VLLM_API_KEY"}, []string{"VLLM_BASE_URL"}, true},
	{"sglang", OpenAI, "http://localhost:30000/v1", []string{"SGLANG_API_KEY"}, []string{"SGLANG_BASE_URL"}, true},
	{"ollama", OpenAI, "http://localhost:11434/v1", []string{"OLLAMA_API_KEY"}, []string{"OLLAMA_HOST"}, true},
}

// Providers are the first words of names, in the order of the documentation.
func Providers() []string {
	var names []string
	for _, p := range known {
		names = append(names, p.name)
	}
	return append(names, generic)
}

// An Info is what is known of a model before it is asked.
type Info struct {
	Name     string   `json:"name"`            // provider/model
	Alias    string   `json:"alias,omitempty"` // the word of the config that stands for it
	Provider string   `json:"provider"`
	Protocol Protocol `json:"protocol"`
	Model    string   `json:"model"` // as the provider knows it
	BaseURL  string   `json:"base_url"`
	// KeyVariable is where the key is read from; HasKey says whether it is set, and
	// NeedsKey whether it has to be.
	KeyVariable string `json:"key_variable"`
	HasKey      bool   `json:"has_key"`
	NeedsKey    bool   `json:"needs_key"`
	Price       *Price `json:"price"` // nil: not known
	MaxImages   int    `json:"max_images,omitempty"`
}

var serverName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)

// find takes a name apart: the provider and the model.
func find(name string) (provider, string, error) {
	first, rest, _ := strings.Cut(name, "/")
	for _, p := range known {
		if p.name == first && rest != "" {
			return p, rest, nil
		}
	}
	if first == generic {
		server, model, _ := strings.Cut(rest, "/")
		if !serverName.MatchString(server) || model == "" {
			return provider{}, "", badName(name, "want openai-api/NAME/MODEL, where NAME_API_KEY and NAME_BASE_URL are variables")
		}
		prefix := strings.ToUpper(strings.ReplaceAll(server, "-", "_"))
		return provider{generic + "/" + server, OpenAI, "", []string{prefix + "_API_KEY"}, []string{prefix + "_BASE_URL"}, true}, model, nil
	}
	return provider{}, "", badName(name, "want PROVIDER/MODEL with one of "+strings.Join(Providers(), ", ")+", such as openai/gpt-5-mini, or an alias of the models file")
}

func badName(name, fix string) error {
	return vitrine.NewFault("judge", vitrine.FaultUsage, nil, fmt.Sprintf("%q names no model", name)).WithFix(fix)
}

// key reads the key of a provider: the first of its variables that is set. Two
// that are set must agree.
func (p provider) key(getenv func(string) string) (variable string, key Secret, err error) {
	variable = p.keys[0]
	for _, v := range p.keys {
		switch value := strings.TrimSpace(getenv(v)); {
		case value == "" || value == string(key):
		case key == "":
			variable, key = v, Secret(value)
		default:
			return v, "", vitrine.NewFault("judge", vitrine.FaultUsage, nil, variable+" and "+v+" are both set, and differ").
				WithFix("unset one of them")
		}
	}
	return variable, key, nil
}

// where is the base URL of a provider.
func (p provider) where(getenv func(string) string) (string, error) {
	for _, v := range p.bases {
		if value := strings.TrimSpace(getenv(v)); value != "" {
			if v == "OLLAMA_HOST" {
				value = ollamaHost(value)
			}
			u, err := baseURL(p.protocol, value)
			if err != nil {
				return "", vitrine.NewFault("judge", vitrine.FaultUsage, err, v+" is no base URL").WithFix("such as " + cmp.Or(p.base, "http://localhost:8000/v1"))
			}
			return u, nil
		}
	}
	if p.base == "" {
		return "", vitrine.NewFault("judge", vitrine.FaultUsage, nil, "where is "+p.name+"? "+p.bases[0]+" is not set").
			WithFix("export " + p.bases[0] + "=http://HOST:PORT/v1")
	}
	return p.base, nil
}

// ollamaHost makes a URL of Ollama's own variable, which may lack the scheme and
// may name the address that a server listens on.
func ollamaHost(value string) string {
	if !strings.Contains(value, "://") {
		value = "http://" + value
	}
	u, err := url.Parse(value)
	if err != nil {
		return value
	}
	host, port := u.Hostname(), cmp.Or(u.Port(), "11434")
	if host == "0.0.0.0" || host == "::" || host == "" {
		host = "localhost"
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	u.Host = host + ":" + port
	return u.String()
}

var version = regexp.MustCompile(`(^|/)v\d+[a-z0-9]*(/|$)`)

// baseURL brings a base URL into the form of the protocol's SDK: with the version
// for OpenAI's, without for the others, never with a slash at the end. The way to
// a method, which people copy along, is cut off.
func baseURL(protocol Protocol, text string) (string, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return "", fmt.Errorf("it is no URL")
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return "", fmt.Errorf("want http://HOST or https://HOST")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return "", fmt.Errorf("a base URL holds no user, password or query: keys belong in a variable")
	}
	path := strings.TrimRight(u.Path, "/")
	for _, method := range []string{"/chat/completions", "/embeddings", "/messages"} {
		path = strings.TrimSuffix(path, method)
	}
	switch {
	case protocol == OpenAI && !version.MatchString(path):
		path += "/v1"
	case protocol == Anthropic:
		path = strings.TrimSuffix(path, "/v1")
	case protocol == Google:
		path = strings.TrimSuffix(strings.TrimSuffix(path, "/v1beta"), "/v1")
	}
	u.Path, u.RawPath = strings.TrimRight(path, "/"), ""
	return u.String(), nil
}
