import { rmSync } from 'node:fs';
import { temporaryFolder } from './installation/temporary-folder.js';

/** How something is taken down, where it can be: by the first of these that it has. */
const ENDS = ['remove', 'close', 'stop', 'drop', 'end', 'dispose', 'destroy', 'kill'] as const;

/** What is to be taken down, the latest last; each entry belongs to one call of `shared`. */
const takeDowns: (() => unknown)[] = [];

/**
 * Something that all tests of a block share: made before the first of them, taken down after the last. What was made later is
 * taken down earlier.
 * @param takeDown in place of its own `close`, `stop` and the like
 * @returns what stands for it in the tests, and is there once it is made
 */
export function shared<T extends object>(
  make: () => Promise<T> | T,
  takeDown: (made: T) => unknown = end,
): T {
  let made: T | undefined;
  const there = () => {
    if (!made) throw new Error('It is not made yet, or could not be.');
    return made;
  };
  beforeAll(async () => {
    takeDowns.push(() => made && takeDown(made));
    made = await make();
  });
  afterAll(() => takeDowns.pop()?.());
  const standIn: T = new Proxy({} as T, {
    get: (_target, key) => {
      const value: unknown = Reflect.get(there(), key);
      return typeof value === 'function' ? (value.bind(there()) as unknown) : value;
    },
    // What is derived from it has properties of its own.
    set: (_target, key, value, receiver) =>
      Reflect.set(there(), key, value, receiver === standIn ? there() : receiver),
    has: (_target, key) => Reflect.has(there(), key),
    ownKeys: () => Reflect.ownKeys(there()),
    getOwnPropertyDescriptor: (_target, key) => {
      const property = Reflect.getOwnPropertyDescriptor(there(), key);
      return property && { ...property, configurable: true };
    },
    getPrototypeOf: () => Reflect.getPrototypeOf(there()),
  });
  return standIn;
}

/** Work that is to be done after the last test of a block, before what was shared until here is taken down. */
export function atEnd(work: () => unknown): void {
  shared(() => ({}), work);
}

function end(made: object): unknown {
  const ends = made as Partial<Record<(typeof ENDS)[number], () => unknown>>;
  const way = ENDS.find((each) => typeof ends[each] === 'function');
  return way && ends[way]?.();
}

/** A new folder that all tests of a block share. */
export function sharedFolder(): string {
  const folder = temporaryFolder();
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}
