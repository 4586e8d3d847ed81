import fc from 'fast-check';
import { EvictedError, PersistentMap } from './persistent-map.js';
import { forAll } from '../test-support/arbitraries/for-all.js';

const KEYS = Array.from({ length: 121 }, (_, n) => `key ${n}`);
const key = fc.constantFrom(...KEYS);
const changes = fc.array(fc.array(fc.tuple(key, fc.integer()), { maxLength: 20 }), {
  maxLength: 40,
  size: 'max',
});

describe('a map that never changes', () => {
  it('holds what a plain map holds after the same changes, and leaves earlier maps as they were', () => {
    forAll([changes], { numRuns: 100 }, (steps) => {
      const plain = new Map<string, number>();
      let layered = PersistentMap.of<string, number>([]);
      const earlier: { map: PersistentMap<string, number>; entries: [string, number][] }[] = [];
      for (const step of steps) {
        earlier.push({ map: layered, entries: [...plain] });
        for (const [each, value] of step) plain.set(each, value);
        layered = layered.with(new Map(step));
        expect(layered.size).toBe(plain.size);
      }
      expect([...layered]).toEqual([...plain]);
      expect(KEYS.map((each) => [layered.has(each), layered.get(each)])).toEqual(
        KEYS.map((each) => [plain.has(each), plain.get(each)]),
      );
      for (const { map, entries } of earlier) expect([...map]).toEqual(entries);
    });
  });

  it('tells what it has forgotten from what it never had', () => {
    forAll([changes, fc.array(key), changes], { numRuns: 100 }, (before, forgotten, after) => {
      let map = PersistentMap.of<string, number>([]);
      for (const step of before) map = map.with(new Map(step));
      const whole = map;
      const entries = [...whole];
      const lost = new Set(forgotten.filter((each) => whole.has(each)));
      map = whole.forgetting(new Set(forgotten));
      const plain = new Map(entries.filter(([each]) => !lost.has(each)));
      for (const step of after.map((some) => some.filter(([each]) => !lost.has(each)))) {
        map = map.with(new Map(step));
        for (const [each, value] of step) plain.set(each, value);
      }
      for (const each of lost) expect(() => map.get(each)).toThrow(EvictedError);
      const others = KEYS.filter((each) => !lost.has(each));
      expect(others.map((each) => [map.get(each), map.has(each)])).toEqual(
        others.map((each) => [plain.get(each), plain.has(each)]),
      );
      expect([...map.kept()]).toEqual([...plain]);
      expect([map.size, map.forgotten]).toEqual([plain.size, lost.size]);
      if (lost.size > 0) expect(() => [...map]).toThrow(EvictedError);
      expect([...whole]).toEqual(entries);
    });
  });
});
