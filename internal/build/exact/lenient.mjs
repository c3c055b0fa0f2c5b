// Builds a project with its own Vite as a development server shows it: a module that cannot
// be found or made is replaced by one that throws when it is imported.
import { createHash } from 'node:crypto'
import path from 'node:path'
import * as vite from 'vite'

const most = 50 // modules that are replaced
const root = process.cwd()
const throws = '\0vitrine-throws:', nothing = '\0vitrine-nothing'
const broken = new Map() // module, or import → what it throws
const said = new Map() // hash → message: names of chunks are made of names of modules

const file = (id) => id.split('?')[0]
const isPage = (id) => file(id).endsWith('.html')

const words = (error) => String(error?.message ?? error).replace(/\x1b\[[0-9;]*m/g, '')

// at is the module that an error is of. Some of Vite 8 name it in their words alone.
const at = (error) => path.resolve(root, file(error.id ?? error.loc?.file ?? /\[ (.+?):\d+:\d+ \]/.exec(words(error))?.[1] ?? ''))

function hashOf(message) {
  const hash = createHash('sha256').update(message).digest('hex').slice(0, 8)
  said.set(hash, message)
  return hash
}

function reason(error) {
  const [first, second = ''] = words(error).split('\n')
  const replaced = /vitrine-throws:([0-9a-f]{8})/.exec(first) // Vite 8 misses names in it
  if (replaced) return said.get(replaced[1])
  return (first.endsWith(':') ? `${first} ${second}` : first).replaceAll(root + '/', '')
}

const lenient = {
  name: 'vitrine-lenient',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    if (!importer || importer.startsWith('\0') || source.startsWith('\0') || importer.includes('/node_modules/')) return null
    const found = await this.resolve(source, importer, { ...options, skipSelf: true })
    if (found && !broken.has(file(found.id))) return found
    const message = found ? broken.get(file(found.id)) : `Failed to resolve import "${source}" from "${path.relative(root, file(importer))}". Does the file exist?`
    broken.set(found ? file(found.id) : `${file(importer)} → ${source}`, message)
    // A browser goes on where a style sheet or a picture of the page itself is missing.
    return isPage(importer) && !/\.([cm]?[jt]sx?|vue|svelte)$/.test(file(source)) ? nothing : throws + hashOf(message)
  },
  load(id) {
    if (id === nothing) return ''
    if (!id.startsWith(throws)) return null
    // Every name that is imported is there: it is the import that fails.
    return {
      code: `throw new Error(${JSON.stringify(said.get(id.slice(throws.length)))}); export const names = {}; export default undefined`,
      syntheticNamedExports: 'names', moduleSideEffects: 'no-treeshake', map: { mappings: '' },
    }
  },
}

for (let done = false; !done;) {
  try {
    await (vite.build ?? vite.default.build)({ root, plugins: [lenient] })
    done = true
  } catch (error) {
    const before = broken.size
    for (const one of [...Array.isArray(error.errors) ? error.errors : [], error]) { // Vite 8 tells several
      const module = at(one)
      if (module.startsWith(root + '/') && !module.includes('/node_modules/') && !isPage(module) && !broken.has(module)) broken.set(module, reason(one))
    }
    if (broken.size === before || broken.size > most) throw error
  }
}
for (const message of [...new Set(broken.values())].sort()) console.log('replaced: ' + message)
