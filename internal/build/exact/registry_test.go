package exact

import "vitrine/internal/npm/npmtest"

type object = map[string]any

// packages are made up for the tests of this package.
var packages = npmtest.Packages{
	"tiny": {"1.0.0": {}, "1.1.0": {}, "2.0.0": {}, "3.0.0": {Published: "2099-01-01T00:00:00.000Z"}},
	"once": {"1.1.0": {}}, "single": {"1.0.0": {}}, // each for one test that counts
	// Installing it leaves a mark, if its scripts may run.
	"naughty": {"1.0.0": {Manifest: object{"scripts": object{
		"preinstall": "touch before", "install": "touch during", "postinstall": "touch after",
	}}}},
	"wants-old-tiny": {"1.0.0": {Manifest: object{"peerDependencies": object{"tiny": "^1.0.0"}}}},
	"unhashed":       {"1.0.0": {Unhashed: true}},
	"vite": {"5.0.0": {
		Manifest: object{"bin": object{"vite": "bin.js"}},
		Files: map[string]string{
			"bin.js":   "#!/usr/bin/env node\nconst fs = require('fs'); fs.mkdirSync('dist'); fs.writeFileSync('dist/index.html', 'vite ' + process.argv[2])\n",
			"index.js": littleVite,
		},
	}},
}

// littleVite has one plugin resolve and load what modules.txt names. A module with "bad" in
// it cannot be made. The page is what the modules are.
const littleVite = `
const fs = require('fs'), path = require('path')
exports.build = async ({ root, plugins: [plugin] }) => {
  const host = { resolve: async (name) => fs.existsSync(path.join(root, name)) ? { id: path.join(root, name) } : null }
  const page = []
  for (const line of fs.readFileSync('modules.txt', 'utf8').trim().split('\n')) {
    const [importer, name] = line.split(' ')
    const id = (await plugin.resolveId.call(host, name, path.join(root, importer), {})) ?? name
    const loaded = plugin.load(id.id ?? id)
    const code = loaded === null ? fs.readFileSync(id.id, 'utf8') : loaded.code ?? loaded
    if (/^bad/.test(code)) throw Object.assign(new Error('Transform failed with 1 error:\n' + id.id + ': ' + code), { id: id.id })
    page.push(name + ': ' + code.split(';')[0].trim())
  }
  fs.mkdirSync('dist', { recursive: true })
  fs.writeFileSync('dist/index.html', page.join('\n'))
}
`
