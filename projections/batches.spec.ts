import { setTimeout as sleep } from 'node:timers/promises';
import { batches } from './batches.js';

describe('grouping what arrives', () => {
  it('hands out in order, once, in groups no larger than asked for, all that came while it was away', async () => {
    let pulled = 0;
    const source = async function* () {
      for (let n = 0; n < 100; n += 1) {
        pulled += 1;
        yield n;
      }
    };
    const sizes: number[] = [];
    const all: number[] = [];
    for await (const batch of batches(source(), 16)) {
      sizes.push(batch.length);
      all.push(...batch);
      // The source waits: it never runs further ahead than one full group.
      expect(pulled - all.length).toBeLessThanOrEqual(17);
      await sleep(1);
    }
    expect(all).toEqual(Array.from({ length: 100 }, (_, n) => n));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(16);
    expect(sizes.length).toBeLessThan(20);
  });

  it('gives what came before a failure, then fails', async () => {
    const source = async function* () {
      yield 1;
      await sleep(1);
      throw new Error('the link is gone');
    };
    const seen: number[] = [];
    const consume = async () => {
      for await (const batch of batches(source(), 8)) seen.push(...batch);
    };
    await expect(consume()).rejects.toThrow('the link is gone');
    expect(seen).toEqual([1]);
  });
});
