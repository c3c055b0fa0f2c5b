package runs

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"vitrine"
)

// Blocked are the URLs that the pages of a run, or of one evidence folder, asked for and
// nothing answered.
func Blocked(dir string) ([]string, error) {
	logs, err := filepath.Glob(filepath.Join(dir, "evidence", "*", "network.jsonl"))
	if err != nil {
		return nil, err
	}
	if one := filepath.Join(dir, "network.jsonl"); len(logs) == 0 {
		logs = []string{one}
	}
	var urls []string
	for _, name := range logs {
		f, err := os.Open(name)
		if err != nil {
			return nil, usage("--from: "+dir+" holds no network.jsonl", "name a run folder or an evidence folder")
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var r vitrine.Request
			if json.Unmarshal(lines.Bytes(), &r) == nil && r.Result == "blocked" {
				urls = append(urls, r.URL)
			}
		}
		if err := errors.Join(lines.Err(), f.Close()); err != nil {
			return nil, err
		}
	}
	return urls, nil
}
