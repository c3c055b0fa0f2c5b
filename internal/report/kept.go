package report

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"vitrine"
	"vitrine/internal/evidence"
)

// kept is what the run folder has of one sample besides its line. Each part may be
// missing, if the run was interrupted or files were deleted.
type kept struct {
	dir       string // on disk; empty if the sample has no evidence folder
	rel       string // dir relative to the run, with slashes
	up        string // from the sample's page to the run
	evidence  *vitrine.Evidence
	artifact  *vitrine.Artifact
	judgement *vitrine.Judgement
	opinions  []vitrine.Judgement // of models
	trace     *vitrine.Trace      // nil if the site was not exercised
	missing   string              // why there is no evidence
}

func load(runDir string, s *vitrine.Sample) kept {
	if s.Evidence == "" {
		return kept{missing: "Nothing was kept of this sample."}
	}
	local := filepath.FromSlash(s.Evidence)
	if !filepath.IsLocal(local) {
		return kept{missing: "Its evidence lies outside the run folder and is not shown."}
	}
	return gather(kept{dir: filepath.Join(runDir, local), rel: filepath.ToSlash(filepath.Clean(local)), up: "../.."})
}

// gather reads the files in k.dir.
func gather(k kept) kept {
	ev, err := evidence.Load(k.dir)
	switch {
	case err == nil:
		k.evidence = ev
	case errors.Is(err, fs.ErrNotExist):
		k.missing = "The evidence folder is not there any more, or not whole."
	default:
		k.missing = "The evidence could not be read: " + err.Error()
	}
	if a, err := evidence.LoadArtifact(k.dir); err == nil {
		k.artifact = a
	}
	if j, err := evidence.LoadJudgement(k.dir); err == nil {
		k.judgement = j
	}
	if all, err := evidence.LoadOpinions(k.dir); err == nil {
		k.opinions = all
	}
	if t, err := evidence.LoadTrace(k.dir); err == nil {
		k.trace = t
	}
	return k
}

// file is the URL of a file of the evidence, relative to the sample's page; "" if there is
// no such file.
func (k kept) file(name string) string {
	if rel := k.fromRun(name); rel != "" {
		return path.Join(k.up, rel)
	}
	return ""
}

// fromRun is the same URL relative to report.html.
func (k kept) fromRun(name string) string {
	local := filepath.FromSlash(name)
	if k.dir == "" || !filepath.IsLocal(local) {
		return ""
	}
	if info, err := os.Stat(filepath.Join(k.dir, local)); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return link(k.rel, filepath.ToSlash(local))
}
