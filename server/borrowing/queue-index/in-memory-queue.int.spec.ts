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
import { chanceFrom } from '../../../test-support/chance.js';
import { createTestDatabase } from '../../../test-support/database.js';
import { waitFor } from '../../../test-support/wait-for.js';
import { atEnd, shared } from '../../../test-support/shared.js';
import { pageOfBorrows } from './borrow-page.js';
import { InMemoryQueue } from './in-memory-queue.js';

const ZONE = 'Europe/Warsaw';
const SCHEMA = READ_MODEL;
const WORDS = [
  'Solaris',
  'The',
  'history',
  'of',
  'dust',
  'Łódź',
  '100%',
  'wool',
  'a_b',
  'Ćma',
  'prehistory',
  'Σίσυφος',
];
const NAMES = ['Łucja', 'Jan', 'Żak', 'Solaris', 'O’Brien', 'Ölund', 'Thea', 'Søren'];
const STATUSES = borrowFilterSchema.options.slice(1);
const TERMS = [
  'the',
  'solaris',
  'lucja z',
  'JAN solaris',
  'HIST',
  'łódź',
  '%',
  '_',
  '\\',
  'ólun',
  'søren',
  'nobody',
  'reader-',
  'o the a',
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

  const borrowed = async () => {
    const id = uuid();
    const reader = random.chance(0.1) ? uuid() : random.pick(accounts).pseudonym;
    await database.query(
      `insert into ${SCHEMA}.borrow (borrow_id, reader_id, books, titles, rented_at, collect_by, issued_at, due_date, returned_at,
         status, charged, paid, waived, renewals, lent, reserved, undone, recent, revision, position)
       values ($1, $2, '[]', $3, $4, $4, $5, $6, $7, $8, 0, 0, 0, 0, 0, case when $8::text = 'Expired' then 0 else $10::integer end,
         $8::text = 'Expired' and $10::integer = 1, '[]', 0, $9)`,
      [
        id,
        reader,
        titles(),
        day(),
        maybe(),
        maybe(),
        maybe(),
        random.pick(STATUSES),
        (position += random.below(2)),
        random.below(2),
      ],
    );
    borrows.push(id);
  };
  const changed = () =>
    database.query(
      `update ${SCHEMA}.borrow set status = $2, issued_at = $3, due_date = $4, returned_at = $5, titles = $6, position = $7,
         reserved = case when $2::text = 'Expired' then 0 else $8::integer end,
         undone = $2::text = 'Expired' and $8::integer = 1
       where borrow_id = $1`,
      [
        random.pick(borrows),
        random.pick(STATUSES),
        maybe(),
        maybe(),
        maybe(),
        titles(),
        (position += 1),
        random.below(2),
      ],
    );
  const joined = async () => {
    const account = { id: uuid(), pseudonym: uuid() };
    await database.query(
      `insert into account (id, pseudonym, username, name_key, email, password_hash, firstname, lastname, date_of_birth, gender, country,
         city, adress, postal_code)
       values ($1, $2, $3, $3, $4, '', $5, $6, '1984-11-10', 'Female', 'Poland', 'Warszawa', 'ul. Koszykowa 26', '00-553')`,
      [
        account.id,
        account.pseudonym,
        `reader-${account.id}`,
        `${account.id}@lectern.example`,
        random.pick(NAMES),
        random.pick(NAMES),
      ],
    );
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
