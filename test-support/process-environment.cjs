const { ModuleMocker } = require('jest-mock');
const { endWhatLasts } = require('./of-one-file.cjs');

/** What jest-circus keeps on the global object; it expects a new one for each file. */
const OF_JEST = ['EVENT_HANDLERS', 'RETRY_TIMES', 'TEST_TIMEOUT_SYMBOL'].map((name) => Symbol.for(name));

/**
 * Classes that packages add to the global object for older engines, as pdf.js does. They are there for the files that run
 * like this alone: jsdom takes the names that it finds in the process for those that every context has.
 */
const added = new Map();
const given = new Set(Reflect.ownKeys(globalThis));

function takeAdded() {
  for (const key of Reflect.ownKeys(globalThis)) {
    const property = Reflect.getOwnPropertyDescriptor(globalThis, key);
    if (given.has(key) || typeof key !== 'string' || !/^(?:[A-Z]|__core-js)/.test(key)) continue;
    if (property?.configurable && Reflect.deleteProperty(globalThis, key)) added.set(key, property);
  }
}

/**
 * Test files run in the process itself, as the product does, instead of a `vm` context of their own: what packages
 * give is of the classes that the code under test knows, so `package-sharing-runtime` can load them once for all files.
 */
module.exports = class ProcessEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern = null;
  before = { console: globalThis.console, env: { ...process.env }, exit: process.exit };

  async setup() {
    // Jest has made it 100: reading so much of a stack for each refusal is dear. Node's own is 10.
    Error.stackTraceLimit = 10;
    for (const [key, property] of added) Reflect.defineProperty(globalThis, key, property);
  }

  async teardown() {
    const { console, env, exit } = this.before;
    globalThis.console = console;
    process.exit = exit;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    for (const key of OF_JEST) delete globalThis[key];
    takeAdded();
    endWhatLasts();
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
};
