// Does ten steps on a page with the waits that WebVoyager's agent has in its code,
// without its model: 5 s after loading, 3 s after a click and 10 s more after one on
// a button, 1 + 2 + 10 s around typing.
//
//   node voyager.mjs BROWSER WIDTH HEIGHT PAGE.html STEPS.json
//
// STEPS.json is a list of {do: click|type|select, name, text}. It prints how long
// that took as a line of JSON.
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'

const [executablePath, width, height, file, list] = process.argv.slice(2)
const steps = JSON.parse(readFileSync(list, 'utf8'))
const browser = await chromium.launch({ executablePath, headless: true, args: ['--no-sandbox', '--disable-gpu'] })
const page = await (await browser.newContext({ viewport: { width: Number(width), height: Number(height) } })).newPage()
const start = performance.now()
await page.goto(pathToFileURL(file).href, { waitUntil: 'load' })
await page.waitForTimeout(5000)
for (const { do: action, name, text } of steps) {
  await page.screenshot()
  if (action === 'click') {
    await page.getByRole('button', { name, exact: true }).click()
    await page.waitForTimeout(13_000)
  } else if (action === 'type') {
    await page.getByLabel(name).fill(text)
    await page.waitForTimeout(13_000)
  } else {
    await page.locator(`label:has-text("${name}") select`).selectOption(text)
    await page.waitForTimeout(3000)
  }
}
process.stdout.write(JSON.stringify({ ms: performance.now() - start }) + '\n')
await browser.close()
