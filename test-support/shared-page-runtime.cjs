const { default: Runtime } = require('jest-runtime');

/** Of this process, by path: what the files that share a page (see `shared-page-environment`) load once. */
const packages = {
  esModuleRegistry: new Map(),
  moduleRegistry: new Map(),
  internalModuleRegistry: new Map(),
};
/**
 * What belongs to one test file: jest-circus's tests, hooks and results, the hooks by which Testing Library clears up,
 * and the toasts on the screen.
 */
const OF_ONE_FILE = /jestAdapterInit\.js|\/node_modules\/(?:@testing-library\/react|react-toastify)\//;

let ofThisFile;

/** Modules by path, packages among them with those of the process. */
class Modules extends Map {
  constructor(shared) {
    super();
    this.shared = shared;
  }
  isShared(path) {
    return path.includes('/node_modules/') && !OF_ONE_FILE.test(path);
  }
  get(path) {
    return this.isShared(path) ? this.shared.get(path) : super.get(path);
  }
  has(path) {
    return this.isShared(path) ? this.shared.has(path) : super.has(path);
  }
  set(path, module) {
    if (!this.isShared(path)) return super.set(path, module);
    this.shared.set(path, module);
    return this;
  }
  delete(path) {
    return this.isShared(path) ? this.shared.delete(path) : super.delete(path);
  }
}

/**
 * Loads the project's own modules anew for each test file, as jest does, but packages once in a process: loading
 * React, its router and the others took longer than most of the tests. Needs `shared-page-environment`.
 */
class SharedPageRuntime extends Runtime {
  constructor(...options) {
    super(...options);
    ofThisFile = this;
    for (const [name, shared] of Object.entries(packages)) this.registries[name] = new Modules(shared);
  }

  /** A package that requires another late, as React does, may have been loaded for a file that is over. */
  requireModuleOrMock(from, name) {
    const late = ofThisFile !== this && from.includes('/node_modules/');
    return late ? ofThisFile.requireModuleOrMock(from, name) : super.requireModuleOrMock(from, name);
  }
}

exports.__esModule = true;
exports.default = SharedPageRuntime;
