import fc from 'fast-check';
import { LayeredMap } from './layered-map.js';

const key = fc.integer({ min: 0, max: 120 });
const changes = fc.array(fc.array(fc.tuple(key, fc.integer()), { maxLength: 20 }), {
  maxLength: 40,
  size: 'max',
});

describe('a map that never changes', () => {
  it('holds what a plain map holds after the same changes, and leaves earlier maps as they were', () => {
    fc.assert(
      fc.property(changes, (steps) => {
        const plain = new Map<number, number>();
        let layered = LayeredMap.of<number, number>([]);
        const earlier: { map: LayeredMap<number, number>; entries: [number, number][] }[] = [];
        for (const step of steps) {
          earlier.push({ map: layered, entries: [...plain] });
          for (const [each, value] of step) plain.set(each, value);
          layered = layered.with(new Map(step));
          expect(layered.size).toBe(plain.size);
        }
        expect([...layered]).toEqual([...plain]);
        for (let each = 0; each <= 120; each += 1) {
          expect(layered.has(each)).toBe(plain.has(each));
          expect(layered.get(each)).toBe(plain.get(each));
        }
        for (const { map, entries } of earlier) expect([...map]).toEqual(entries);
      }),
      { numRuns: 100 },
    );
  });
});
