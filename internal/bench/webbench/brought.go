package webbench

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/sandbox"
)

// broughtDir is where a person puts what no registry has, in the cache folder.
const broughtDir = "bench/web-bench-brought"

// insideBrought is where the sandbox has it.
const insideBrought = "/build/brought"

// A thing is a file that some projects need and that only a person can bring.
type thing struct {
	file, what string
	projects   []string
	env        string // that names it
	// at is where the sandbox has it; empty: in insideBrought by its name.
	at func(node string) string
}

// things are what the packages of these projects fetch or compile when they are installed,
// which no install script does here.
var things = []thing{
	{
		file: "node_sqlite3.node", what: "sqlite3 5.1.7 compiled for this Node.js (its build/Release/node_sqlite3.node after npm install sqlite3@5.1.7)",
		projects: []string{"expressjs", "fastify", "fastify-react", "nextjs", "nuxt", "sequelize"},
		// where its package looks, from its own folder and from its copy in what nuxt builds
		at: func(node string) string {
			return "/build/compiled/" + strings.TrimPrefix(node, "v") + "/linux/x64/node_sqlite3.node"
		},
		env: "NODE_BINDINGS_COMPILED_DIR=" + strings.Repeat("../", 16) + "build/compiled",
	},
	{file: "mongod", what: "mongod 7.0.14 of MongoDB", projects: []string{"nosql"}, env: "MONGOMS_SYSTEM_BINARY=" + insideBrought + "/mongod"},
	{
		file: "query_engine.so.node", what: "Prisma's query engine of commit f676762280b5", projects: []string{"prisma"},
		env: "PRISMA_QUERY_ENGINE_LIBRARY=" + insideBrought + "/query_engine.so.node",
	},
	{
		file: "schema-engine", what: "Prisma's schema engine of commit f676762280b5", projects: []string{"prisma"},
		env: "PRISMA_SCHEMA_ENGINE_BINARY=" + insideBrought + "/schema-engine",
	},
}

// pngquant is run by reference solutions of projects whose packages the model chooses, see
// drive/outside.cjs.
const pngquant = "/usr/bin/pngquant"

// bring shows a project what it needs of a folder. The fault names what is not there.
func bring(dir, name, node string) (binds []sandbox.Bind, env []string, err error) {
	if slices.Contains(installing, name) {
		if _, err := os.Stat(pngquant); err != nil {
			return nil, nil, vitrine.NewFault("build", vitrine.FaultUnsupportedKind, err, name+" needs "+pngquant+", which its packages would fetch when they are installed").
				WithFix("apt-get install pngquant")
		}
	}
	for _, t := range things {
		if !slices.Contains(t.projects, name) {
			continue
		}
		host := filepath.Join(dir, t.file)
		if _, err := os.Stat(host); err != nil {
			return nil, nil, vitrine.NewFault("build", vitrine.FaultUnsupportedKind, err, fmt.Sprintf("%s needs %s, which the npm registry does not have", name, t.what)).
				WithFix("put it at " + host)
		}
		at := insideBrought + "/" + t.file
		if t.at != nil {
			at = t.at(node)
		}
		binds, env = append(binds, sandbox.Bind{Host: host, Inside: at}), append(env, t.env)
	}
	return binds, env, nil
}
