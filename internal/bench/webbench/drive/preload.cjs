// Is loaded first into each process of a project.
require('./scale.cjs')
require('./copies.cjs')
if (JSON.parse(require('fs').readFileSync('/build/drive/plan.json', 'utf8')).installsOwn) require('./outside.cjs')
