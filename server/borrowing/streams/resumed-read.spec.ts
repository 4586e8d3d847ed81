import type { LoggedEvent } from '#platform/event-log/event-log.js';
import { ResumedRead } from './resumed-read.js';

describe('the read of a long stream', () => {
  const stream = (length: number) =>
    Array.from({ length }, (_, at) => ({ id: String(at), revision: BigInt(at) }) as LoggedEvent);

  /** A log that gives so many pages, and then fails. */
  function logOf(events: readonly LoggedEvent[]) {
    const asked: bigint[] = [];
    const log = {
      pagesLeft: Infinity,
      readRecorded: async (_category: string, _key: string, from: bigint, most = Infinity) => {
        if (log.pagesLeft === 0) throw new Error('the time is up');
        log.pagesLeft -= 1;
        asked.push(from);
        return events.slice(Number(from), Number(from) + most);
      },
    };
    return { log, asked };
  }

  it('goes on where the read before it failed, and gives every event once', async () => {
    const events = stream(9_000);
    const { log, asked } = logOf(events);
    const read = new ResumedRead(log);
    log.pagesLeft = 3;
    await expect(read.from('reader', 0n)).rejects.toThrow('the time is up');
    log.pagesLeft = 1;
    await expect(read.from('reader', 0n)).rejects.toThrow('the time is up');
    log.pagesLeft = Infinity;
    expect(await read.from('reader', 0n)).toEqual(events);
    expect(new Set(asked).size).toBe(asked.length);
  });

  it('keeps nothing of another reader, of another beginning, or of a read that came to its end', async () => {
    const { log } = logOf(stream(5_000));
    const read = new ResumedRead(log);
    log.pagesLeft = 1;
    await expect(read.from('reader', 0n)).rejects.toThrow('the time is up');
    log.pagesLeft = Infinity;
    expect((await read.from('reader', 100n))[0]?.revision).toBe(100n);
    log.pagesLeft = 1;
    await expect(read.from('other', 0n)).rejects.toThrow('the time is up');
    log.pagesLeft = Infinity;
    expect(await read.from('reader', 0n)).toHaveLength(5_000);
    expect(await read.from('reader', 5_000n)).toEqual([]);
  });
});
