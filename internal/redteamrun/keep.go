package redteamrun

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"

	"vitrine"
	"vitrine/internal/disk"
	"vitrine/internal/redteam"
	"vitrine/internal/runs"
)

// Keep writes what a search found into a folder: report.json, and the exploits over the
// threshold as outputs.jsonl, that vitrine score reads, and as pages.
func Keep(dir string, r *redteam.Report, tasks map[string]vitrine.Task) error {
	winners := r.Winners()
	outputs := make([]vitrine.Output, len(winners))
	for i := range winners {
		t := tasks[winners[i].TaskID]
		t.ID = winners[i].TaskID
		outputs[i] = winners[i].Output(t)
	}
	return keep(dir, r, outputs)
}

// KeepMutants writes a mutation score into a folder: report.json, and the mutants with a
// fault that the reward did not notice as outputs.jsonl and as pages.
func KeepMutants(dir string, m *redteam.MutationScore) error {
	return keep(dir, m, m.Unnoticed())
}

func keep(dir string, report any, outputs []vitrine.Output) error {
	pages := filepath.Join(dir, "pages")
	if err := os.MkdirAll(pages, 0o755); err != nil {
		return disk.Fault(err)
	}
	var lines bytes.Buffer
	enc := json.NewEncoder(&lines)
	for _, o := range outputs {
		if err := enc.Encode(o); err != nil {
			return err
		}
		if err := disk.WriteFile(filepath.Join(pages, runs.FolderName(o.ID)+".html"), []byte(o.Text), 0o644); err != nil {
			return disk.Fault(err)
		}
	}
	if err := disk.WriteFile(filepath.Join(dir, "outputs.jsonl"), lines.Bytes(), 0o644); err != nil {
		return disk.Fault(err)
	}
	return disk.WriteJSON(filepath.Join(dir, "report.json"), report)
}
