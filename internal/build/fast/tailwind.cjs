// Runs Tailwind CSS 3 and PostCSS of one dependency set on one stylesheet. The job, a line of
// JSON on descriptor 3, is data throughout; the answer is a line on 4, and the process ends
// with it. packages, put before this, loads the packages that were bundled with it by name.
const fs = require('node:fs')
const { startupSnapshot } = require('node:v8')

const moduleOf = (name) => {
  const made = packages[name]()
  return made && made.__esModule && made.default ? made.default : made
}

// dataOf keeps what is data of a module; a function becomes a mark.
function dataOf(value) {
  return JSON.parse(JSON.stringify(value, (key, v) => (typeof v === 'function' ? { $code: true } : v)))
}

// plain turns the regular expressions of a configuration back into what they were.
function plain(value) {
  if (Array.isArray(value)) return value.map(plain)
  if (value === null || typeof value !== 'object') return value
  if (value.$regexp) return new RegExp(value.$regexp[0], value.$regexp[1])
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, plain(v)]))
}

// pluginOf is a plugin of a package that is known, with options that are data.
function pluginOf({ $call: [name, ...args] }) {
  const plugin = moduleOf(name)
  return args.length > 0 ? plugin(...args.map(plain)) : plugin
}

function style(job) {
  const config = { ...plain({ ...job.config, plugins: [] }), plugins: (job.config.plugins || []).map(pluginOf), content: job.content }
  const chain = [moduleOf('tailwindcss')(config)]
  if (job.prefix) chain.push(moduleOf('autoprefixer'))
  return moduleOf('postcss')(chain).process(job.css, { from: job.from })
}

async function answer(job) {
  if (job.modules) return { modules: Object.fromEntries(job.modules.map((name) => [name, dataOf(packages[name]())])) }
  return { css: (await style(job)).css }
}

async function serve() {
  let reply
  try {
    reply = await answer(JSON.parse(fs.readFileSync(3, 'utf8')))
  } catch (e) {
    reply = { error: String((e && e.message) || e), reason: e && e.name === 'CssSyntaxError' ? 'css' : '' }
  }
  fs.writeFileSync(4, JSON.stringify(reply) + '\n')
  process.exit(0)
}

// practice has the packages load and compile what most stylesheets need, before the process
// is kept as a snapshot. Its configuration is like no other, so that nothing of it is used
// again.
async function practice() {
  for (const name of Object.keys(packages)) {
    try {
      packages[name]()
    } catch {} // whoever asks for it sees why
  }
  const raw = `<div class="practice-flex practice-p-4 hover:practice-bg-red-500/50 md:practice-grid-cols-2 dark:practice-text-[13px] group-hover:practice-shadow-lg
    practice-space-y-4 -practice-mt-2 practice-from-blue-50 practice-ring-2 practice-animate-spin practice-border practice-rounded-full practice-transition">`
  await style({
    config: { prefix: 'practice-', darkMode: ['class'], theme: { extend: { colors: { practice: { 50: '#fff' } } } } }, prefix: true, from: '/practice.css', content: [{ raw, extension: 'html' }],
    css: '@tailwind base; @tailwind components; @tailwind utilities; @layer components { .a { @apply practice-flex md:practice-p-2; color: theme("colors.practice.50"); user-select: none } }',
  })
}

if (startupSnapshot && startupSnapshot.isBuildingSnapshot()) {
  startupSnapshot.setDeserializeMainFunction(serve)
  practice().catch((e) => {
    console.error(e)
    process.exit(1)
  })
} else serve()
