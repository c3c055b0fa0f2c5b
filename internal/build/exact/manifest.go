package exact

import (
	"strings"

	"vitrine/internal/project"
)

// buildScript is the command that builds the project.
func buildScript(m *project.Package) ([]string, bool) {
	if strings.TrimSpace(m.Scripts["build"]) != "" {
		return []string{"npm", "run", "build"}, true
	}
	if _, ok := m.Uses["vite"]; ok {
		return []string{"node_modules/.bin/vite", "build"}, true
	}
	return nil, false
}
