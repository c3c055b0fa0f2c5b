// Counts the tests of each spec and keeps their first error. A test that was skipped, was
// interrupted or did not run has not passed.
const fs = require('fs'), path = require('path')
const short = (e) => String(e?.message ?? e?.value ?? '').replace(/\x1b\[[0-9;]*m/g, '').slice(0, 1500)

module.exports = class {
  specs = {}
  message = ''
  server = '' // the end of what the server writes to its standard error
  onBegin(_config, suite) { this.suite = suite }
  onStdErr(chunk) { if (/\[WebServer\]/.test(String(chunk))) this.server = (this.server + chunk).slice(-2000) }
  onError(e) { this.message ||= short(e) }
  onEnd({ status }) {
    if (/config\.webServer/.test(this.message)) this.message += '\n' + this.server.replace(/\x1b\[[0-9;]*m/g, '').trim()
    if (status === 'interrupted' || status === 'timedout') this.message ||= `the tests were ${status}`
    for (const test of this.suite?.allTests() ?? []) {
      const name = path.basename(test.location.file).replace(/\.spec\.\w+$/, '')
      const spec = (this.specs[name] ??= { passed: 0, total: 0, message: '' })
      spec.total++
      if (['expected', 'flaky'].includes(test.outcome())) spec.passed++
      else spec.message ||= `${test.title}: ${short(test.results.at(-1)?.error) || 'it was not run to its end'}`
    }
    fs.writeSync(3, JSON.stringify({ specs: this.specs, message: this.message }))
  }
  printsToStdio() { return true }
}
