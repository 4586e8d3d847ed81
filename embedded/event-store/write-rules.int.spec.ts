import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { createTestDatabase } from '../../test-support/database/database.js';
import { shared } from '../../test-support/shared.js';
import { forAllInTime } from '../../test-support/arbitraries/for-all.js';
import { LiveTail } from './storage/live-tail.js';
import { noLog } from './storage/log.js';
import { TOMBSTONE, type ExpectedRevision, type ProposedEvent } from './storage/recorded-event.js';
import { StoreError } from './storage/store-error.js';
import type { WriteCommand, Written } from './storage/write-plan.js';
import { Writer } from './storage/writer.js';

const STREAMS = ['one', 'two', 'three'];

type Write = { kind: 'append'; events: number[] } | { kind: 'delete' } | { kind: 'tombstone' };

/** A step of a test: small numbers in place of names and ids, so that they meet often. */
type Step = { stream: number; expected: ExpectedRevision } & Write;

/** What a stream holds, as plainly as it can be said. */
interface ModelStream {
  /** Ids of the events, by revision. */
  events: number[];
  softDeleted: boolean;
  tombstoned: boolean;
  hasMetadata: boolean;
}

/** The rules, one after the other, on plain lists: what the writer with its batches and caches must amount to. */
class Model {
  readonly #streams = STREAMS.map((): ModelStream => ({
    events: [],
    softDeleted: false,
    tombstoned: false,
    hasMetadata: false,
  }));

  run(step: Step): string {
    const stream = this.#streams[step.stream]!;
    if (stream.tombstoned) return 'stream-deleted';
    const last = stream.events.length - 1;
    const wrong = `wrong ${last}`;
    const { expected } = step;
    // A deletion is never a repeat: nothing has its id.
    const ids = step.kind === 'append' ? step.events : [-1];
    let write: boolean;
    if (expected === 'stream-exists' && stream.softDeleted) return 'stream-deleted';
    if (expected === 'stream-exists' && last < 0 && !stream.hasMetadata) return wrong;
    if (expected === 'any' || expected === 'stream-exists') {
      const found = ids.map((id) => stream.events.indexOf(id));
      if (found.length > 0 && !found.includes(-1)) return `written ${found.at(-1)}`;
      write = found.length === 0 || found[0] === -1;
    } else {
      const before = expected === 'no-stream' ? -1 : Number(expected);
      const there = stream.events.slice(before + 1, before + 1 + ids.length);
      if (before > last) return wrong;
      const repeated = ids.length > 0 && ids.every((id, index) => there[index] === id);
      if (before < last && repeated) return `written ${before + ids.length}`;
      const recreated = expected === 'no-stream' && stream.softDeleted;
      write = before === last || (recreated && ids.length > 0 && there[0] !== ids[0]);
    }
    if (!write) return wrong;
    if (step.kind === 'delete' && last < 0 && !stream.hasMetadata) return wrong;
    if (step.kind === 'tombstone') {
      stream.tombstoned = true;
      return `written ${TOMBSTONE}`;
    }
    if (step.kind === 'delete') {
      stream.softDeleted = true;
      stream.hasMetadata = true;
      return 'deleted';
    }
    stream.events.push(...ids);
    if (ids.length > 0) stream.softDeleted = false;
    return `written ${stream.events.length - 1}`;
  }
}

const expectedRevision: fc.Arbitrary<ExpectedRevision> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('any' as const, 'no-stream' as const, 'stream-exists' as const) },
  { weight: 4, arbitrary: fc.bigInt({ min: 0n, max: 6n }) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      stream: fc.nat(2),
      expected: expectedRevision,
      events: fc.uniqueArray(fc.nat(8), { maxLength: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('delete' as const),
      stream: fc.nat(2),
      expected: expectedRevision,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('tombstone' as const),
      stream: fc.nat(2),
      expected: expectedRevision,
    }),
  },
);

describe('the rules of writing', () => {
  const database = shared(() => createTestDatabase());
  const writer = shared(() => new Writer({ databaseUrl: database.url, lockTimeoutMs: 1000, log: noLog }));
  const tail = shared(() =>
    writer.start(
      (last) => new LiveTail(last),
      () => undefined,
    ),
  );

  it('are those of a plain model, however the commands fall into batches', async () => {
    await forAllInTime(
      [fc.array(fc.array(step, { minLength: 1, maxLength: 12 }), { maxLength: 6 })],
      { numRuns: 150, quick: 40, seed: 5 },
      async (batches) => {
        const run = randomUUID();
        const ids = Array.from({ length: 9 }, () => randomUUID());
        const model = new Model();
        for (const batch of batches) {
          // Submitted at once, they are judged in this order, most of them in one transaction.
          const outcomes = await Promise.all(
            batch.map((one) => outcome(one, writer.submit(command(one, run, ids), { deadline: Infinity }))),
          );
          expect(outcomes).toEqual(batch.map((one) => model.run(one)));
        }
      },
    );
    const rows = tail.after(tail.last - 100n, 1000) ?? [];
    expect(rows.map(({ position }) => position)).toEqual(rows.map((_, n) => tail.last - 99n + BigInt(n)));
  });
});

function command(one: Step, run: string, ids: readonly string[]): WriteCommand {
  const stream = `${STREAMS[one.stream]}-${run}`;
  if (one.kind !== 'append') return { kind: one.kind, stream, expected: one.expected };
  const events = one.events.map((id): ProposedEvent => ({
    id: ids[id]!,
    type: 'Noted',
    contentType: 'application/json',
    data: Buffer.from('{}'),
    metadata: Buffer.alloc(0),
  }));
  return { kind: 'append', stream, expected: one.expected, events };
}

async function outcome(one: Step, written: Promise<Written>): Promise<string> {
  try {
    const { revision } = await written;
    return one.kind === 'delete' ? 'deleted' : `written ${revision}`;
  } catch (error) {
    const { refusal } = error as StoreError;
    return refusal.kind === 'wrong-expected-version' ? `wrong ${refusal.current}` : refusal.kind;
  }
}
