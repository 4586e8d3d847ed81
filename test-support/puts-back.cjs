/**
 * Remembers the own properties of an object, and gives what puts them back.
 * @param namesOf what it has, where that is more than it tells of itself
 */
exports.putsBack = (object, namesOf = Reflect.ownKeys) => {
  const before = new Map();
  for (const name of namesOf(object)) before.set(name, Reflect.getOwnPropertyDescriptor(object, name));
  return () => {
    for (const name of namesOf(object)) if (!before.has(name)) Reflect.deleteProperty(object, name);
    for (const [name, property] of before) {
      const now = Reflect.getOwnPropertyDescriptor(object, name);
      if (
        property &&
        !['value', 'get', 'set', 'writable'].every((part) => Object.is(now?.[part], property[part]))
      )
        Reflect.defineProperty(object, name, property);
    }
  };
};
