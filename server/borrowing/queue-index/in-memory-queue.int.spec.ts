import {
  borrowFilterSchema,
  borrowOrderSchema,
  type BorrowListQuery,
} from '#contracts/borrowing/borrow-views.js';
import { foldText } from '#contracts/fold-text.js';
import { openDatabase } from '#platform/database/database.js';
import {
  READ_MODEL,
  readModelIndexes,
  readModelTables,
  shadowSchemaOf,
} from '#platform/database/read-model.js';
import { createLogger } from '#platform/logging.js';
import { insertAccount, insertBorrows } from '../../../test-support/database/borrow-rows.js';
import { chanceFrom } from '../../../test-support/arbitraries/chance.js';
import { createTestDatabase } from '../../../test-support/database/database.js';
import { waitFor } from '../../../test-support/wait-for.js';
import { atEnd, shared } from '../../../test-support/shared.js';
import { pageOfBorrows } from './borrow-page.js';
import { InMemoryQueue } from './in-memory-queue.js';

const ZONE = 'Europe/Warsaw';
const SCHEMA = READ_MODEL;
const WORDS = 'Solaris The history of dust Łódź 100% wool a_b Ćma prehistory Σίσυφος'.split(' ');
const NAMES = ['Łucja', 'Jan', 'Żak', 'Solaris', 'O’Brien', 'Ölund', 'Thea', 'Søren'];
const STATUSES = borrowFilterSchema.options.slice(1);
const TERMS = [
  ...['the', 'solaris', 'lucja z', 'JAN solaris', 'HIST', 'łódź', '%', '_', '\\'],
  ...['ólun', 'søren', 'nobody', 'reader-', 'o the a'],
];

describe('the queue in memory', () => {
  const random = chanceFrom(11);
  const logger = createLogger('silent');

  let position = 100;
  const borrows: string[] = [];
  const accounts: { id: string; pseudonym: string }[] = [];

  const uuid = () =>
    `${Array.from({ length: 32 }, () => Math.floor(random.next() * 16).toString(16)).join('')}`.replace(
      /^(.{8})(.{4})(.{4})(.{4})/,
      '$1-$2-$3-$4-',
    );
  const title = () => Array.from({ length: 1 + random.below(3) }, () => random.pick(WORDS)).join(' ');
  const titles = () =>
    Array.from({ length: 1 + random.below(2) }, title)
      .map(foldText)
      .join('\n');
  const day = () => new Date(Date.UTC(2026, 0, 1 + random.below(5)));
  const maybe = () => (random.chance(0.4) ? null : day());

  /** Columns that change. */
  const state = () => {
    const [status, one] = [random.pick(STATUSES), random.below(2)];
    const dates = { issued_at: maybe(), due_date: maybe(), returned_at: maybe(), titles: titles() };
    const isOver = status === 'Expired';
    return { status, ...dates, reserved: isOver ? 0 : one, undone: isOver && one === 1 };
  };
  const borrowed = async () => {
    const id = uuid();
    const reader = random.chance(0.1) ? uuid() : random.pick(accounts).pseudonym;
    position += random.below(2);
    const row = { borrow_id: id, reader_id: reader, rented_at: day(), position };
    await insertBorrows(database, [{ ...row, ...state() }]);
    borrows.push(id);
  };
  const changed = () =>
    database.query(
      `update ${SCHEMA}.borrow b set (status, issued_at, due_date, returned_at, titles, reserved, undone, position) =
         (select status, issued_at, due_date, returned_at, titles, reserved, undone, position
          from jsonb_populate_record(b, $2))
       where borrow_id = $1`,
      [random.pick(borrows), JSON.stringify({ ...state(), position: (position += 1) })],
    );
  const joined = async () => {
    const account = { id: uuid(), pseudonym: uuid() };
    const names = { username: `reader-${account.id}`, email: `${account.id}@lectern.example` };
    const [firstname, lastname] = [random.pick(NAMES), random.pick(NAMES)];
    await insertAccount(database, { ...account, ...names, firstname, lastname });
    accounts.push(account);
  };
  const renamed = () =>
    database.query('update account set lastname = $2 where id = $1', [
      random.pick(accounts).id,
      random.pick(NAMES),
    ]);
  const left = () => database.query('delete from account where id = $1', [random.pick(accounts).id]);
  const rebuilt = async () => {
    const shadow = shadowSchemaOf(SCHEMA);
    await database.query(readModelTables(shadow));
    await database.query(readModelIndexes(shadow));
    // What a rebuild finds may be other than what there was.
    await database.query(
      `insert into ${shadow}.borrow select * from ${SCHEMA}.borrow where left(borrow_id::text, 1) <> '7'`,
    );
    await database.query(
      `alter schema ${SCHEMA} rename to old; alter schema ${shadow} rename to ${SCHEMA}; drop schema old cascade`,
    );
  };

  const asked = (SearchTerm: string): BorrowListQuery => ({
    SearchTerm,
    SortBy: random.chance(0.6) ? 'All' : random.pick(borrowFilterSchema.options),
    OrderBy: random.pick(borrowOrderSchema.options),
    Direction: random.pick(['Ascending', 'Descending']),
    pageNumber: 1 + random.below(4),
    pageSize: 1 + random.below(15),
  });
  /** On a busy machine it may leave an answer to the database now and then, which is late but no fault. */
  const fromMemory = (query: BorrowListQuery) =>
    waitFor(() => memory.page(SCHEMA, query.SearchTerm.split(' ').filter(Boolean), query));
  /** As a search for everything: the counts of the statuses are the projection's. */
  const fromDatabase = async (query: BorrowListQuery) => {
    if (query.SearchTerm !== '') return pageOfBorrows(database, SCHEMA, query, ZONE);
    await database.query(`delete from ${SCHEMA}.borrow_count`);
    await database.query(
      `insert into ${SCHEMA}.borrow_count select status, count(*) from ${SCHEMA}.borrow group by status`,
    );
    return pageOfBorrows(database, SCHEMA, query, ZONE);
  };
  const isRead = () => fromMemory({ ...asked('dust'), pageNumber: 1 });

  const own = shared(() => createTestDatabase('migrated'));
  const database = shared(() => openDatabase(own.url, 4, logger));
  const memory = shared(() => new InMemoryQueue(database, logger));
  beforeAll(async () => {
    for (let at = 0; at < 12; at += 1) await joined();
    for (let at = 0; at < 60; at += 1) await borrowed();
    memory.prepare(SCHEMA);
    await isRead();
  });
  atEnd(() => memory.onModuleDestroy());

  it('answers as the database does, whatever has just been committed', async () => {
    const steps = [borrowed, borrowed, changed, changed, changed, joined, renamed, left];
    for (let step = 0; step < 150; step += 1) {
      await random.pick(steps)();
      for (const term of [random.pick(TERMS), '']) {
        const query = asked(term);
        expect({ query, page: await fromMemory(query) }).toEqual({ query, page: await fromDatabase(query) });
      }
    }
  });

  it('is read anew after a rebuild, and asks the database until then', async () => {
    await rebuilt();
    await isRead();
    for (const term of TERMS) {
      const query = asked(term);
      expect({ query, page: await fromMemory(query) }).toEqual({ query, page: await fromDatabase(query) });
    }
  });

  it('answers each of many who ask at once with what was committed before they asked', async () => {
    const gone = borrows.length - (await counted());
    const asking: Promise<unknown>[] = [];
    for (let at = 0; at < 20; at += 1) {
      await borrowed();
      const before = borrows.length;
      const query = { ...asked(''), SortBy: 'All' as const };
      asking.push(fromMemory(query).then((page) => expect(page.total).toBeGreaterThanOrEqual(before - gone)));
    }
    await Promise.all(asking);
  });

  it('leaves the answer to the database where the rows cannot be read', async () => {
    expect(await memory.page('read_model_v99', ['dust'], asked('dust'))).toBeUndefined();
    await isRead();
  });

  async function counted(): Promise<number> {
    const { rows } = await database.query(`select count(*)::integer as total from ${SCHEMA}.borrow`);
    return (rows[0] as { total: number }).total;
  }
});
