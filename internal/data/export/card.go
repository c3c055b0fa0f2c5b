package export

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vitrine/internal/disk"
)

const (
	longestLicence = 100 // characters
	mostLicences   = 100 // different ones of a file; rows of further ones are counted together
)

// stated counts the licence of a row.
func (r *Result) stated(row json.RawMessage) {
	name := licence(row)
	if _, there := r.Licences[name]; !there && len(r.Licences) >= mostLicences {
		name = "others"
	}
	r.Licences[name]++
}

// licence is what a row says of its licence, its beginning where that is long.
func licence(row json.RawMessage) string {
	var o struct {
		License, Licence any
		Meta             json.RawMessage
	}
	_ = json.Unmarshal(row, &o)
	var meta struct{ License, Licence any }
	_ = json.Unmarshal(o.Meta, &meta) // one that is no object says nothing
	for _, v := range []any{o.License, o.Licence, meta.License, meta.Licence} {
		if text, ok := v.(string); ok && strings.TrimSpace(text) != "" {
			if runes := []rune(text); len(runes) > longestLicence {
				text = string(runes[:longestLicence]) + "…"
			}
			return text
		}
	}
	return "not stated"
}

// card writes README.md: how the rows were made, their licences, and the files with their
// hashes; of a hub folder also where each split lies.
func (s *Settings) card(all []Result) error {
	var b strings.Builder
	if s.As == "hf" {
		b.WriteString("---\nconfigs:\n- config_name: default\n  data_files:\n")
		for _, r := range all {
			split, _, _ := strings.Cut(filepath.Base(r.File), "-")
			fmt.Fprintf(&b, "  - split: %s\n    path: data/%s\n", split, filepath.Base(r.File))
		}
		b.WriteString("---\n\n")
	}
	if s.Card == "" {
		b.WriteString("# Data card\n\n## Sources\n\n")
		for _, file := range s.Files {
			if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() { // a folder or a stream
				fmt.Fprintf(&b, "* `%s`\n", filepath.Base(file))
				continue
			}
			sum, err := hashOf(file)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, "* `%s`, SHA-256 `%s`\n", filepath.Base(file), sum)
		}
	}
	b.WriteString(s.Card)
	licences := map[string]int{}
	for _, r := range all {
		for name, n := range r.Licences {
			licences[name] += n
		}
	}
	b.WriteString("\n## Licences\n\nAs the rows state them; where they do not, the licence is that of the source.\n\n| licence | rows |\n|---|---|\n")
	for _, name := range slices.SortedFunc(maps.Keys(licences), func(a, b string) int { return cmp.Or(cmp.Compare(licences[b], licences[a]), cmp.Compare(a, b)) }) {
		fmt.Fprintf(&b, "| %s | %d |\n", cell(name), licences[name])
	}
	fmt.Fprintf(&b, "\n## Files of this folder\n\nShape `%s`.\n\n| file | SHA-256 |\n|---|---|\n", s.As)
	for _, r := range all {
		for _, file := range append([]string{r.File}, r.more...) {
			sum, err := hashOf(file)
			if err != nil {
				return err
			}
			name, _ := filepath.Rel(s.Out, file)
			fmt.Fprintf(&b, "| %s | `%s` |\n", filepath.ToSlash(name), sum)
		}
		for _, reason := range slices.Sorted(maps.Keys(r.Dropped)) {
			fmt.Fprintf(&b, "\n%d rows left out: %s.\n", r.Dropped[reason], reason)
		}
	}
	return disk.Fault(disk.WriteFile(filepath.Join(s.Out, "README.md"), []byte(b.String()), 0o644))
}

// cell is a text of a row in a table of Markdown.
func cell(text string) string {
	return strings.NewReplacer("|", "/", "\n", " ", "\r", " ", "<", "&lt;").Replace(text)
}

func hashOf(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", disk.Fault(err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", disk.Fault(err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// factory writes dataset_info.json, by which LLaMA-Factory reads the files of a shape that
// it knows.
func (s *Settings) factory(all []Result) error {
	columns, tags, ranking := map[string]string{"messages": "conversations"}, map[string]string(nil), false
	switch s.As {
	case "sft", "rft":
		columns["messages"] = "messages"
		tags = map[string]string{"role_tag": "role", "content_tag": "content", "user_tag": "user", "assistant_tag": "assistant"}
	case "sharegpt":
	case "sharegpt-dpo":
		ranking, columns["chosen"], columns["rejected"] = true, "chosen", "rejected"
	default:
		return nil
	}
	info := map[string]any{}
	for _, r := range all {
		one := map[string]any{"file_name": filepath.Base(r.File), "formatting": "sharegpt", "columns": columns}
		if ranking {
			one["ranking"] = true
		}
		if tags != nil {
			one["tags"] = tags
		}
		info[strings.TrimSuffix(filepath.Base(r.File), filepath.Ext(r.File))] = one
	}
	return disk.Fault(disk.WriteJSON(filepath.Join(s.Out, "dataset_info.json"), info))
}
