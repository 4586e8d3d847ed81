import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { TIMELINE_EVENTS, type Timeline } from '#contracts/audit/timeline.js';
import { MAX_PAGE_SIZE, pagedSchema } from '#contracts/paging.js';
import type { RulesOverview } from '#contracts/rules/rule-views.js';
import { startProduct, type TestAccount } from '../../test-support/product.js';
import { storeEvents } from '../../test-support/stored-events.js';
import { unlimitedParts, type AnswerSchema } from '../../test-support/unlimited-parts.js';
import { untilServed, waitFor } from '../../test-support/wait-for.js';
import { shared } from '../../test-support/shared.js';
import { describeApi, type ApiDescription } from './api-description.js';
import type { ApiRoute } from './api-routes.js';

// oxlint-disable-next-line typescript/no-explicit-any
type Anything = any;

/** An event as it is in the log, which takes none above a megabyte. */
const EVENTS_AS_STORED =
  /^GET \/Audit\/readers\/{readerId}\/events(\/{revision} | \.items\[\])\.(data|metadata){}$/;

/** Every part of an answer that does not say how long it is at most. */
function unlimitedIn({ paths }: ApiDescription): string[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]: [string, Anything]) =>
      Object.values(responses).flatMap((response: Anything) => {
        const schema = response.content?.['application/json']?.schema as AnswerSchema | undefined;
        return schema ? unlimitedParts(schema, `${method.toUpperCase()} ${path} `) : [];
      }),
    ),
  );
}

describe('the answers of the API', () => {
  const product = shared(() => startProduct());
  const admin = shared(() => product.account('Admin', 'Auditor'));

  it('all say how long they are at most', async () => {
    const described = (await (await fetch(`${product.url}/api/docs-json`)).json()) as ApiDescription;
    expect(unlimitedIn(described).filter((part) => !EVENTS_AS_STORED.test(part))).toEqual([]);
  });

  it.each<[string, z.ZodType, string[]]>([
    ['a list', z.array(z.string()), ['[]']],
    ['a list in a page', pagedSchema(z.object({ tags: z.array(z.string()) })), ['.items[].tags[]']],
    [
      'a list where there may be none',
      z.object({ found: z.array(z.int()).nullable().optional() }),
      ['.found[]'],
    ],
    ['a list in one of several', z.union([z.object({ a: z.int() }), z.array(z.int())]), ['[]']],
    ['a list in a tuple', z.tuple([z.int(), z.array(z.int())]), ['[]']],
    ['a tuple that goes on', z.tuple([z.int()], z.string()), ['[]']],
    ['names that nobody knows', z.object({ byName: z.record(z.string(), z.int()) }), ['.byName{}']],
    ['a list under names', z.record(z.enum(['a']), z.array(z.int())), ['{}[]']],
    ['anything', z.object({ more: z.unknown() }), ['.more?']],
    ['what holds its limit', z.array(z.record(z.enum(['a', 'b']), z.int())).max(3), []],
  ])('are found out where a new call would answer %s', (_what, schema, parts) => {
    const route = product.routes.find(({ path, method }) => path === 'Author' && method === 'GET');
    const added: ApiRoute = { ...(route as ApiRoute), path: 'Seeded', answer: { schema } };
    expect(unlimitedIn(describeApi([added], 'Seeded'))).toEqual(parts.map((part) => `GET /Seeded ${part}`));
  });

  // spec 7.12, 7.13, 7.14
  it.each([
    ['Author', 'author (firstname, lastname)', `'Jan', 'Kowalski ' || lpad(n::text, 4, '0')`, 'Jan Kowalski'],
    ['Genre', 'genre (name)', `'Jan Kowalski ' || lpad(n::text, 4, '0')`, 'Jan Kowalski'],
    ['Publisher', 'publisher (name)', `'Jan Kowalski ' || lpad(n::text, 4, '0')`, 'Jan Kowalski'],
  ])('of GET %s has a page, and each of thousands is reached', async (path, table, values, name) => {
    await product.database.query(`insert into ${table} select ${values} from generate_series(1, 3000) n`);
    const list = async (query: string) => (await admin.get(`${path}${query}`)).body as { id: number }[];
    expect(await list('')).toHaveLength(MAX_PAGE_SIZE);
    expect((await admin.get(`${path}?pageSize=${MAX_PAGE_SIZE + 1}`)).status).toBe(400);
    const reached = new Set<number>();
    for (let page = 1; page <= 31; page += 1) {
      for (const { id } of await list(`?pageNumber=${page}`)) reached.add(id);
    }
    expect(reached.size).toBeGreaterThanOrEqual(3000);
    expect(await list(`?SearchTerm=kowalski%201234%20JAN`)).toHaveLength(1);
    // One whose name is a part of all the others' is the first that its name finds.
    const field = path === 'Author' ? '(firstname, lastname)' : '(name)';
    const named = path === 'Author' ? `('Ján', 'Kowalski')` : `('${name}')`;
    await product.database.query(`insert into ${path.toLowerCase()} ${field} values ${named}`);
    const [first] = (await list(`?SearchTerm=${encodeURIComponent(name)}`)) as {
      fullname?: string;
      name?: string;
    }[];
    expect(['Ján Kowalski', 'Jan Kowalski']).toContain(first?.fullname ?? first?.name);
  });

  it('of the own borrows and of a history come in parts, and the parts are all of it', async () => {
    const reader = await product.account();
    const count = TIMELINE_EVENTS + 300;
    await storeEvents(product.settings.EVENTSTORE_URL, reader.pseudonym, count);
    // All that follows the log is at these events too: a call may be told to come again.
    const served = async (who: TestAccount, path: string) => (await untilServed(() => who.get(path))).body;
    const part = async (after: number): Promise<Timeline> =>
      served(admin, `Audit/readers/${reader.id}/timeline?after=${after}`);
    const first = await part(-1);
    expect(first).toMatchObject({ totalCount: count, lastRevision: count - 1 });
    expect(first.rows).toHaveLength(TIMELINE_EVENTS);
    const rest = await part(first.rows.at(-1)?.[0] ?? 0);
    expect([...first.rows, ...rest.rows].map(([revision]) => revision)).toEqual(
      Array.from({ length: count }, (_, revision) => revision),
    );
    const history = (query: string) => served(reader, `Borrow/history${query}`);
    await waitFor(async () => (await history('?pageNumber=1&pageSize=1')).totalCount > MAX_PAGE_SIZE);
    expect(await history('')).toHaveLength(MAX_PAGE_SIZE);
    const past = await history('?at=2099-01-01T00:00:00.000Z');
    expect(past.items).toHaveLength(MAX_PAGE_SIZE);
    expect(past.totalCount).toBeGreaterThan(MAX_PAGE_SIZE);
    const second = await history('?at=2099-01-01T00:00:00.000Z&pageNumber=2&pageSize=100');
    expect(second.items[0].id).not.toBe(past.items[0].id);
    expect(second.items).toHaveLength(MAX_PAGE_SIZE);
  });

  it('of the copies of a book have a page, and say of all where they are', async () => {
    const book = await product.book(230);
    const lost = (await admin.get(`Book/${book}/copies?pageNumber=12`)).body.items[9];
    expect((await admin.post(`Copy/${lost.code}/lost`)).status).toBe(200);
    const { body } = await admin.get(`Book/${book}/copies?pageNumber=3&pageSize=100`);
    expect(body).toMatchObject({ totalCount: 230, states: { 'on-shelf': 229, lost: 1, lent: 0 } });
    expect(body.items.map(({ copy }: { copy: number }) => copy)).toEqual(
      Array.from({ length: 30 }, (_, n) => 201 + n),
    );
    expect((await admin.get(`Book/${book + 1000}/copies`)).body.code).toBe('BookNotFound');
  });

  it('of the rules go on before a version', async () => {
    const { current, versions } = (await admin.get('Rules')).body as RulesOverview;
    const earlier = (await admin.get(`Rules?before=${versions[0]?.version}`)).body as RulesOverview;
    expect(earlier.versions).toEqual(versions.slice(1));
    expect(earlier.current).toEqual(current);
    expect((await admin.get('Rules?before=1')).body.versions).toEqual([]);
  });

  it('of changes of roles have a page', async () => {
    const whom = await product.account();
    await product.database.query(
      `insert into role_change (account_id, changed_by, at, given, taken)
       select $1, $2, now() + n * interval '1 minute', '{Auditor}', '{}' from generate_series(1, 130) n`,
      [whom.id, admin.id],
    );
    expect((await admin.get(`User/role-changes?id=${whom.id}`)).body).toHaveLength(MAX_PAGE_SIZE);
    expect((await admin.get(`User/role-changes?id=${whom.id}&pageNumber=2`)).body).toHaveLength(30);
    expect((await admin.get(`User/role-changes?id=${randomUUID()}`)).body.code).toBe('NotFound');
  });
});
