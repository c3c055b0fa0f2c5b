// Looks at a project as the evaluation code of papers does: npm install, a
// development server, and a driven browser that visits each route.
//
//   node project.mjs selenium|playwright PAUSE BROWSER WIDTH HEIGHT FOLDER ROUTE...
//
// PAUSE is slept before and after each screenshot, in milliseconds: 0, or 800 as in the
// published code of WebGen-R1. FOLDER is a copy of the project that may be written. The
// npm cache is the one in npm_config_cache.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'

const [driver, pause, browserPath, width, height, folder, ...routes] = process.argv.slice(2)
const tell = (event) => process.stdout.write(JSON.stringify(event) + '\n')

async function run(command, args) {
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}: exit code ${code}`)
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

const sleep = (ms) => new Promise((done) => setTimeout(done, ms))

async function untilAnswers(url) {
  for (let tries = 0; tries < 600; tries++) {
    const answer = await fetch(url).catch(() => null)
    if (answer?.ok) return
    await sleep(100)
  }
  throw new Error('the development server does not answer')
}

async function selenium() {
  const { Builder } = await import('selenium-webdriver')
  const chrome = await import('selenium-webdriver/chrome.js')
  const options = new chrome.Options()
  options.setChromeBinaryPath(browserPath)
  options.addArguments('--headless', '--no-sandbox', '--disable-gpu', `--window-size=${width},${height}`)
  const session = await new Builder().forBrowser('chrome').setChromeOptions(options)
    .setChromeService(new chrome.ServiceBuilder('/usr/bin/chromedriver')).build()
  return {
    visit: async (url) => {
      await session.get(url)
      await session.wait(() => session.executeScript('return document.readyState === "complete" && document.querySelector("#root, #app, main") !== null'), 30_000)
    },
    shoot: () => session.takeScreenshot(),
    close: () => session.quit(),
  }
}

async function playwright() {
  const { chromium } = await import('playwright-core')
  const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox', '--disable-gpu'] })
  const page = await browser.newPage({ viewport: { width: Number(width), height: Number(height) } })
  return {
    visit: (url) => page.goto(url, { waitUntil: 'networkidle' }),
    shoot: () => page.screenshot({ fullPage: true }),
    close: () => browser.close(),
  }
}

async function lookAt(port) {
  const base = `http://127.0.0.1:${port}`
  await untilAnswers(base)
  tell({ step: 'server' })
  const session = await (driver === 'selenium' ? selenium() : playwright())
  try {
    for (const route of routes) {
      await session.visit(base + route)
      await sleep(Number(pause))
      await session.shoot()
      await sleep(Number(pause))
    }
  } finally {
    await session.close()
  }
}

tell({ event: 'ready' })
const start = performance.now()
await run('npm', ['install', '--no-audit', '--no-fund'])
tell({ step: 'install', ms: performance.now() - start })
const port = await freePort()
const server = spawn('npm', ['run', 'dev', '--', '--port', String(port), '--host', '127.0.0.1', '--strictPort'], { cwd: folder, stdio: 'ignore', detached: true })
try {
  await lookAt(port)
  tell({ id: 'project', ms: performance.now() - start, ok: true })
} catch (error) {
  tell({ id: 'project', ms: performance.now() - start, ok: false, error: String(error).split('\n')[0] })
} finally {
  process.kill(-server.pid)
  await once(server, 'exit')
}
tell({ event: 'done' })
