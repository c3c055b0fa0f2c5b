package inputs

import (
	"bytes"

	"vitrine"
)

// files are the files of a site that a row holds in place of a text: an object of
// contents by path, or a list of objects with path and content.
func (r *record) files() (*vitrine.Artifact, *RowError) {
	v, there := r.values["files"]
	_, mapped := r.mapping[fieldOutput]
	if text := bytes.HasPrefix(r.values[fieldOutput], []byte(`"`)); !there || text || mapped {
		return nil, nil
	}
	contents := map[string]string{}
	if o, err := parseObject(opened(v)); err == nil {
		for _, name := range o.names {
			inner, err := parseObject(o.values[name])
			if s, ok := stringOf(o.values[name]); ok {
				contents[name] = s
			} else if err == nil {
				contents[name] = firstText("", inner, "content", "contents", "code")
			}
		}
	}
	list, _ := parseList(opened(v))
	for _, item := range list {
		if o, err := parseObject(item); err == nil {
			contents[firstText("", o, "path", "filePath", "name", "filename")] = firstText("", o, "content", "contents", "code")
		}
	}
	t := memoryTree{}
	for name, content := range contents {
		if clean, ok := cleanName(name); ok {
			t[clean] = []byte(content)
		}
	}
	if len(t) == 0 {
		return nil, nil
	}
	r.used = append(r.used, "files")
	r.from[fieldOutput] = "files"
	a, err := siteOf(t, ".", Limits{}.withDefaults())
	if err != nil {
		return nil, &RowError{Found: "files: " + err.Error(), Wanted: "a package.json or an index.html among them"}
	}
	return a, nil
}
