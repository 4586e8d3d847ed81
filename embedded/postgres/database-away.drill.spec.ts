import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { io, type Socket } from 'socket.io-client';
import type { ServerToClient } from '#contracts/live/live-messages.js';
import { migrate } from '#platform/database/migrate.js';
import { startPostgres, type PostgresServer } from './postgres-server.js';
import { startProduct, type TestAccount, type TestProduct } from '../../test-support/product/product.js';
import { startDatabaseRelay, type DatabaseRelay } from '../../test-support/installation/relay.js';
import { waitFor } from '../../test-support/wait-for.js';
import { atEnd, sharedFolder } from '../../test-support/shared.js';

/** Milliseconds after which a call counts as hanging. */
const HANGING = 30_000;

interface Told {
  status: string;
  checks: Record<string, { ok: boolean; state?: string }>;
}

describe('while PostgreSQL is away, and when it is back', () => {
  const folder = sharedFolder();
  let postgres: PostgresServer;
  let relay: DatabaseRelay;
  let product: TestProduct;
  let operations: string;
  let reader: TestAccount;
  let admin: TestAccount;
  let socket: Socket<ServerToClient>;

  beforeAll(async () => {
    postgres = await startPostgres(folder, { max_connections: '60', shared_buffers: '16MB' });
    await postgres.createDatabase('lectern');
    relay = await startDatabaseRelay(postgres.url('lectern'));
    await migrate(postgres.url('lectern'));
    product = await startProduct(undefined, { databaseUrl: relay.url });
    operations = await product.projectionOperations();
    [reader, admin] = [await product.account(), await product.account('Admin')];
    socket = io(product.url, { auth: { token: admin.token }, transports: ['websocket'] });
    await new Promise<void>((resolve) => socket.once('hello', () => resolve()));
  });
  atEnd(async () => {
    socket?.disconnect();
    await product?.close();
    await relay?.close();
    await postgres?.stop();
  });

  /** A call's status, and what the answer says of when to ask again. */
  const call = async (path: string, { body, key }: { body?: unknown; key?: string } = {}, by = reader) => {
    const answer = await fetch(`${product.url}/api/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${by.token}`,
        'content-type': 'application/json',
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(HANGING),
    });
    await answer.text();
    return { status: answer.status, retryAfter: Number(answer.headers.get('retry-after')) };
  };
  const told = async (url: string) => (await (await fetch(`${url}/readyz`)).json()) as Told;
  const until = (status: string, url: string) =>
    waitFor(async () => {
      const answer = await told(url);
      return answer.status === status ? answer : undefined;
    });

  it('every call is refused with a word on when to ask again, and none hangs; then all goes on by itself', async () => {
    const book = await product.book(1);
    const { email } = reader;
    // The leader of all its processes: the others see its end, and go.
    process.kill(
      Number(readFileSync(join(folder, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]),
      'SIGKILL',
    );
    await until('unavailable', product.url);
    await until('unavailable', operations);

    const rent = () => call('Borrow/rent-books', { body: { bookIds: [book] }, key: 'while-away-0001' });
    const login = () => call('Account/login', { body: { username: email, password: 'Sekret#2026' } });
    const refusals = await Promise.all([
      rent(),
      login(),
      call('Book?pageNumber=1&pageSize=12'),
      call('User/profile'),
    ]);
    expect(refusals.map(({ status }) => status).sort()).toEqual([503, 503, 503, 503]);
    expect(refusals.every(({ retryAfter }) => retryAfter > 0)).toBe(true);

    postgres = await startPostgres(folder, { max_connections: '60', shared_buffers: '16MB' });
    relay.leadToDatabase(postgres.url('lectern'));
    const back = await until('ready', product.url);
    expect(back.checks['notifications']?.ok).toBe(true);
    await waitFor(async () => {
      const { checks } = await told(operations);
      return checks['projector']?.state === 'leading' && checks['letters']?.state === 'leading';
    });

    const heard = new Promise((resolve) => socket.once('borrow', ({ borrow }) => resolve(borrow.user.id)));
    expect((await rent()).status).toBe(200);
    expect((await rent()).status).toBe(200);
    expect(await product.copies(book)).toBe(0);
    expect(await heard).toBe(reader.id);
    expect((await call('Account/forgot-password', { body: { email } })).status).toBe(200);
    await waitFor(async () =>
      (await product.letters(email)).some(({ subject }) => /password/i.test(subject)),
    );
    expect(await product.differences()).toEqual([]);
  });

  it('the same where it has no connection to spare', async () => {
    const hogs: pg.Client[] = [];
    const takeAll = async () => {
      for (;;) {
        const client = new pg.Client({
          connectionString: postgres.url('lectern'),
          application_name: 'hog',
        });
        client.on('error', () => undefined);
        const refused = await client.connect().then(
          () => undefined,
          ({ code }: { code?: string }) => code,
        );
        if (refused !== undefined) return expect(refused).toBe('53300');
        hogs.push(client);
      }
    };
    await takeAll();
    expect(hogs.length).toBeGreaterThan(5);
    // With the connections that its pool had already, the product would answer all the same.
    await hogs[0]?.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = '' and state = 'idle'`,
    );
    await takeAll();
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => call('Borrow?pageNumber=1&pageSize=5', {}, admin)),
    );
    expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
    const refusals = answers.filter(({ status }) => status === 503);
    expect(refusals.length).toBeGreaterThan(0);
    expect(refusals.every(({ retryAfter }) => retryAfter > 0)).toBe(true);
    await Promise.all(hogs.map((hog) => hog.end()));
    await until('ready', product.url);
    expect((await call('Borrow?pageNumber=1&pageSize=5', {}, admin)).status).toBe(200);
  });
});
