import { createTestDatabase, type TestDatabase } from '../../test-support/database/database.js';
import type { Operation } from '../../test-support/arbitraries/fuzzed-request.js';
import { plainRequest, type Known } from '../../test-support/arbitraries/plain-request.js';
import { startProduct, type TestAccount, type TestProduct } from '../../test-support/product/product.js';
import {
  startDatabaseRelay,
  startRelay,
  type DatabaseRelay,
  type Relay,
} from '../../test-support/installation/relay.js';
import { waitFor } from '../../test-support/wait-for.js';
import type { ApiDescription } from './api-description.js';

/** Milliseconds after which a call counts as hanging: it is answered 8 s after it was heard, by a process that sends all of them too. */
const LONGEST = 20_000;
/** They print, or take an upload. */
const MAY_TAKE_LONG = new Set([
  'GET /Dashboard/bookRaport',
  'GET /Dashboard/generate-stickers',
  'POST /Book/add',
  'PUT /Book/{id}',
]);
/** They end the session that the others are made with. */
const ENDS_SESSIONS = /logout|end-|change-password/i;

interface Told {
  call: string;
  status: number | 'no answer';
  code: string;
  retryAfter: string | null;
  milliseconds: number;
}

describe('every call of the API, with a part that accepts and never answers', () => {
  let database: TestDatabase;
  let toDatabase: DatabaseRelay;
  let toStore: Relay;
  let product: TestProduct;
  let staff: TestAccount;
  let operations: Operation[];
  let known: Known;

  beforeAll(async () => {
    database = await createTestDatabase('migrated');
    toDatabase = await startDatabaseRelay(database.url);
    product = await startProduct(undefined, {
      databaseUrl: toDatabase.url,
      environment: { HOLD_STALE_SECONDS: '3600' },
      before: async (store) => {
        toStore = await startRelay(Number(/:(\d+)\?/.exec(store)?.[1]));
        return store.replace(/:\d+\?/, `:${toStore.port}?`);
      },
    });
    staff = await product.account('Reader', 'Admin', 'Auditor');
    const bookIds = [await product.book(5)];
    const { body } = await staff.post('Borrow/rent-books', { bookIds });
    known = { borrowId: body.borrowId, userId: staff.id, readerId: staff.id, id: bookIds[0], bookIds };
    const description = (await (await fetch(`${product.url}/api/docs-json`)).json()) as ApiDescription;
    operations = Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): Operation => ({
        ...operation,
        method: method.toUpperCase(),
        path,
      })),
    );
  });
  afterAll(async () => {
    toDatabase?.restore();
    toStore?.restore();
    await product?.close();
    await toDatabase?.close();
    await toStore?.close();
    await database?.drop();
  });

  const isRead = ({ method }: Operation) => method === 'GET';
  const callOf = ({ method, path }: Operation) => `${method} ${path}`;
  const ask = async (operation: Operation): Promise<Told> => {
    const { method, path, body } = plainRequest(operation, known);
    const began = performance.now();
    const told = (status: Told['status'], code = '', retryAfter: string | null = null): Told => ({
      call: callOf(operation),
      status,
      code,
      retryAfter,
      milliseconds: Math.round(performance.now() - began),
    });
    try {
      const response = await fetch(`${product.url}/api${path}`, {
        method,
        headers: { authorization: `Bearer ${staff.token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body }),
        signal: AbortSignal.timeout(LONGEST),
        redirect: 'manual',
      });
      const text = await response.text();
      const { code = '' } = (response.status < 400 ? {} : JSON.parse(text)) as { code?: string };
      return told(response.status, code, response.headers.get('retry-after'));
    } catch {
      return told('no answer');
    }
  };
  const timely = () =>
    operations.filter(
      (operation) => !MAY_TAKE_LONG.has(callOf(operation)) && !ENDS_SESSIONS.test(operation.path),
    );
  const back = () => waitFor(async () => (await fetch(`${product.url}/readyz?strict`)).ok);

  it.each<[string, () => Relay, number]>([
    ['the database', () => toDatabase, 30],
    ['the event store', () => toStore, 4],
  ])(
    '%s: each is answered in time, at once or with 503 and when to ask again, and then all goes on',
    async (_part, relay, least) => {
      // More at once than the pool has connections.
      relay().silence();
      const answers = await Promise.all([...timely(), ...timely().filter(isRead)].map(ask));
      relay().restore();
      const wrong = answers.filter(
        ({ status, retryAfter }) =>
          status === 'no answer' || (status >= 500 && !(status === 503 && Number(retryAfter) > 0)),
      );
      expect(wrong).toEqual([]);
      expect(answers.filter(({ status }) => status === 503).length).toBeGreaterThan(least);

      await back();
      const again = await Promise.all(timely().filter(isRead).map(ask));
      expect(again.filter(({ status }) => status === 'no answer' || status >= 500)).toEqual([]);
      expect(await product.differences()).toEqual([]);
      process.stdout.write(
        `${answers.length} calls, the longest ${Math.max(...answers.map(({ milliseconds }) => milliseconds))} ms\n`,
      );
    },
  );
});
