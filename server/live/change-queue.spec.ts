import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadModelChange } from '#platform/database/notifications.js';
import { ChangeQueue } from './change-queue.js';
import { Coalescer } from './coalescer.js';
import { SingleFlight } from './single-flight.js';

/** Something that takes until it is let go. */
function held() {
  let letGo: () => void = () => undefined;
  const done = new Promise<void>((resolve) => (letGo = resolve));
  return { done, letGo };
}

describe('changes that are told to live clients', () => {
  it('are told one after the other, and together what comes meanwhile', async () => {
    const told: ReadModelChange[] = [];
    const first = held();
    const queue = new ChangeQueue(async (change) => {
      told.push(change);
      await first.done;
    });
    queue.add({ position: '1', borrows: [['a', 'x']], books: [1] });
    queue.add({ position: '2', borrows: [['b', 'x']], books: [1, 2] });
    queue.add({ position: '10', borrows: [['a', 'x']], books: [3] });
    expect(told).toHaveLength(1);
    first.letGo();
    await queue.settled();
    expect(told[1]).toEqual({
      position: '10',
      borrows: [
        ['b', 'x'],
        ['a', 'x'],
      ],
      books: [1, 2, 3],
      holds: [],
      holders: [],
    });
    queue.add({ position: '11' });
    await queue.settled();
    expect(told.map(({ position }) => position)).toEqual(['1', '10', '11']);
  });

  it('name nothing together if one of them does not: the clients are then to ask for everything', async () => {
    const told: ReadModelChange[] = [];
    const queue = new ChangeQueue(async (change) => void told.push(change));
    queue.add({ position: '1', borrows: [], books: [] });
    queue.add({ position: '2' });
    queue.add({ position: '3', borrows: [['a', 'x']], books: [1] });
    await queue.settled();
    expect(told.at(-1)).toEqual({ position: '3' });
  });
});

describe('books whose copies changed', () => {
  it('are told at once, and those of the next moment together', async () => {
    const told: number[][] = [];
    const copies = new Coalescer<number>(30, async (ids) => void told.push(ids));
    copies.add([1, 2]);
    copies.add([3]);
    copies.add([4, 3]);
    await Promise.resolve();
    expect(told).toEqual([[1, 2]]);
    while (told.length < 2) await sleep(5);
    expect(told[1]).toEqual([3, 4]);
    await copies.stop();
  });
});

describe('an answer that many ask for at once', () => {
  it('is looked up once, and anew by whoever asks later or something else', async () => {
    let asked = 0;
    const answers = new SingleFlight();
    const ask = async () => (asked += 1);
    expect(await Promise.all([answers.get('a', ask), answers.get('a', ask), answers.get('b', ask)])).toEqual([
      1, 1, 2,
    ]);
    expect(await answers.get('a', ask)).toBe(3);
  });
});
