import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  BORROW_EVENTS,
  BORROW_STREAM_PREFIX,
  isOfVisit,
  type BorrowEvent,
} from '#contracts/borrowing/borrow-events.js';
import { LogRecord } from '#platform/event-log/log-record.js';
import { ANY_LOG } from '#platform/event-log/log-proof.js';
import { eventStoreClient } from '#platform/event-log/open-event-store.js';
import { storeHistories } from '../bench/borrow-histories.js';
import { startEventStore } from '../embedded/event-store/event-store-server.js';
import { readLog } from '../projections/move-log/read-log.js';
import type { VerbatimEvent } from '../projections/move-log/verbatim-event.js';
import { startCommand } from '../test-support/installation/command-line.js';
import { CrashInstallation } from '../test-support/installation/crash-installation.js';
import { createTestDatabase } from '../test-support/database/database.js';
import { shared } from '../test-support/shared.js';
import { apiCaller } from './api-caller.js';
import { PASSWORDS } from './people.js';

const READERS = 600;
const EVENTS_OF_EACH = 40;
const EVENTS = READERS * EVENTS_OF_EACH;
const BOOKS = Array.from({ length: 10 }, (_, index) => index + 1);

const eventsOf = async (url: string) => {
  const client = eventStoreClient(url, ANY_LOG);
  const events: VerbatimEvent[] = [];
  for await (const event of readLog(client, undefined, new AbortController().signal)) events.push(event);
  await client.dispose();
  return events;
};

/** All of an event but where and when this log recorded it. */
const textOf = ({
  stream,
  revision,
  id,
  type,
  contentType,
  recordedAt,
  data,
  metadata,
}: Omit<VerbatimEvent, 'position' | 'created'>) =>
  [
    stream,
    revision,
    id,
    type,
    contentType,
    recordedAt.toISOString(),
    ...[data, metadata].map((bytes) => bytes.toString('base64')),
  ].join(' ');

function isAtDesk({ stream, type, data, metadata }: VerbatimEvent): boolean {
  const event = { type, data: JSON.parse(data.toString()) } as BorrowEvent;
  const { actor } = JSON.parse(metadata.toString()) as { actor: string };
  return isOfVisit(event, stream.slice(BORROW_STREAM_PREFIX.length), actor);
}

/** Where it is killed: what it has printed, and what is in the new log. */
const PLACES: { at: string; printed: string; events?: number; continued?: true; then?: number }[] = [
  { at: 'before the first event', printed: '' },
  { at: 'with a tenth of the events', printed: 'copied', events: EVENTS * 0.1 },
  { at: 'with a quarter', printed: 'copied', events: EVENTS * 0.25 },
  { at: 'while it compares what it has', printed: 'compared', then: 50 },
  { at: 'with half of them', printed: 'copied', events: EVENTS * 0.5 },
  { at: 'when it reads back', printed: 'read back' },
  { at: 'when it makes the lists', printed: 'put into the lists' },
  { at: 'a moment later', printed: 'put into the lists', then: 400 },
  { at: 'when the new log has its name', printed: 'put into the lists', continued: true },
  { at: 'when the old log is closed', printed: 'verified' },
];

describe('the move of the event log, killed at ten places of its way', () => {
  // Without jobs: they would forget letters about the old events of this history.
  const installation = shared(() => CrashInstallation.createOpened({ LOG_LEVEL: 'fatal', JOBS: 'off' }));
  const database = shared(() => createTestDatabase());
  const target = shared(() => startEventStore({ databaseUrl: database.url }));

  it('leaves a copy in which no event differs, and every letter is asked for once', async () => {
    await installation.start();
    const reader = await apiCaller(installation.url, 'reader', PASSWORDS.reader);
    const { items } = await reader.get<{ items: { id: number }[] }>('Book?pageNumber=1&pageSize=5');
    await reader.rent([items[0]?.id ?? 0]);
    const { eventStoreUrl } = installation.addresses();
    // Many at once, so that their events mix; the product is killed while letters are behind.
    const filling = eventStoreClient(eventStoreUrl, ANY_LOG, { batched: true });
    await storeHistories(filling, READERS, EVENTS_OF_EACH, BOOKS);
    await filling.dispose();
    const before = await eventsOf(eventStoreUrl);
    await installation.kill();

    const client = eventStoreClient(target.connectionString, ANY_LOG);
    const record = new LogRecord(client);
    const counting = new pg.Client({ connectionString: database.url });
    await counting.connect();
    const environment = { DATA_DIR: installation.dataDir };
    const ends: string[] = [];
    for (const { at, printed, events = 0, continued, then = 0 } of PLACES) {
      const { child, ended } = startCommand('move-log', ['--to', target.connectionString], environment);
      let output = '';
      child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
      let isOver = false;
      void ended.then(() => (isOver = true));
      const isThere = async () => {
        if (!output.includes(`Events are ${printed}`) && printed !== '') return false;
        if (continued) return (await record.read())?.continued !== undefined;
        if (events === 0) return true;
        const { rows } = await counting.query<{ n: number }>(
          'select count(*)::integer as n from eventstore.event',
        );
        return (rows[0]?.n ?? 0) >= events;
      };
      while (!isOver && !(await isThere())) await sleep(2);
      await sleep(then);
      child.kill('SIGKILL');
      const { code, output: said } = await ended;
      ends.push(`${at}: ${code === null ? 'killed' : `ended with ${code}: ${said}`}`);
    }
    // A run may be over before it is killed, once the old log is closed.
    expect(ends.slice(0, 8).filter((end) => !end.endsWith('killed'))).toEqual([]);
    expect(ends.filter((end) => !/killed|ended with 0/.test(end))).toEqual([]);

    const finished = await installation.command('move-log', ['--to', target.connectionString]);
    expect(finished).toMatchObject({ code: 0, output: expect.stringMatching(/The old event log is closed/) });

    const elsewhere = { EVENTSTORE_URL: target.connectionString };
    expect((await installation.launch().ended).output).toMatch(/This event log was moved to 127\.0\.0\.1/);
    await installation.launch(elsewhere).open;
    const left = await startEventStore({ databaseUrl: installation.addresses().databaseUrl });
    const old = await eventsOf(left.connectionString);
    await left.stop();
    const copy = await eventsOf(target.connectionString);
    // As texts: compared byte by byte, these events would keep this process, and so the store in it, from answering for a minute.
    const texts = (events: readonly VerbatimEvent[]) =>
      events.map(
        ({ position, created, ...event }) => `${position.commit} ${created.toISOString()} ${textOf(event)}`,
      );
    const bare = (events: readonly VerbatimEvent[]) =>
      events.filter(({ type }) => type !== 'LogMoved' && type !== 'LogContinued').map(textOf);
    expect(texts(old.slice(0, before.length))).toEqual(texts(before));
    expect(bare(old)).toEqual(bare(before));
    expect(bare(copy)).toEqual(bare(before));
    expect(copy.filter(({ type }) => type === 'LogContinued')).toHaveLength(1);
    await client.dispose();
    await counting.end();

    // What was done at the desk has the letters of visits.
    const causes = before.filter(
      (each) => BORROW_EVENTS[each.type as BorrowEvent['type']]?.letter && !isAtDesk(each),
    );
    const letters = await lettersOnceThere(installation.addresses().databaseUrl, causes.length);
    expect(letters.toSorted()).toEqual(causes.map(({ id }) => id).toSorted());
    // As words, so that a failure says what is different.
    const { code, output } = await installation.command('verify', [], elsewhere);
    expect(`${code}: ${output}`).toMatch(/^0: .*no difference/s);
    const librarian = await apiCaller(installation.url, 'reader', PASSWORDS.reader);
    await librarian.rent([items[1]?.id ?? 0]);
    expect((await installation.stop()).code).toBe(0);
  });
});

/** What letters were asked for, when as many are there as are due. */
async function lettersOnceThere(url: string, due: number): Promise<string[]> {
  const connection = new pg.Client({ connectionString: url });
  await connection.connect();
  try {
    for (let look = 0; ; look += 1) {
      const { rows } = await connection.query<{ cause: string }>(
        "select cause from letters.letter where kind <> 'visit'",
      );
      if (rows.length >= due || look >= 600) return rows.map(({ cause }) => cause);
      await sleep(200);
    }
  } finally {
    await connection.end();
  }
}
