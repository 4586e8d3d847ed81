import { PassThrough, Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { availableBatches } from './batched-appends.js';

async function all(stream: Readable): Promise<{ items: number[]; pieces: number; error?: unknown }> {
  const seen = { items: [] as number[], pieces: 0 };
  try {
    for await (const items of availableBatches<number>(stream)) {
      seen.items.push(...items);
      seen.pieces += 1;
    }
    return seen;
  } catch (error) {
    return { ...seen, error };
  }
}

describe('what arrives at a stream', () => {
  it('comes whole and in order, together where it came together', async () => {
    const numbers = Array.from({ length: 1000 }, (_, n) => n);
    const stream = new PassThrough({ objectMode: true, highWaterMark: 64 });
    const reading = all(stream);
    for (const n of numbers) {
      if (!stream.write(n)) await new Promise((resolve) => stream.once('drain', resolve));
      if (n % 100 === 99) await nextTurn();
    }
    stream.end();
    const { items, pieces, error } = await reading;
    expect(error).toBeUndefined();
    expect(items).toEqual(numbers);
    expect(pieces).toBeLessThan(200);
  });

  it('is given before the failure that follows it', async () => {
    const stream = new PassThrough({ objectMode: true });
    const reading = all(stream);
    stream.write(1);
    stream.write(2);
    await nextTurn();
    await nextTurn();
    await nextTurn();
    stream.destroy(new Error('the link is gone'));
    const { items, error } = await reading;
    expect(items).toEqual([1, 2]);
    expect(error).toEqual(new Error('the link is gone'));
  });

  it('ends when the stream is destroyed, also before its reader comes', async () => {
    const stream = new PassThrough({ objectMode: true });
    const reading = all(stream);
    await nextTurn();
    stream.destroy();
    expect((await reading).error).toBeUndefined();
    expect((await all(stream)).items).toEqual([]);
  });
});
