import type { QueryConfig } from 'pg';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import {
  borrowOrderSchema,
  borrowFilterSchema,
  type BorrowListQuery,
  type BorrowOrder,
} from '#contracts/borrowing/borrow-views.js';
import { createLogger } from '#platform/logging.js';
import { openDatabase, type Database } from '#platform/database/database.js';
import { insertAccount, insertBorrows } from '../../../test-support/database/borrow-rows.js';
import { chanceFrom } from '../../../test-support/arbitraries/chance.js';
import { createTestDatabase } from '../../../test-support/database/database.js';
import { shared } from '../../../test-support/shared.js';
import { pageOfBorrows, pageOfHistory } from './borrow-page.js';
import { READ_MODEL } from '#platform/database/read-model.js';

const COUNT = 60;
const PAGE = 13;
const ZONE = 'Europe/Warsaw';
const TITLES = ['solaris', 'the history of dust', 'dust\nsolaris', '100% wool'];
const DATES = ['2026-01-31T23:30:00Z', '2026-02-01T10:00:00Z', '2026-03-02T10:00:00Z'];

const CODE = copyCode({ bookId: 4711, copy: 2 });
const OTHER_CODE = copyCode({ bookId: 4711, copy: 3 });
const ISBN = '9780306406157';

type Part = Pick<BorrowListQuery, 'OrderBy' | 'Direction' | 'pageNumber' | 'pageSize'>;

interface Row {
  id: string;
  /** Has the book 4711: `2` where that copy was scanned, null where none was. */
  copy?: number | null;
  status: string;
  /** How many of its books wait at the desk. */
  reserved: number;
  /** It was lent, and that was undone. */
  undone: boolean;
  titles: string;
  reader: string;
  RentDate: string;
  BorrowDate: string | null;
  DueDate: string | null;
  ReturnDate: string | null;
}

describe('a page of the queue', () => {
  const rows: Row[] = [];

  const own = shared(() => createTestDatabase('migrated'));
  const database = shared(() => openDatabase(own.url, 2, createLogger('silent')));
  beforeAll(async () => {
    const random = chanceFrom(1);
    const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
    const readers = ['Łucja Żak', 'Jan Solaris', 'Nobody'].map((name, at) => ({ name, id: uuid(900 + at) }));
    for (const { name, id } of readers.slice(0, 2)) {
      const [firstname = '', lastname = ''] = name.split(' ');
      const email = `${firstname}@desk.example`;
      await insertAccount(database, { id, pseudonym: id, username: firstname, email, firstname, lastname });
    }
    await database.query(
      `with p as (insert into publisher (name) values ('Press') returning id)
       insert into book (id, isbn, title, publisher_id, published, copies_total, copies_available)
       overriding system value select 4711, $1, '100% Wool', p.id, '2001-01-01', 9, 9 from p`,
      [ISBN],
    );
    const stateOf = (status: string) => {
      const undone = status === 'Expired' && random.chance(0.5);
      return { status, reserved: status === 'Expired' ? 0 : random.below(2), undone };
    };
    const maybe = () => (random.chance(0.4) ? null : random.pick(DATES));
    for (let at = 0; at < COUNT; at += 1) {
      rows.push({
        // Not in the order of the rents.
        id: uuid((at * 37) % COUNT),
        ...stateOf(random.pick(['Rented', 'Issued', 'Returned', 'Expired', 'Not_Paid', 'Paid'])),
        titles: random.pick(TITLES),
        ...(at % 5 === 0 && { titles: '100% wool', copy: at % 2 === 0 ? 2 : null }),
        reader: random.pick(readers).id,
        RentDate: random.pick(DATES),
        BorrowDate: maybe(),
        DueDate: maybe(),
        ReturnDate: maybe(),
      });
    }
    await insertBorrows(
      database,
      rows.map(({ copy, ...row }, position) => ({
        ...{ borrow_id: row.id, reader_id: row.reader, titles: row.titles, status: row.status, position },
        ...{ rented_at: row.RentDate, issued_at: row.BorrowDate, due_date: row.DueDate },
        ...{ returned_at: row.ReturnDate, reserved: row.reserved, undone: row.undone },
        books: copy === undefined ? [] : [{ bookId: 4711, title: '100% wool', ...(copy && { copy }) }],
      })),
    );
    await database.query(
      `insert into ${READ_MODEL}.borrow_count select status, count(*) from ${READ_MODEL}.borrow group by status`,
    );
  });

  /** What a search finds, said again in another way. Days are those of Warsaw, an hour before UTC. */
  const FOUND: Record<string, (row: Row) => boolean> = {
    '': () => true,
    dust: ({ titles }) => titles.includes('dust'),
    Solaris: ({ titles, reader }) => titles.includes('solaris') || reader.endsWith('901'),
    'lucja z': ({ reader }) => reader.endsWith('900'),
    // Words in any order, also of title and name; user names and addresses too.
    'ŻAK łucja': ({ reader }) => reader.endsWith('900'),
    'dust history': ({ titles }) => titles.includes('history of dust'),
    'zak dust': ({ titles, reader }) => titles.includes('dust') && reader.endsWith('900'),
    'jan@desk.example': ({ reader }) => reader.endsWith('901'),
    [CODE]: ({ copy }) => copy === 2 || copy === null,
    [CODE.replaceAll('-', ' - ')]: ({ copy }) => copy === 2 || copy === null,
    [OTHER_CODE]: ({ copy }) => copy === null,
    [`${CODE} solaris`]: ({ copy, reader }) => (copy === 2 || copy === null) && reader.endsWith('901'),
    [ISBN]: ({ copy }) => copy !== undefined,
    '978-0-306-40615-7': ({ copy }) => copy !== undefined,
    '0-306-40615-2': ({ copy }) => copy !== undefined,
    '9780000000002': () => false,
    '00000000-0000-4000-8000-000000000007': ({ id }) => id.endsWith('007'),
    '00000000-0000-4000-8000-00000000001': ({ id }) => id.slice(0, -1).endsWith('0001'),
    '00000000': () => true,
    'dust the': ({ titles }) => titles.includes('the history of dust'),
    'solaris ZAK': ({ titles, reader }) => titles.includes('solaris') && reader.endsWith('900'),
    '%': ({ titles }) => titles.includes('%'),
    '2026-02-01': ({ RentDate, BorrowDate }) =>
      [RentDate, BorrowDate].some((date) => date === DATES[0] || date === DATES[1]),
    '2026-03': ({ RentDate, BorrowDate }) => [RentDate, BorrowDate].includes(DATES[2] ?? ''),
    'no such thing': () => false,
  };

  /** Whole lists in both directions, page by page up to the first empty one. */
  const bothWays = async (
    total: number,
    OrderBy: BorrowOrder,
    pageOf: (part: Part) => Promise<{ ids: string[]; total: number }>,
  ): Promise<[up: string[], down: string[]]> => {
    const whole = async (Direction: Part['Direction']) => {
      const ids: string[] = [];
      for (let pageNumber = 1; pageNumber <= Math.ceil(total / PAGE) + 1; pageNumber += 1) {
        const page = await pageOf({ OrderBy, Direction, pageNumber, pageSize: PAGE });
        expect(page.total).toBe(total);
        expect(page.ids).toHaveLength(Math.max(0, Math.min(PAGE, total - (pageNumber - 1) * PAGE)));
        ids.push(...page.ids);
      }
      return ids;
    };
    return Promise.all([whole('Ascending'), whole('Descending')]);
  };
  const datesOf = (ids: readonly string[], order: BorrowOrder) =>
    ids.map((id) => rows.find((row) => row.id === id)?.[order] ?? '');

  it.each(borrowOrderSchema.options)(
    'by %s is the same part of all that are found as in a list sorted at once, from the first to the last',
    async (OrderBy) => {
      for (const [SearchTerm, isFound] of Object.entries(FOUND)) {
        for (const SortBy of borrowFilterSchema.options) {
          const isListed = ({ status, reserved, undone }: Row) =>
            SortBy === 'All' ||
            (status === SortBy && !(SortBy === 'Expired' && undone)) ||
            (SortBy === 'Rented' && reserved > 0);
          const found = rows.filter((row) => isFound(row) && isListed(row));
          const [up, down] = await bothWays(found.length, OrderBy, (part) =>
            pageOfBorrows(database, READ_MODEL, { ...part, SortBy, SearchTerm }, ZONE),
          );
          expect(down.toReversed()).toEqual(up);
          expect(up.toSorted()).toEqual(found.map(({ id }) => id).sort());
          // A missing date counts as zero.
          expect(datesOf(up, OrderBy)).toEqual(datesOf(up, OrderBy).sort());
        }
      }
    },
  );

  it.each(borrowOrderSchema.options)(
    'of a reader’s own history by %s is the same part of all of theirs',
    async (OrderBy) => {
      const reader = rows[0]?.reader ?? '';
      const found: Record<string, (row: Row) => boolean> = {
        '': () => true,
        'wool 100%': ({ titles }) => titles.includes('100%'),
        SOLARIS: ({ titles }) => titles.includes('solaris'),
        '2026-02-01': ({ RentDate }) => RentDate === DATES[0] || RentDate === DATES[1],
        zak: () => false,
      };
      for (const [SearchTerm, isFound] of Object.entries(found)) {
        const own = rows.filter((row) => row.reader === reader && isFound(row));
        const [up, down] = await bothWays(own.length, OrderBy, (part) =>
          pageOfHistory(database, READ_MODEL, reader, { ...part, SearchTerm }, ZONE),
        );
        for (const ids of [up, down.toReversed()]) {
          expect(ids.toSorted()).toEqual(own.map(({ id }) => id).sort());
          expect(datesOf(ids, OrderBy)).toEqual(datesOf(ids, OrderBy).sort());
        }
      }
    },
  );

  it('keeps what was there when others came between the count and the page', async () => {
    const newest = '2026-03-02T11:00:00Z';
    let isCounted = false;
    const meanwhile: Database = Object.create(database, {
      query: {
        value: async (statement: QueryConfig) => {
          const answer = await database.query(statement);
          if (!isCounted) {
            isCounted = true;
            await database.query(
              `insert into ${READ_MODEL}.borrow select (jsonb_populate_record(b, jsonb_build_object(
                 'borrow_id', '00000000-0000-4000-8000-000000000999', 'rented_at', $1::text))).* from ${READ_MODEL}.borrow b limit 1`,
              [newest],
            );
          }
          return answer;
        },
      },
    }) as Database;
    const query = { SortBy: 'All', SearchTerm: '', OrderBy: 'RentDate', Direction: 'Descending' } as const;
    const page = await pageOfBorrows(meanwhile, READ_MODEL, { ...query, pageNumber: 1, pageSize: 100 }, ZONE);
    expect(page.ids.toSorted()).toEqual(
      [...rows.map(({ id }) => id), '00000000-0000-4000-8000-000000000999'].sort(),
    );
    expect(page.total).toBe(COUNT + 1);
  });
});
