// Looks at pages as reward servers do: three full-page frames, a second apart.
//
//   node pages.mjs fresh|shared BROWSER WIDTH HEIGHT PAGES.json
//
// fresh starts a browser for each page; shared keeps one and has four contexts open
// at once. PAGES.json is a list of {id, file}. Each event is a line of JSON.
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { look } from './look.mjs'

const [mode, executablePath, width, height, list] = process.argv.slice(2)
const pages = JSON.parse(readFileSync(list, 'utf8'))
const viewport = { width: Number(width), height: Number(height) }
const tell = (event) => process.stdout.write(JSON.stringify(event) + '\n')
const launch = () => chromium.launch({ executablePath, headless: true, args: ['--no-sandbox', '--disable-gpu'] })

async function timed(id, work) {
  const start = performance.now()
  try {
    const bytes = await work()
    tell({ id, ms: performance.now() - start, ok: true, bytes })
  } catch (error) {
    tell({ id, ms: performance.now() - start, ok: false, error: String(error).split('\n')[0] })
  }
}

async function fresh() {
  for (const { id, file } of pages) {
    await timed(id, async () => {
      const browser = await launch()
      try {
        return await look(await browser.newContext({ viewport }), pathToFileURL(file).href)
      } finally {
        await browser.close()
      }
    })
  }
}

async function inContext(browser, file) {
  const context = await browser.newContext({ viewport })
  try {
    return await look(context, pathToFileURL(file).href)
  } finally {
    await context.close()
  }
}

async function shared(browser) {
  const waiting = [...pages]
  await Promise.all([1, 2, 3, 4].map(async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      await timed(next.id, () => inContext(browser, next.file))
    }
  }))
}

const warm = await launch()
await inContext(warm, pages[0].file) // everything is loaded once before it counts
if (mode === 'fresh') await warm.close()
tell({ event: 'ready' })
await (mode === 'fresh' ? fresh() : shared(warm))
tell({ event: 'done' })
await warm.close()
