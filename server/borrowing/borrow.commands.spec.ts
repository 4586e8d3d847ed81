import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import type { ProblemCode } from '#contracts/problem.js';
import { DomainError } from '#contracts/domain-error.js';
import { LibraryRules } from '#rules/library-rules.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import { SystemClock } from '#platform/clock.js';
import { AppendOutcomeUnknown } from '#platform/event-log/event-log.js';
import { RentBooks, RentBooksHandler } from './borrow.commands.js';
import type { CopyAllocations } from './copy-allocations.js';
import type { HeldCopies } from './holds/held-copies.js';
import { LateFees } from './accrue-fee.command.js';
import type { RefusedCommands } from '../idempotency/refused-commands.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import type { ReaderBlocks } from './reader-blocks.js';
import type { ReaderKinds } from './known-readers.js';
import type { ReaderStreams } from './streams/reader-streams.js';

/** Copies that were put back by a rent whose append ends with this error. */
async function releasedAfter(error: Error, { isNamed = false } = {}): Promise<string[]> {
  const released: string[] = [];
  const streams = {
    serialize: (_reader: string, work: () => Promise<unknown>) => work(),
    findPriorResult: async () => ({ prior: undefined, revision: -1n }),
    execute: () => Promise.reject(error),
  } as unknown as ReaderStreams;
  const holds = {
    take: async () => [{ bookId: 1, title: 'Solaris' }],
    giveUp: async (borrowId: string) => void released.push(borrowId),
  } as unknown as CopyAllocations;
  const reader = randomUUID();
  const context = {
    actor: reader,
    correlationId: 'test',
    isNamed,
    ...commandIdentity(randomUUID(), reader, 'RentBooks', {}),
  };
  const rules = new LibraryRules(new LibraryTimeZone('UTC'));
  const refused = { expiredAt: () => new Date(0) } as unknown as RefusedCommands;
  const handler = new RentBooksHandler(
    streams,
    holds,
    refused,
    new LateFees(streams, rules),
    new SystemClock(),
    rules,
    { refuse: () => undefined, wordsFor: () => undefined } as unknown as ReaderBlocks,
    undefined as unknown as HeldCopies,
    { of: async () => 'adult' } as unknown as ReaderKinds,
  );
  await expect(handler.execute(new RentBooks({ readerId: reader, bookIds: [1], context }))).rejects.toBe(
    error,
  );
  return released;
}

describe('the copies of a rent that failed', () => {
  const refusal = (code: ProblemCode) => new DomainError(code, 'refused');

  it('are put back at once where a rule refused', async () => {
    expect(await releasedAfter(refusal('TooManyBooks'))).toHaveLength(1);
    expect(await releasedAfter(refusal('TooManyBooks'), { isNamed: true })).toHaveLength(1);
    expect(await releasedAfter(refusal('ConcurrentChange'))).toHaveLength(1);
  });

  it('stay held where the rent has a key and no rule decided: another attempt at it may be stored', async () => {
    expect(await releasedAfter(refusal('ConcurrentChange'), { isNamed: true })).toEqual([]);
    expect(await releasedAfter(refusal('IdempotencyKeyReused'), { isNamed: true })).toEqual([]);
  });

  it('stay held where the log is away or unreadable: an earlier sending may have been stored', async () => {
    expect(await releasedAfter(refusal('EventStoreUnavailable'))).toEqual([]);
    expect(await releasedAfter(new AppendOutcomeUnknown(new Error('no answer')))).toEqual([]);
    expect(await releasedAfter(new Error('the connection was lost'))).toEqual([]);
    expect(await releasedAfter(refusal('HistoryUnreadable'))).toEqual([]);
  });
});
