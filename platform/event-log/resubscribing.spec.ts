import { TimeoutError, UnavailableError } from '@eventstore/db-client';
import { Metadata, status } from '@grpc/grpc-js';
import { resubscribing } from './resubscribing.js';

const error = (code: status) =>
  Object.assign(new Error('words'), { code, details: 'words', metadata: new Metadata() });
const tooSlow = () => new TimeoutError(error(status.ABORTED));

/** A log of ten events, of which each subscription brings some and then ends. */
function log(lengths: number[], endedBy: () => Error = tooSlow) {
  const asked: (number | undefined)[] = [];
  const subscribe = async function* (after: number | undefined) {
    asked.push(after);
    const from = (after ?? -1) + 1;
    const length = lengths[asked.length - 1] ?? 10;
    for (let position = from; position < Math.min(from + length, 10); position += 1) yield { position };
    if (from + length < 10) throw endedBy();
  };
  return { subscribe, asked };
}

async function read(events: AsyncIterable<{ position: number }>): Promise<number[]> {
  const positions: number[] = [];
  for await (const { position } of events) positions.push(position);
  return positions;
}

describe('a subscription that is ended as too slow', () => {
  const all = Array.from({ length: 10 }, (_, n) => n);

  it('goes on after the last event that was taken, as often as it is ended', async () => {
    const { subscribe, asked } = log([3, 1, 0, 2]);
    let ended = 0;
    expect(await read(resubscribing(subscribe, undefined, () => (ended += 1)))).toEqual(all);
    expect(asked).toEqual([undefined, 2, 3, 3, 5]);
    expect(ended).toBe(4);
  });

  it('ends with any other error', async () => {
    const { subscribe } = log([3], () => new UnavailableError(error(status.UNAVAILABLE)));
    await expect(read(resubscribing(subscribe, undefined, () => undefined))).rejects.toThrow(
      UnavailableError,
    );
  });

  it('gives up where it is ended again and again before its first event', async () => {
    const { subscribe, asked } = log(Array.from({ length: 50 }, () => 0));
    await expect(
      read(resubscribing<number, { position: number }>(subscribe, 4, () => undefined)),
    ).rejects.toThrow(TimeoutError);
    expect(new Set(asked)).toEqual(new Set([4]));
  });
});
