// Gives tests, their actions and their expectations more time, also where a spec names a limit:
// loaded first into each process, it changes the two places of Playwright's workers that
// limits go through. Pauses of a test are as long as they are.
const { factor } = JSON.parse(require('fs').readFileSync('/build/drive/plan.json', 'utf8'))

if (factor !== 1 && process.argv[1]?.endsWith('/playwright/lib/common/process.js')) {
  const modules = '/build/project/node_modules'
  const wrap = (file, name, member, change) => {
    const type = require(modules + file)[name].prototype, given = type[member]
    type[member] = function (...args) { return given.apply(this, change(args)) }
  }
  wrap('/playwright-core/lib/client/connection.js', 'Connection', 'sendMessageToServer', ([object, method, params, options]) =>
    [object, method, params?.timeout > 0 ? { ...params, timeout: params.timeout * factor } : params, options])
  wrap('/playwright/lib/worker/timeoutManager.js', 'TimeoutManager', 'setTimeout', ([ms]) => [ms * factor])
}
