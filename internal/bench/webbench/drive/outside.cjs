// Stands in for postman-echo.com, to which servers of some projects forward requests: run by
// itself it answers what it was asked, as JSON; loaded first into a process it takes there
// what is for that host. And has this machine's pngquant run where a package would have
// fetched its own when it was installed.
const children = require('child_process'), http = require('http'), https = require('https'), { URL } = require('url')
const port = 39999 // of a network of its own
const plain = { request: http.request, get: http.get }

if (require.main === module) {
  http.createServer((request, response) => {
    const url = new URL(request.url, 'https://postman-echo.com')
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ args: Object.fromEntries(url.searchParams), headers: request.headers, url: url.href }))
  }).listen(port, '127.0.0.1')
} else {
  for (const module of [http, https]) {
    for (const name of ['request', 'get']) {
      const given = module[name]
      module[name] = (...args) => {
        const rest = [...args]
        const url = typeof rest[0] === 'string' || rest[0] instanceof URL ? new URL(rest.shift()) : null
        const options = { ...(url && { hostname: url.hostname, path: url.pathname + url.search }), ...(typeof rest[0] === 'object' ? rest.shift() : {}) }
        if (!/^postman-echo\.com(:\d+)?$/.test(options.hostname ?? options.host)) return given(...args)
        return plain[name]({ ...options, protocol: 'http:', host: '127.0.0.1', hostname: '127.0.0.1', port, agent: undefined }, ...rest)
      }
    }
  }
  const fetched = globalThis.fetch
  globalThis.fetch = async (input, ...rest) => {
    const url = new URL(input.url ?? input, 'file:///')
    return url.hostname === 'postman-echo.com' ? fetched(`http://127.0.0.1:${port}${url.pathname}${url.search}`, ...rest) : fetched(input, ...rest)
  }
  for (const name of ['spawn', 'spawnSync', 'execFile', 'execFileSync']) {
    const given = children[name]
    children[name] = (file, ...rest) => given(/\/pngquant-bin\/vendor\/pngquant$/.test(file) ? '/usr/bin/pngquant' : file, ...rest)
    Object.defineProperties(children[name], Object.getOwnPropertyDescriptors(given)) // promisify looks there
  }
  require('module').syncBuiltinESMExports()
}
