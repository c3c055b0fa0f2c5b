// A page, as jsdom makes it, without the process that jest runs in.
const JSDOM = require('jest-environment-jsdom').TestEnvironment;

// What jsdom shows to a page are functions of our own realm. Their constructor would make
// code that runs in it.
function refuse() {
  throw new EvalError('no code is made from text here');
}
for (const f of [function () {}, async function () {}, function* () {}, async function* () {}]) {
  Object.defineProperty(Object.getPrototypeOf(f), 'constructor', {value: refuse, writable: false, configurable: false});
}

module.exports = class extends JSDOM {
  constructor(config, context) {
    super(config, context);
    // what libraries look at, and no more; jest itself holds the real one
    this.global.process = this.global.eval(`({
      env: {NODE_ENV: 'test'}, argv: [], version: 'v18.0.0', versions: {}, stdout: {isTTY: false}, stderr: {isTTY: false},
      chdir() {}, listeners: () => [], platform: 'linux', cwd: () => '/', on() {}, emitWarning() {},
      nextTick: (f, ...a) => queueMicrotask(() => f(...a)), exit() { throw new Error('there is no process here'); },
    })`);
  }

  // jest keeps the process in a state that a page can find, to take back its handlers of
  // errors. This process ends with the test, and needs none of that.
  handleTestEvent(event, state) {
    if (event.name === 'setup') state.parentProcess = {on() {}, removeListener() {}};
  }
};
