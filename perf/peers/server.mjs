// Answers POST /v1/score as reward servers of papers do: a fresh browser and three
// full-page frames, a second apart, for each output. No judge is asked: the reward is 1
// for a page that could be photographed, as if a model had answered at once.
//
//   node server.mjs BROWSER WIDTH HEIGHT AT_ONCE PORT
import { createServer } from 'node:http'
import { chromium } from 'playwright-core'
import { look } from './look.mjs'

const [executablePath, width, height, atOnce, port] = process.argv.slice(2)
const viewport = { width: Number(width), height: Number(height) }
const waiting = []
let free = Number(atOnce)

async function inTurn(work) {
  if (free > 0) free--
  else await new Promise((resolve) => waiting.push(resolve))
  try {
    return await work()
  } finally {
    if (waiting.length > 0) waiting.shift()()
    else free++
  }
}

async function score({ output }) {
  const html = /```html\n(.*)```/s.exec(output)?.[1] ?? output
  const browser = await chromium.launch({ executablePath, headless: true, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const context = await browser.newContext({ viewport })
    return await look(context, 'data:text/html;base64,' + Buffer.from(html).toString('base64')) > 0 ? 1 : 0
  } catch {
    return 0
  } finally {
    await browser.close()
  }
}

createServer(async (request, response) => {
  let body = ''
  for await (const part of request) body += part
  const results = await Promise.all(JSON.parse(body).items.map((item) => inTurn(async () => ({ reward: await score(item) }))))
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ results }))
}).listen(Number(port), '127.0.0.1')
