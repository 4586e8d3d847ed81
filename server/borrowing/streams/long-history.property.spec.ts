import fc from 'fast-check';
import { v5 as uuidFromName } from 'uuid';
import { decide, type BorrowCommand } from '#circulation/borrow/borrow.decider.js';
import { borrowRules } from '#circulation/rules/borrow.policy.js';
import { DomainError } from '#contracts/domain-error.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import type { EventLog } from '#platform/event-log/event-log.js';
import { READER } from '../../../test-support/arbitraries/borrow-history.js';
import { forAllInTime } from '../../../test-support/arbitraries/for-all.js';
import { StreamInMemory } from '../../../test-support/event-store/stream-in-memory.js';
import { ReaderStreams } from './reader-streams.js';

const RULES = borrowRules('UTC');
const AT = '2026-11-02T10:00:00.000Z';
/** Far more than a reader's state remembers of what is over. */
const BORROWS = 340;

const borrowIdOf = (n: number) => uuidFromName(`borrow ${n}`, READER);
const STEPS = ['rent', 'issue', 'return'] as const;
interface Step {
  what: (typeof STEPS)[number];
  borrow: number;
  /** Another key names another command. */
  key: number;
}

function commandOf({ what, borrow }: Step): BorrowCommand {
  const borrowId = borrowIdOf(borrow);
  const bookIds = [borrow + 1];
  if (what === 'rent') {
    const books = [{ bookId: borrow + 1, title: 'Solaris' }];
    return { type: 'RentBooks', borrowId, readerId: READER, books, at: AT };
  }
  const type = what === 'issue' ? 'IssueBooks' : 'ReturnBooks';
  return { type, borrowId, bookIds, librarianId: READER, at: AT };
}

async function done(streams: ReaderStreams, step: Step): Promise<object> {
  const identity = commandIdentity(`${step.what} ${step.borrow} ${step.key}`, READER, step.what, step.borrow);
  const context = { actor: READER, correlationId: 'test', ...identity };
  const command = commandOf(step);
  try {
    const { position, events } = await streams.execute(READER, context, (state) =>
      decide(state, command, RULES),
    );
    return { position, events: events.length };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { code: error.code, message: error.message };
  }
}

async function longHistory(): Promise<{ log: StreamInMemory; streams: ReaderStreams }> {
  const log = new StreamInMemory();
  const streams = new ReaderStreams(log as unknown as EventLog);
  for (let borrow = 0; borrow < BORROWS; borrow += 1) {
    for (const what of STEPS) await done(streams, { what, borrow, key: 0 });
  }
  return { log, streams };
}

describe('a reader with a long history', () => {
  it('gets the answers that the whole stream gives, about what is long over too', async () => {
    const { log, streams } = await longHistory();
    const step = fc.record({
      what: fc.constantFrom(...STEPS),
      borrow: fc.integer({ min: 0, max: BORROWS + 20 }),
      key: fc.integer({ min: 0, max: 1 }),
    });
    await forAllInTime([fc.array(step, { minLength: 1, maxLength: 12 })], { numRuns: 12 }, async (steps) => {
      for (const each of steps) {
        const before = log.events.slice();
        const fresh = new StreamInMemory();
        fresh.events.push(...before);
        const expected = await done(new ReaderStreams(fresh as unknown as EventLog), each);
        expect(await done(streams, each)).toEqual(expected);
      }
    });
  });

  it('is read again only by who asks about what is long over', async () => {
    const { log, streams } = await longHistory();
    log.read = 0;
    for (const what of STEPS) await done(streams, { what, borrow: BORROWS, key: 0 });
    expect(log.read).toBe(0);
    expect(await done(streams, { what: 'rent', borrow: 0, key: 0 })).toMatchObject({ position: 0n });
    expect(log.read).toBe(log.events.length);
  });
});
