import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { jsonEvent } from '@eventstore/db-client';
import { borrowStream, type BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import type { SimulationView } from '#contracts/rules/what-if.js';
import { BORROW_POLICY } from '#circulation/rules/borrow.policy.js';
import { ruleSetOf } from '#circulation/rules/rule-book.js';
import { ANY_LOG } from '#platform/event-log/log-proof.js';
import { eventStoreClient } from '#platform/event-log/open-event-store.js';
import { createLogger } from '#platform/logging.js';
import { startServer } from '../../create-server.js';
import { caller, startProduct, type TestAccount } from '../../../test-support/product.js';
import { startRelay, type Relay } from '../../../test-support/relay.js';
import { storeEvents } from '../../../test-support/stored-events.js';
import { StandingClock } from '../../../test-support/test-clock.js';
import { waitFor } from '../../../test-support/wait-for.js';
import { shared } from '../../../test-support/shared.js';
import { metadataOf } from '../../../test-support/event-metadata.js';

const RULES = ruleSetOf(BORROW_POLICY);
const TWICE = { ...RULES, finePerBookAndDay: 100, fineCap: 10_000 };
const EVENTS_OF_READER = 120;

describe('what other rules would have done', () => {
  const clock = new StandingClock('2026-02-01T09:00:00.000Z');
  const lines: string[] = [];
  /** Processes of trials, the latest last. */
  const pids: number[] = [];
  let stopsNext = false;
  let relay: Relay;

  const histories = new Map<string, BorrowEvent[]>();
  const readers: TestAccount[] = [];

  // A process that is stopped as soon as it is there has done nothing yet, and does nothing until it is killed.
  lines.push = (line: string) => {
    const { pid, msg } = JSON.parse(line) as { pid?: number; msg: string };
    if (msg === 'rules are tried on the log' && pid !== undefined) {
      pids.push(pid);
      if (stopsNext) process.kill(pid, 'SIGSTOP');
    }
    return 0;
  };

  const product = shared(() =>
    startProduct(clock, {
      environment: { TIME_ZONE: 'Europe/Warsaw' },
      log: lines,
      before: async (url) => {
        const address = new URL(url);
        relay = await startRelay(Number(address.port));
        address.port = String(relay.port);
        return address.href;
      },
    }),
  );
  const admin = shared(() => product.account('Reader', 'Admin'));
  const auditor = shared(() => product.account('Reader', 'Auditor'));
  /** Another server of the installation, which does no jobs. */
  const other = shared(() =>
    startServer({ ...product.settings, JOBS: 'off' }, { clock, logger: createLogger('fatal') }),
  );
  const elsewhere = shared(() => caller(other.url, admin.token));
  beforeAll(async () => {
    for (let n = 0; n < 3; n += 1) {
      const reader = await product.account();
      readers.push(reader);
      const { EVENTSTORE_URL } = product.settings;
      histories.set(reader.pseudonym, await storeEvents(EVENTSTORE_URL, reader.pseudonym, EVENTS_OF_READER));
    }
  });
  afterAll(() => relay.close());

  const ask = async (body: object) => {
    const answer = await admin.post('Rules/what-if', body);
    expect(answer.status).toBe(202);
    return answer.body.id as string;
  };
  const view = async (id: string) => (await admin.get(`Rules/what-if/${id}`)).body as SimulationView;
  const over = (id: string) =>
    waitFor(async () => {
      const simulation = await view(id);
      return simulation.state !== 'waiting' && simulation.state !== 'running' && simulation;
    });
  /** A trial whose process stands still. */
  const standing = async (body: object) => {
    const before = pids.length;
    stopsNext = true;
    const id = await ask(body);
    await waitFor(async () => (await view(id)).state === 'running' && pids.length > before);
    stopsNext = false;
    return { id, pid: pids.at(-1) ?? 0 };
  };
  /** A process that has ended and is not waited for yet has no command. */
  const isGone = (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8') === '';
    } catch {
      return true;
    }
  };

  it('refuses rules and days that are none by their fields, and who may not ask', async () => {
    const errorsOf = async (body: object) => (await admin.post('Rules/what-if', body)).body.errors;
    expect(await errorsOf({ rules: { ...RULES, loanDays: 0 } })).toEqual({
      'rules.loanDays': expect.any(Array),
    });
    expect(await errorsOf({ rules: RULES, to: '2026-02-01' })).toEqual({
      to: ['Only past days can be tried, up to 2026-01-31.'],
    });
    expect(await errorsOf({ rules: RULES, from: '2026-02-05' })).toEqual({ from: expect.any(Array) });
    expect(await errorsOf({ rules: RULES, from: '2010-01-01' })).toEqual({ from: expect.any(Array) });
    expect((await readers[0]?.post('Rules/what-if', { rules: RULES }))?.status).toBe(403);
    expect((await admin.get(`Rules/what-if/${randomUUID()}`)).body.code).toBe('TrialNotFound');
    expect((await admin.get('Rules/what-if')).body).toEqual({ simulation: null });
  });

  it('answers the same each time, to whom any server is asked by, and writes nothing', async () => {
    const end = await product.log.last();
    const { id } = (await auditor.post('Rules/what-if', { rules: TWICE })).body as { id: string };
    const simulation = await over(id);
    expect(simulation).toMatchObject({ state: 'done', progress: 100, from: '2025-02-01', to: '2026-01-31' });
    const charged = [...histories.values()]
      .flat()
      .flatMap(({ type, data }) =>
        type === 'FineCharged' && data.chargedAt >= '2025-01-31T23:00' && data.chargedAt < '2026-01-31T23:00'
          ? [data]
          : [],
      );
    const real = charged.reduce((sum, { amount }) => sum + amount, 0);
    expect(real).toBeGreaterThan(0);
    expect(simulation.answer?.fees).toEqual({ real, simulated: 2 * real });
    expect(simulation.answer?.months).toHaveLength(12);
    expect(simulation.answer?.changedReaders).toBe(3);
    const again = await over(await ask({ rules: TWICE, from: '2025-02-01', to: '2026-01-31' }));
    expect(again.answer).toEqual(simulation.answer);
    expect((await elsewhere.get('Rules/what-if')).body).toEqual({ simulation: again });
    expect((await over(await ask({ rules: RULES }))).answer).toMatchObject({
      fees: { real, simulated: real },
      changedReaders: 0,
      cannotBeTold: [],
    });
    expect(await product.log.last()).toEqual(end);
    expect(pids.every(isGone)).toBe(true);
  });

  it('names the readers to admins alone, and records that they were looked at', async () => {
    const id = await ask({ rules: TWICE });
    await over(id);
    expect((await auditor.get(`Rules/what-if/${id}/readers`)).status).toBe(403);
    const { body } = await admin.get(`Rules/what-if/${id}/readers`);
    const found = body.items as { id: string; fullname: string; real: number; simulated: number }[];
    expect(new Set(found.map((reader) => reader.id))).toEqual(new Set(readers.map((reader) => reader.id)));
    for (const { fullname, real, simulated } of found) {
      expect(fullname).toMatch(/^Zofia Łęcka/);
      expect(simulated).toBe(2 * real);
    }
    for (const reader of readers) {
      const looks = (await auditor.get(`Audit/looks?readerId=${reader.id}`)).body;
      expect(looks.items[0]).toMatchObject({
        who: { id: admin.id },
        what: 'what-if',
        parameters: { simulation: id },
      });
    }
  });

  it('is told of and cancelled by another server, and leaves no process behind', async () => {
    const { id, pid } = await standing({ rules: TWICE });
    expect((await elsewhere.get(`Rules/what-if/${id}`)).body).toMatchObject({ id, state: 'running' });
    expect((await elsewhere.post('Rules/what-if', { rules: TWICE })).body).toEqual({ id });
    const refused = await elsewhere.post('Rules/what-if', { rules: RULES });
    expect([refused.status, refused.body.code]).toEqual([409, 'TrialUnderWay']);
    expect(refused.body.detail).toContain('Zofia');
    expect((await elsewhere.delete(`Rules/what-if/${id}`)).body).toMatchObject({ id, state: 'cancelled' });
    await waitFor(() => isGone(pid));
    expect((await admin.get(`Rules/what-if/${id}/readers`)).body.code).toBe('TrialNotDone');
    expect((await over(await ask({ rules: RULES }))).state).toBe('done');
  });

  it('fails in words when its process is killed, or nobody is there to work on it', async () => {
    const { id, pid } = await standing({ rules: TWICE });
    process.kill(pid, 'SIGKILL');
    expect(await over(id)).toMatchObject({
      state: 'failed',
      failure: expect.stringContaining('stopped from outside'),
    });
    // As a process leaves it that dies with its machine.
    const left = async (state: string) =>
      product.database.query(
        `update rule_trial set state = $2, failure = null, touched_at = now() - interval '5 minutes' where id = $1`,
        [id, state],
      );
    await left('running');
    expect((await elsewhere.get(`Rules/what-if/${id}`)).body).toMatchObject({
      state: 'failed',
      failure: expect.stringContaining('has ended'),
    });
    await left('waiting');
    expect((await elsewhere.get(`Rules/what-if/${id}`)).body).toMatchObject({
      state: 'failed',
      failure: expect.stringContaining('Nothing picked it up'),
    });
  });

  it('fails in words when the event log goes away, and works when it is back', async () => {
    relay.silence();
    const id = await ask({ rules: TWICE });
    const simulation = await over(id);
    relay.restore();
    expect(simulation).toMatchObject({ state: 'failed', failure: expect.stringContaining('event log') });
    expect(pids.every(isGone)).toBe(true);
    expect((await over(await ask({ rules: TWICE }))).state).toBe('done');
  });

  it('tells of an event that nobody can read, until that is skipped', async () => {
    const [reader] = readers;
    const key = reader?.pseudonym ?? '';
    const last = BigInt(EVENTS_OF_READER - 1);
    const client = eventStoreClient(product.settings.EVENTSTORE_URL, ANY_LOG);
    const eventId = randomUUID();
    const metadata = metadataOf();
    const broken = {
      type: 'BooksReturned',
      data: { borrowId: 1 },
      metadata: { ...metadata, schemaVersion: 1 },
    };
    await client.appendToStream(borrowStream(key), jsonEvent({ id: eventId, ...broken }), {
      expectedRevision: last,
    });
    await client.dispose();
    expect(await over(await ask({ rules: TWICE }))).toMatchObject({
      state: 'failed',
      failure: expect.stringContaining('cannot be read'),
    });
    const decision = {
      type: 'EventSkipped' as const,
      data: {
        ...{ revision: EVENTS_OF_READER, eventId, code: 'unreadable' as const },
        skippedAt: '2026-01-31T09:00:00.000Z',
      },
    };
    await product.log.append('borrows', key, [{ id: randomUUID(), event: decision, metadata }], last + 1n);
    expect((await over(await ask({ rules: TWICE }))).answer).toMatchObject({ changedReaders: 3 });
  });

  it('ends with the server that works on it', async () => {
    const { id, pid } = await standing({ rules: RULES });
    await product.server.close();
    expect(isGone(pid)).toBe(true);
    expect((await elsewhere.get(`Rules/what-if/${id}`)).body).toMatchObject({
      state: 'failed',
      failure: expect.stringContaining('was stopped'),
    });
  });
});
