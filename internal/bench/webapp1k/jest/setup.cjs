// What a component is loaded into must not let it pass by putting other words in the place
// of jest's own.
for (const name of ['expect', 'test', 'it', 'describe', 'beforeEach', 'afterEach', 'beforeAll', 'afterAll']) {
  const value = globalThis[name];
  Object.defineProperty(globalThis, name, {get: () => value, set: () => {}, configurable: false});
}
