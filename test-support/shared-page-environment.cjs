require('./quicker-jsdom.cjs');
const { TestEnvironment } = require('jest-environment-jsdom');
const { ModuleMocker } = require('jest-mock');
const { endWhatLasts } = require('./of-one-file.cjs');
const { putsBack } = require('./puts-back.cjs');

const ADDRESS = 'http://localhost/';
/** What jest-circus keeps on the global object; it expects a new one for each file. */
const OF_JEST = ['EVENT_HANDLERS', 'RETRY_TIMES', 'TEST_TIMEOUT_SYMBOL'].map((name) => Symbol.for(name));

/** The one page of this process. */
let page;

/**
 * Test files of one process run one after the other in one page of jsdom, so that `shared-page-runtime` can load
 * packages once for all of them. Between two files the page is made what it was when it was new.
 */
module.exports = class SharedPageEnvironment {
  constructor(configs, context) {
    page ??= new Page(new TestEnvironment(configs, context));
    page.writeTo(context.console);
    const { LegacyFakeTimers, ModernFakeTimers } = page;
    const { projectConfig: config } = configs;
    const global = (this.global = page.dom.window);
    const moduleMocker = (this.moduleMocker = new ModuleMocker(global));
    const timerConfig = { idToRef: (id) => id, refToId: (ref) => ref };
    this.fakeTimers = new LegacyFakeTimers({ config, global, moduleMocker, timerConfig });
    this.fakeTimersModern = new ModernFakeTimers({ config, global });
  }

  async setup() {}

  async teardown() {
    this.fakeTimers.dispose();
    this.fakeTimersModern.dispose();
    await page.renew();
    endWhatLasts();
  }

  exportConditions() {
    return ['browser'];
  }

  getVmContext() {
    return page.dom.getInternalVMContext();
  }
};

class Page {
  constructor({ dom, errorEventListener, fakeTimers, fakeTimersModern }) {
    this.dom = dom;
    this.LegacyFakeTimers = fakeTimers.constructor;
    this.ModernFakeTimers = fakeTimersModern.constructor;
    const { window } = dom;
    const { document } = window;
    // Its own count of who else hears errors would go on from file to file.
    window.removeEventListener('error', errorEventListener);
    window.addEventListener('error', ({ error }) => {
      const othersHear = behind(window)._eventListeners.error.length > 1;
      if (error != null && !othersHear) process.emit('uncaughtException', error);
    });
    const { setTimeout, clearTimeout, requestAnimationFrame, cancelAnimationFrame } = window;
    this.timers = { setTimeout, clearTimeout, requestAnimationFrame, cancelAnimationFrame };
    this.lastTimers = [0, 0];
    this.targets = [window, document, document.documentElement, document.head, document.body].map(heardAt);
    this.objects = [...objectsOf(window)].map((object) => putsBack(object, namesOf));
  }

  writeTo(console) {
    this.dom.virtualConsole.removeAllListeners();
    this.dom.virtualConsole.sendTo(console, { omitJSDOMErrors: true });
    this.dom.virtualConsole.on('jsdomError', (error) => console.error(error));
  }

  async renew() {
    const { window, cookieJar } = this.dom;
    const { document, history, localStorage, sessionStorage } = window;
    await this.endTimers();
    for (const restore of [...this.objects, ...this.targets]) restore();
    document.getSelection().removeAllRanges();
    for (const element of [document.head, document.body]) element.replaceChildren();
    for (const element of [document.documentElement, document.head, document.body])
      for (const name of element.getAttributeNames()) element.removeAttribute(name);
    document.documentElement.replaceChildren(document.head, document.body);
    document.activeElement?.blur();
    for (const storage of [localStorage, sessionStorage]) storage.clear();
    cookieJar.removeAllCookiesSync();
    const past = window._sessionHistory;
    past.clearHistoryTraversalTasks();
    past._entries.splice(0, Infinity, past.currentEntry);
    past._currentIndex = 0;
    for (const key of OF_JEST) delete window[key];
    history.replaceState(null, '', ADDRESS);
  }

  /** What packages have begun, such as React's scheduler, which is of all files, ends first; what waits longer never comes. */
  async endTimers() {
    const { setTimeout, clearTimeout, requestAnimationFrame, cancelAnimationFrame } = this.timers;
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
    const last = [setTimeout(() => undefined, 0), requestAnimationFrame(() => undefined)];
    for (let id = this.lastTimers[0]; id <= last[0]; id++) clearTimeout(id);
    for (let id = this.lastTimers[1]; id <= last[1]; id++) cancelAnimationFrame(id);
    this.lastTimers = last;
  }
}

/** How jsdom itself sees an object of the page. */
function behind(object) {
  const node = object.document ?? object;
  return object[Object.getOwnPropertySymbols(node).find(({ description }) => description === 'impl')];
}

/** Puts back who listens to or observes an object of the page. */
function heardAt(target) {
  const impl = behind(target);
  const listeners = Object.entries(impl._eventListeners).map(([type, heard]) => [type, [...heard]]);
  const handling = impl._eventHandlers ? impl : target;
  const registered = [...handling._registeredHandlers];
  const handlers = { ...handling._eventHandlers };
  return () => {
    impl._eventListeners = Object.create(null);
    for (const [type, heard] of listeners) impl._eventListeners[type] = [...heard];
    handling._registeredHandlers = new Set(registered);
    handling._eventHandlers = Object.assign(Object.create(null), handlers);
    impl._registeredObserverList = [];
  };
}

/** The names of an object; those of a window's classes only what stands behind its global object tells. */
function namesOf(object) {
  const whole = object.window === object ? behind(object.document)._globalObject : object;
  return new Set([...Reflect.ownKeys(object), ...Reflect.ownKeys(whole)]);
}

/** The objects of a page on which code can leave something behind: what it names, and the prototypes of its classes. */
function objectsOf(window) {
  const { document, navigator, location, history, screen, performance, process } = window;
  const { documentElement, head, body } = document;
  const objects = new Set([window, document, documentElement, head, body, process.env]);
  for (const object of [navigator, location, history, screen, performance]) objects.add(object);
  for (const name of namesOf(window)) {
    const value = Reflect.getOwnPropertyDescriptor(window, name)?.value;
    if (name === 'Buffer' || Object(value) !== value) continue;
    objects.add(value);
    if (Object(value.prototype) === value.prototype) objects.add(value.prototype);
  }
  return objects;
}
