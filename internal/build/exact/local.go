package exact

import (
	"errors"
	"os"
	"path"
	"strings"

	"vitrine/internal/npm"
)

// shadowed is a local dependency that the installed set would hide: Node.js looks there first.
func shadowed(local map[string]string, tree *npm.Tree) string {
	for _, p := range tree.Packages {
		if name, ok := strings.CutPrefix(p.Path, "node_modules/"); ok && local[name] != "" {
			return name
		}
	}
	return ""
}

// linkLocal links the dependencies that lie in the project. They stand in the folder around
// it, where Node.js looks next: the installed set never changes and is shown as it is.
func linkLocal(work string, local map[string]string) error {
	root, err := os.OpenRoot(work)
	if err != nil {
		return err
	}
	defer root.Close()
	for name, folder := range local {
		link := path.Join("node_modules", name)
		up := strings.Repeat("../", strings.Count(link, "/"))
		if err := errors.Join(root.MkdirAll(path.Dir(link), 0o755), root.Symlink(up+path.Join(projectDir, folder), link)); err != nil {
			return err
		}
	}
	return nil
}
