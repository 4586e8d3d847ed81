const { putsBack } = require('./puts-back.cjs');

/**
 * Remembers what a module exports: the properties of its functions, its classes and their instances, its lists and plain
 * objects. Gives what puts them back, where a test file has put something of its own in their place.
 */
exports.asLoaded = (namespace) => {
  const objects = new Set();
  for (const value of Object.values(namespace)) {
    if (typeof value === 'function') objects.add(value).add(value.prototype ?? value);
    else if (Array.isArray(value) || isPlain(value)) objects.add(value);
  }
  const restores = [...objects].map((object) => putsBack(object));
  return () => {
    for (const restore of restores) restore();
  };
};

function isPlain(value) {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
