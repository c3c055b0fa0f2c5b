// Runs Tailwind CSS 3 and PostCSS of one dependency set, for one stylesheet after
// another. It gets a line of JSON on descriptor 3 and answers with one on 4.
// Nothing that a model wrote is run here: configurations come as data.
const net = require('node:net')
const readline = require('node:readline')
const { createRequire } = require('node:module')

const load = createRequire(process.argv[2])

// dataOf keeps what is data of a module; a function becomes a mark.
function dataOf(value) {
  return JSON.parse(JSON.stringify(value, (key, v) => (typeof v === 'function' ? { $code: true } : v)))
}

// revive turns the marks of a configuration into what they stand for.
function revive(value) {
  if (Array.isArray(value)) return value.map(revive)
  if (value === null || typeof value !== 'object') return value
  if (value.$regexp) return new RegExp(value.$regexp[0], value.$regexp[1])
  if (value.$call) {
    const [name, ...args] = value.$call
    const made = load(name)
    const plugin = made && made.__esModule ? made.default : made
    return args.length > 0 ? plugin(...args.map(revive)) : plugin
  }
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, revive(v)]))
}

async function answer(job) {
  if (job.modules) return { modules: Object.fromEntries(job.modules.map((name) => [name, dataOf(load(name))])) }
  const plugins = [load('tailwindcss')({ ...revive(job.config), content: job.content })]
  if (job.prefix) plugins.push(load('autoprefixer'))
  const made = await load('postcss')(plugins).process(job.css, { from: job.from })
  return { css: made.css }
}

// As sockets: a file stream would hold a thread in a read that keeps a process
// which crashes from ending.
const out = new net.Socket({ fd: 4, readable: false, writable: true })
const input = readline.createInterface({ input: new net.Socket({ fd: 3, readable: true, writable: false }), crlfDelay: Infinity })
let last = Promise.resolve()
input.on('line', (line) => {
  last = last.then(async () => {
    let reply
    try {
      reply = await answer(JSON.parse(line))
    } catch (e) {
      reply = { error: String((e && e.message) || e), reason: e && e.name === 'CssSyntaxError' ? 'css' : String((e && e.code) || ''), line: e && e.line }
    }
    out.write(JSON.stringify(reply) + '\n')
  })
})
input.on('close', () => last.then(() => process.exit(0)))
