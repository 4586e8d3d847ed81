import { chanceFrom } from '../../../test-support/arbitraries/chance.js';
import { partialSort } from './queue-index.js';

describe('a part of many numbers in their order', () => {
  const random = chanceFrom(7);
  const COUNT = 60_000;
  const keysOf: Record<string, (at: number) => number> = {
    'in order': (at) => at,
    'in the opposite order': (at) => -at,
    'without any order': () => random.next(),
    'nearly all the same': () => (random.chance(0.01) ? random.next() : 0),
    'in waves as long as the sample’s steps': (at) => Math.sin((at * 2 * Math.PI * 1024) / COUNT),
  };

  it.each(Object.keys(keysOf))('is the part of them sorted, where they are %s', (name) => {
    const keys = Array.from({ length: COUNT }, (_, at) => keysOf[name]?.(at) ?? 0);
    const compare = (one: number, other: number) => (keys[one] ?? 0) - (keys[other] ?? 0) || other - one;
    const numbers = Int32Array.from(keys, (_, at) => at);
    const sorted = numbers.toSorted(compare);
    for (const from of [0, 1, 20, 4_000, 29_990, 59_000, 59_979, 59_990]) {
      expect([...partialSort(numbers, compare, from, from + 20)]).toEqual([
        ...sorted.subarray(from, from + 20),
      ]);
    }
    expect([...partialSort(numbers, compare, 0, COUNT)]).toEqual([...sorted]);
    expect([...partialSort(numbers.subarray(0, 7), compare, 5, 9)]).toEqual([
      ...numbers.slice(0, 7).toSorted(compare).subarray(5, 9),
    ]);
  });
});
