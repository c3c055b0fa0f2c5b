// Evaluates one configuration file: a program that comes as a line of JSON on descriptor 3.
// The answer, a line of JSON on descriptor 4, is a text that the program made or what it
// threw. The process has nothing, serves one file and ends; what the program does to it is
// of no use to it.
const fs = require('node:fs')
const vm = require('node:vm')

const { program } = JSON.parse(fs.readFileSync(3, 'utf8'))
let answer
try {
  // The realm has nothing of Node.js, and no way to make code out of a text.
  const realm = vm.createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } })
  const made = vm.runInContext(program, realm)
  answer = typeof made === 'string' ? { data: made } : { error: 'it exports nothing' }
} catch (e) {
  let message = 'it fails'
  try {
    message = String((e && e.message) || e)
  } catch {}
  answer = { error: message.slice(0, 1000) }
}
fs.writeFileSync(4, JSON.stringify(answer) + '\n')
process.exit(0)
