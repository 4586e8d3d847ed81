const { ModuleMocker } = require('jest-mock');

/** What jest-circus keeps on the global object; it expects a new one for each file. */
const OF_JEST = ['EVENT_HANDLERS', 'RETRY_TIMES', 'TEST_TIMEOUT_SYMBOL'].map((name) => Symbol.for(name));

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

  async setup() {}

  async teardown() {
    const { console, env, exit } = this.before;
    globalThis.console = console;
    process.exit = exit;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    for (const key of OF_JEST) delete globalThis[key];
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
};
