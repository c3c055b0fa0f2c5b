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
		Files:    map[string]string{"bin.js": "#!/usr/bin/env node\nconst fs = require('fs'); fs.mkdirSync('dist'); fs.writeFileSync('dist/index.html', 'vite ' + process.argv[2])\n"},
	}},
}
