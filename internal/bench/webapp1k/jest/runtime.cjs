// What a component may load: the packages that it is written with and that its tests load,
// and no module of Node.js, through which it would reach the files and the process.
const Runtime = require('jest-runtime').default;
const path = require('path');

const packages = /^(react|react-dom|react-router-dom|fetch-mock|whatwg-fetch|@testing-library\/(react|dom|jest-dom))(\/[\w./-]+)?$/;
const beside = /^\.\/[\w.-]+$/;

// bound are the component and its tests, whose module a component can find by its own.
const bound = (from) => !from.includes(`${path.sep}node_modules${path.sep}`);

module.exports = class extends Runtime {
  requireModuleOrMock(from, name) {
    if (bound(from) && (String(name).includes('..') || !packages.test(name) && !beside.test(name))) {
      throw new Error(`a component cannot load ${name} here`);
    }
    return super.requireModuleOrMock(from, name);
  }

  _createRequireImplementation(from, options) {
    if (!bound(from.filename) || options?.isInternalModule) return super._createRequireImplementation(from, options);
    return (name) => this.requireModuleOrMock(from.filename, name);
  }

  _createJestObjectFor(from) {
    return bound(from) && !from.endsWith('.test.js') ? Object.freeze({}) : super._createJestObjectFor(from);
  }
};
