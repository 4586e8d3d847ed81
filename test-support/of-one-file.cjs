const { AsyncLocalStorage } = require('node:async_hooks');
const hooks = require('node:perf_hooks');

/** Ends what a test file began that would last as long as its process. */
const ends = new Set();

/**
 * Node hands on every storage that was ever entered with every promise that is made, until it is disabled. Each file brings
 * two, its own of jest-circus and the product's: by the last files, half of the time went into that.
 */
for (const name of ['run', 'enterWith']) {
  const enter = AsyncLocalStorage.prototype[name];
  AsyncLocalStorage.prototype[name] = function (...args) {
    if (!this.enabled) ends.add(() => this.disable());
    return enter.apply(this, args);
  };
}

/** The metrics of each product: ten looks at the clock in a second, and a call at each collection of garbage. */
const { observe } = hooks.PerformanceObserver.prototype;
hooks.PerformanceObserver.prototype.observe = function (...args) {
  ends.add(() => this.disconnect());
  return observe.apply(this, args);
};
const { monitorEventLoopDelay } = hooks;
hooks.monitorEventLoopDelay = (...args) => {
  const histogram = monitorEventLoopDelay(...args);
  ends.add(() => histogram.disable());
  return histogram;
};

/** After a test file: puts the process back. */
exports.endWhatLasts = () => {
  for (const end of ends) end();
  ends.clear();
};
