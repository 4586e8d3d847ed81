import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import type { SimulationView } from '#contracts/rules/what-if.js';
import { BORROW_POLICY } from '#circulation/rules/borrow.policy.js';
import { ruleSetOf } from '#circulation/rules/rule-book.js';
import { skipLast, storeForeign } from '../../../test-support/event-store/foreign-events.js';
import { startProduct, type TestAccount } from '../../../test-support/product/product.js';
import { startRelay, type Relay } from '../../../test-support/installation/relay.js';
import { StandingClock } from '../../../test-support/test-clock.js';
import { waitFor } from '../../../test-support/wait-for.js';
import { shared } from '../../../test-support/shared.js';

const RULES = ruleSetOf(BORROW_POLICY);
const TWICE = { ...RULES, finePerBookAndDay: 100, fineCap: 10_000 };

describe('what other rules would have done', () => {
  const clock = new StandingClock('2026-02-01T09:00:00.000Z');
  let relay: Relay;
  const histories: BorrowEvent[] = [];
  const readers: TestAccount[] = [];

  const product = shared(() =>
    startProduct(clock, {
      environment: { TIME_ZONE: 'Europe/Warsaw' },
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
  const other = shared(() => product.startServer({ JOBS: 'off' }));
  const elsewhere = shared(() => admin.at(other.url));
  beforeAll(async () => {
    for (let n = 0; n < 3; n += 1) {
      const reader = await product.account();
      readers.push(reader);
      histories.push(...(await product.storeHistory(reader.pseudonym, 120)));
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
  /** Processes of trials, the latest last. */
  const pids = async () =>
    (await product.lines()).flatMap((line) => {
      const { pid, msg } = JSON.parse(line) as { pid?: number; msg: string };
      return msg === 'rules are tried on the log' && pid !== undefined ? [pid] : [];
    });
  /** A trial whose process stands still. */
  const standing = async (body: object) => {
    const before = (await pids()).length;
    // It cannot be done before it stands.
    relay.silence();
    const id = await ask(body);
    const pid = await waitFor(async () => (await pids())[before]);
    process.kill(pid, 'SIGSTOP');
    relay.restore();
    await waitFor(async () => (await view(id)).state === 'running');
    return { id, pid };
  };
  /** A process that has ended and is not waited for yet has no command. */
  const isGone = (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8') === '';
    } catch {
      return true;
    }
  };

  it('refuses rules and days that are none by their fields', async () => {
    const errorsOf = async (body: object) => (await admin.post('Rules/what-if', body)).body.errors;
    expect(await errorsOf({ rules: { ...RULES, loanDays: 0 } })).toEqual({
      'rules.loanDays': expect.any(Array),
    });
    expect(await errorsOf({ rules: RULES, to: '2026-02-01' })).toEqual({
      to: ['Only past days can be tried, up to 2026-01-31.'],
    });
    expect(await errorsOf({ rules: RULES, from: '2026-02-05' })).toEqual({ from: expect.any(Array) });
    expect(await errorsOf({ rules: RULES, from: '2010-01-01' })).toEqual({ from: expect.any(Array) });
    expect((await admin.get(`Rules/what-if/${randomUUID()}`)).body.code).toBe('TrialNotFound');
    expect((await admin.get('Rules/what-if')).body).toEqual({ simulation: null });
  });

  it('answers the same each time, to whom any server is asked by, and writes nothing', async () => {
    const end = await product.log.last();
    const { id } = (await auditor.post('Rules/what-if', { rules: TWICE })).body as { id: string };
    const simulation = await over(id);
    expect(simulation).toMatchObject({ state: 'done', progress: 100, from: '2025-02-01', to: '2026-01-31' });
    const real = histories.reduce((sum, { type, data }) => {
      if (type !== 'FineCharged') return sum;
      const isIn = data.chargedAt >= '2025-01-31T23:00' && data.chargedAt < '2026-01-31T23:00';
      return isIn ? sum + data.amount : sum;
    }, 0);
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
    expect((await pids()).every(isGone)).toBe(true);
  });

  it('names the readers to admins, and records that they were looked at', async () => {
    const id = await ask({ rules: TWICE });
    await over(id);
    const { body } = await admin.get(`Rules/what-if/${id}/readers`);
    const found = body.items as { id: string; fullname: string; real: number; simulated: number }[];
    expect(new Set(found.map((reader) => reader.id))).toEqual(new Set(readers.map((reader) => reader.id)));
    for (const { fullname, real, simulated } of found) {
      expect(fullname).toMatch(/^Zofia Łęcka/);
      expect(simulated).toBe(2 * real);
    }
    for (const reader of readers) {
      const { items } = (await auditor.get(`Audit/looks?readerId=${reader.id}`)).body;
      const look = { who: { id: admin.id }, what: 'what-if', parameters: { simulation: id } };
      expect(items[0]).toMatchObject(look);
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
    expect((await pids()).every(isGone)).toBe(true);
    expect((await over(await ask({ rules: TWICE }))).state).toBe('done');
  });

  it('tells of an event that nobody can read, until that is skipped', async () => {
    const key = readers[0]?.pseudonym ?? '';
    const broken = { type: 'BooksReturned', data: { borrowId: 1 } };
    const eventId = await storeForeign(product, key, broken);
    expect(await over(await ask({ rules: TWICE }))).toMatchObject({
      state: 'failed',
      failure: expect.stringContaining('cannot be read'),
    });
    await skipLast(product, key, eventId);
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
