// Prepares a project, builds it and runs specs on it, as plan.json says, and prints what
// came of it after a word that nobody else knows: the file that holds it is gone before
// anything of a model runs.
const fs = require('fs'), { spawn, spawnSync } = require('child_process')
const plan = JSON.parse(fs.readFileSync('/build/drive/plan.json', 'utf8'))
const word = fs.readFileSync('/build/word', 'utf8')
fs.unlinkSync('/build/word')

const end = (result) => { fs.writeSync(1, `\n${word} ${JSON.stringify(result)}\n`); process.exit(0) }
const short = (text) => String(text ?? '').replace(/\x1b\[[0-9;]*m/g, '').trim().slice(0, 4000)

const modules = '/build/project/node_modules'
fs.mkdirSync('/build/project/src', { recursive: true }) // an answer may have no file
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --require /build/drive/preload.cjs` // a single file: Next.js joins the names of several
const run = (script, name, cwd) => {
  const r = spawnSync('npm', ['run', name], { cwd, encoding: 'utf8', maxBuffer: 64 << 20 })
  if (r.status !== 0) end({ script, message: short(r.stderr || r.stdout || r.error) })
}
for (const script of plan.scripts) run(script, script, '/build/project')
if (plan.installsOwn) { // its packages are installed
  spawn('node', ['/build/drive/outside.cjs'], { stdio: 'ignore', env: { PATH: process.env.PATH } })
  run('init', 'build', '/build/project/src')
}

// Playwright's result comes through a pipe that what it starts does not inherit. A run that
// lost its connection is run again; as published also one whose server did not come up,
// which there may lack a free port. Specs run the commands of packages, such as tsc, as npm has them.
const again = plan.factor === 1 ? /config\.webServer|net::ERR_ABORTED/ : /net::ERR_ABORTED/
let result
for (let i = 0; i < 3; i++) {
  const args = [modules + '/@playwright/test/cli.js', 'test', ...plan.specs, '--config=scaled.config.mjs', '--reporter=/build/drive/reporter.cjs', '--workers=1', `--max-failures=${plan.failures}`]
  const env = { ...process.env, PATH: `${modules}/.bin:${process.env.PATH}` }
  const r = spawnSync('node', args, { stdio: ['ignore', 'pipe', 'pipe', 'pipe'], encoding: 'utf8', maxBuffer: 64 << 20, env })
  try {
    result = JSON.parse(r.output[3])
  } catch {
    result = { specs: {}, message: short(`the tests ended without a result, exit code ${r.status}: ${r.stderr || r.stdout}`) }
  }
  if (!again.test(JSON.stringify(result))) break
}
end(result)
