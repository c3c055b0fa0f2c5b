package flow

import (
	"embed"
	"maps"
	"slices"
	"strings"
	"text/template"

	"vitrine/internal/model/fence"
)

//go:embed prompts/*.txt
var promptFiles embed.FS

var prompts = template.Must(template.New("").Option("missingkey=error").ParseFS(promptFiles, "prompts/*.txt"))

// say is a question in words. Values that begin with a small letter are what strangers
// wrote: they are put between lines that they cannot write.
func say(name string, values map[string]any) (string, error) {
	var data []string
	for _, key := range slices.Sorted(maps.Keys(values)) { // the same question has the same mark
		if text, is := values[key].(string); is && strings.ToLower(key) == key {
			data = append(data, text)
		}
	}
	mark := fence.New(data)
	told := map[string]any{}
	for key, v := range values {
		if text, is := v.(string); is && strings.ToLower(key) == key {
			v = mark.Around(key, text)
		}
		told[key] = v
	}
	var b strings.Builder
	err := prompts.ExecuteTemplate(&b, name+".txt", told)
	return strings.TrimSpace(b.String()), err
}
