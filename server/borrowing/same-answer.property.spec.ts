import 'reflect-metadata';
import fc from 'fast-check';
import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import { LibraryRules } from '#rules/library-rules.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import type { EventLog } from '#platform/event-log/event-log.js';
import {
  BORROW,
  end,
  issued,
  LIBRARIAN,
  READER,
  rented,
} from '../../test-support/arbitraries/borrow-history.js';
import { forAllInTime } from '../../test-support/arbitraries/for-all.js';
import { StreamInMemory } from '../../test-support/event-store/stream-in-memory.js';
import { keyReused, type CommandIdentity, type RefusedCommands } from '../idempotency/refused-commands.js';
import { ChangeBorrow, ChangeBorrowHandler } from './borrow.commands.js';
import type { CopyAllocations } from './copy-allocations.js';
import { LateFees } from './accrue-fee.command.js';
import type { ReaderBlocks } from './reader-blocks.js';
import type { ReaderKinds } from './known-readers.js';
import { ReaderStreams, type CommandContext } from './streams/reader-streams.js';

const RULES_OF_ALL = new LibraryRules(new LibraryTimeZone('UTC'));
const DUE = end(16);
const RENTED = rented(BORROW, [1]);
const ISSUED = issued(BORROW, [1]);

/** The table, each call one statement. */
class RefusedInMemory {
  private readonly rows = new Map<string, { announcement: string; refusal?: DomainError; digest?: string }>();
  private announcements = 0;

  constructor(private readonly underWay: () => Promise<void>) {}

  async admit({ commandId, commandDigest }: CommandIdentity): Promise<DomainError | undefined> {
    await this.underWay();
    const row = this.rows.get(commandId);
    if (!row?.refusal) this.rows.delete(commandId);
    const answer = row?.refusal && (row.digest === commandDigest ? row.refusal : keyReused());
    await this.underWay();
    return answer;
  }

  async announce({ commandId, commandDigest }: CommandIdentity): Promise<string | DomainError> {
    await this.underWay();
    const row = this.rows.get(commandId) ?? { announcement: String((this.announcements += 1)) };
    this.rows.set(commandId, row);
    const answer = row.refusal ?? row.announcement;
    await this.underWay();
    return answer instanceof DomainError && row.digest !== commandDigest ? keyReused() : answer;
  }

  async settle(
    { commandId, commandDigest }: CommandIdentity,
    announcement: string,
    refusal: DomainError,
  ): Promise<boolean> {
    await this.underWay();
    const row = this.rows.get(commandId);
    const settled = row?.announcement === announcement && row.refusal === undefined;
    if (row && settled) Object.assign(row, { refusal, digest: commandDigest });
    await this.underWay();
    return settled;
  }
}

class ClockAt extends Clock {
  constructor(private readonly at: string) {
    super();
  }
  now(): Date {
    return new Date(this.at);
  }
}

type Change = ChangeBorrow['change'];
const ISSUE: Change = { type: 'IssueBooks', borrowId: BORROW, bookIds: [1], librarianId: LIBRARIAN };
const RETURN: Change = { type: 'ReturnBooks', borrowId: BORROW, bookIds: [1], librarianId: LIBRARIAN };
const RENEW: Change = { type: 'RenewBorrow', borrowId: BORROW, renewedBy: READER };
const RENEW_DUE: Change = { ...RENEW, dueDate: DUE };

/** A command by its key, and the processes that it is sent to, all at once. */
interface Sent {
  key: number;
  change: Change;
  processes: number[];
}

/**
 * Sends commands to processes with clocks of their own, in any interleaving.
 * @returns the answers to each command, the last one from a repeat after all was quiet
 */
async function answersTo(
  scheduler: fc.Scheduler,
  given: readonly BorrowEvent[],
  sent: readonly Sent[],
  clocks: readonly string[],
): Promise<{ answers: string[][]; stored: string[] }> {
  const underWay = () => scheduler.schedule(Promise.resolve());
  const log = new StreamInMemory(underWay);
  for (const event of given) log.add(event);
  const refused = new RefusedInMemory(underWay) as unknown as RefusedCommands;
  const processes = clocks.map((at) => {
    const streams = new ReaderStreams(log as unknown as EventLog);
    const blocks = { refuse: () => undefined, wordsFor: () => undefined } as unknown as ReaderBlocks;
    return new ChangeBorrowHandler(
      streams,
      refused,
      new LateFees(streams, RULES_OF_ALL),
      new ClockAt(at),
      RULES_OF_ALL,
      blocks,
      // Nobody waits for the book.
      { waitedFor: async () => [] } as unknown as CopyAllocations,
      { of: async () => 'adult' } as unknown as ReaderKinds,
    );
  });
  const send = async ({ key, change }: Sent, process: number): Promise<string> => {
    const context: CommandContext = {
      actor: LIBRARIAN,
      correlationId: 'test',
      isNamed: true,
      commandId: `3f0e1d6a-52c7-4d8b-9a57-00000000000${key}`,
      commandDigest: change.type,
    };
    try {
      const answer = await processes[process]?.execute(
        new ChangeBorrow({ readerId: READER, change, context }),
      );
      return `done at ${answer?.position}`;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return error.code;
    }
  };
  const atOnce = await scheduler.waitFor(
    Promise.all(sent.map((one) => Promise.all(one.processes.map((process) => send(one, process))))),
  );
  const again = await scheduler.waitFor(Promise.all(sent.map((one) => send(one, 0))));
  const answers = atOnce.map((of, index) =>
    // What is undecided may be decided by a repeat.
    [...of, again[index] ?? ''].filter((answer) => answer !== 'ConcurrentChange'),
  );
  return { answers, stored: log.events.map(({ type }) => type) };
}

const processesOf = (count: number) => fc.array(fc.nat(count - 1), { minLength: 2, maxLength: 4 });
const seen = new Map<string, number>();
const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);

describe('a command under one key, in any interleaving of processes', () => {
  beforeEach(() => seen.clear());

  it('gets one answer, and one event at the most', async () => {
    const changes = fc.array(fc.constantFrom(ISSUE, RETURN, RENEW, RENEW_DUE), {
      minLength: 2,
      maxLength: 4,
    });
    await forAllInTime(
      [
        fc.scheduler(),
        fc.constantFrom([RENTED], [RENTED, ISSUED]),
        changes,
        fc.array(processesOf(3), { minLength: 4, maxLength: 4 }),
      ],
      { numRuns: 150, seed: 5 },
      async (scheduler, given, wanted, processes) => {
        const sent = wanted.map((change, key) => ({ key, change, processes: processes[key] ?? [0] }));
        const { answers, stored } = await answersTo(scheduler, given, sent, Array(3).fill(day(10)));
        for (const of of answers) {
          expect(new Set(of).size).toBeLessThanOrEqual(1);
          count(of[0]?.startsWith('done') ? 'done' : (of[0] ?? 'undecided'));
        }
        expect(stored.filter((type) => type === 'BooksReturned').length).toBeLessThanOrEqual(1);
      },
    );
    expect([...seen.keys()]).toEqual(expect.arrayContaining(['done', 'BorrowNotIssued', 'BorrowNotRented']));
  });

  it('gets one answer where a fee falls due between the clocks of two processes', async () => {
    await forAllInTime(
      [fc.scheduler(), processesOf(2), processesOf(2)],
      { numRuns: 150, seed: 5 },
      async (scheduler, one, other) => {
        const sent = [one, other].map((processes, key) => ({ key, change: RETURN, processes }));
        const clocks = [day(16), '2026-11-17T00:00:00.000Z'];
        const { answers } = await answersTo(scheduler, [RENTED, ISSUED], sent, clocks);
        for (const of of answers) {
          expect(new Set(of).size).toBeLessThanOrEqual(1);
          count(of[0] ?? 'undecided');
        }
      },
    );
    expect([...seen.keys()]).toEqual(expect.arrayContaining(['FeeNotPaid', 'done at 2']));
  });
});

function day(of: number): string {
  return `2026-11-${of}T10:00:00.000Z`;
}
