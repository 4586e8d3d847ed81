import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { TestEnvironment } from 'jest-environment-node';

const HOST = fileURLToPath(new URL('../../dist/test-support/host/product-host.js', import.meta.url));
/** Bytes above which the host is replaced between two test files. */
const MAX_RSS = 900 * 1024 ** 2;

/** The process of this worker that products run in: loading them anew for each test file takes most of its time. */
let host;
/** The browser of this worker, once a test has asked for it. */
let browser;

async function openedBrowser() {
  if (!(await browser)?.isConnected()) {
    const { openBrowser } = await import('../../dist/test-support/browser/browser.js');
    browser = openBrowser();
  }
  return browser;
}

class ProductHost {
  #calls = new Map();
  #lastId = 0;
  #child;
  hasEnded = false;

  constructor() {
    this.#child = fork(HOST, {
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#child.on('message', ({ id, result, error }) => {
      const { resolve, reject } = this.#calls.get(id);
      this.#calls.delete(id);
      if (this.#calls.size === 0) this.#child.channel?.unref();
      if (error) reject(Object.assign(new Error(error.message), error));
      else resolve(result);
    });
    this.#child.once('exit', (code, signal) => {
      this.hasEnded = true;
      for (const { reject } of this.#calls.values())
        reject(new Error(`The process of the product ended (${signal ?? code}).`));
    });
    // It ends when this worker does, which waits for answers alone.
    this.#child.unref();
    this.#child.channel.unref();
  }

  call(call, args) {
    return new Promise((resolve, reject) => {
      this.#lastId += 1;
      this.#child.channel?.ref();
      this.#calls.set(this.#lastId, { resolve, reject });
      this.#child.send({ id: this.#lastId, call, args }, (error) => error && reject(error));
    });
  }

  end() {
    this.#child.kill();
  }
}

/**
 * Node's environment with `callHost`, by which a test starts products and speaks to them (`product.ts`), `loadOnce`, which
 * loads what takes long for all test files of this worker (`built.ts`), and `workerBrowser`.
 */
export default class ProductEnvironment extends TestEnvironment {
  #windows = [];

  async setup() {
    await super.setup();
    this.global.loadOnce = (specifier) => import(specifier);
    this.global.callHost = (call, args) => {
      if (!host || host.hasEnded) host = new ProductHost();
      return host.call(call, args);
    };
    this.global.workerBrowser = async () => {
      const opened = await openedBrowser();
      opened.ref();
      return {
        window: async (options) => {
          const window = await opened.window(options);
          this.#windows.push(window);
          return window;
        },
        // It stays for the next file; its windows are closed after this one.
        close: async () => undefined,
      };
    };
  }

  async teardown() {
    await Promise.allSettled(this.#windows.map((window) => window.close()));
    (await browser?.catch(() => undefined))?.unref();
    if (host && !host.hasEnded && (await host.call('closeAll', [])) > MAX_RSS) {
      host.end();
      host = undefined;
    }
    await super.teardown();
  }
}
