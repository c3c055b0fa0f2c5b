package exact

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"vitrine/internal/project"
)

// findSite finds the folder that the build wrote its pages to. No part of its path may be a
// link: it could lead out of the work folder.
func findSite(work string, source *project.Project) (string, bool) {
	work, err := filepath.EvalSymlinks(work)
	if err != nil {
		return "", false
	}
	names := []string{"dist", "build", "out"}
	if out := source.Config.Out; out != "" && !path.IsAbs(out) {
		names = append([]string{out}, names...)
	}
	for _, name := range names {
		dir := filepath.Join(work, projectDir, name)
		real, err := filepath.EvalSymlinks(dir)
		if err != nil || real != dir || !strings.HasPrefix(dir, work+string(filepath.Separator)) {
			continue
		}
		if info, err := os.Lstat(filepath.Join(dir, "index.html")); err == nil && info.Mode().IsRegular() {
			return dir, true
		}
	}
	return "", false
}
