import type { QueryConfig } from 'pg';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import { borrowOrderSchema, borrowFilterSchema } from '#contracts/borrowing/borrow-views.js';
import { createLogger } from '#platform/logging.js';
import { openDatabase, type Database } from '#platform/database/database.js';
import { chanceFrom } from '../../../test-support/chance.js';
import { createTestDatabase } from '../../../test-support/database.js';
import { shared } from '../../../test-support/shared.js';
import { pageOfBorrows, pageOfHistory } from './borrow-page.js';
import { READ_MODEL } from '#platform/database/read-model.js';

const COUNT = 60;
const TITLES = ['solaris', 'the history of dust', 'dust\nsolaris', '100% wool'];
const DATES = ['2026-01-31T23:30:00Z', '2026-02-01T10:00:00Z', '2026-03-02T10:00:00Z'];

const CODE = copyCode({ bookId: 4711, copy: 2 });
const OTHER_CODE = copyCode({ bookId: 4711, copy: 3 });
const ISBN = '9780306406157';

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
      const [firstname, lastname] = name.split(' ');
      await database.query(
        `insert into account (id, pseudonym, username, name_key, email, password_hash, firstname, lastname, date_of_birth, gender, country,
           city, adress, postal_code)
         values ($1, $1, $2, lower($2), lower($2) || '@desk.example', '', $2, $3, '1984-11-10', 'Female', 'Poland', 'Warszawa', 'ul. Koszykowa 26', '00-553')`,
        [id, firstname, lastname],
      );
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
    for (const [at, row] of rows.entries()) {
      await database.query(
        `insert into ${READ_MODEL}.borrow (borrow_id, reader_id, books, titles, rented_at, collect_by, issued_at, due_date, returned_at,
           status, charged, paid, waived, renewals, lent, reserved, undone, recent, revision, position)
         values ($1, $2, $10, $3, $4, $4, $5, $6, $7, $8, 0, 0, 0, 0, 0, $11, $12, '[]', 0, $9)`,
        [
          row.id,
          row.reader,
          row.titles,
          row.RentDate,
          row.BorrowDate,
          row.DueDate,
          row.ReturnDate,
          row.status,
          at,
          JSON.stringify(
            row.copy === undefined
              ? []
              : [{ bookId: 4711, title: '100% wool', ...(row.copy && { copy: row.copy }) }],
          ),
          row.reserved,
          row.undone,
        ],
      );
    }
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
          const whole: Record<string, string[]> = {};
          for (const Direction of ['Ascending', 'Descending'] as const) {
            const ids: string[] = [];
            for (let pageNumber = 1; pageNumber <= Math.ceil(found.length / 7) + 1; pageNumber += 1) {
              const query = { SortBy, SearchTerm, OrderBy, Direction, pageNumber, pageSize: 7 };
              const page = await pageOfBorrows(database, READ_MODEL, query, 'Europe/Warsaw');
              expect(page.total).toBe(found.length);
              expect(page.ids).toHaveLength(Math.max(0, Math.min(7, found.length - (pageNumber - 1) * 7)));
              ids.push(...page.ids);
            }
            whole[Direction] = ids;
          }
          expect(whole['Descending']?.toReversed()).toEqual(whole['Ascending']);
          expect(whole['Ascending']?.toSorted()).toEqual(found.map(({ id }) => id).sort());
          // A missing date counts as zero.
          const dates = whole['Ascending']?.map((id) => rows.find((row) => row.id === id)?.[OrderBy] ?? '');
          expect(dates).toEqual(dates?.toSorted());
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
        for (const Direction of ['Ascending', 'Descending'] as const) {
          const ids: string[] = [];
          for (let pageNumber = 1; ids.length < own.length; pageNumber += 1) {
            const query = { SearchTerm, OrderBy, Direction, pageNumber, pageSize: 7 };
            const page = await pageOfHistory(database, READ_MODEL, reader, query, 'Europe/Warsaw');
            expect(page.total).toBe(own.length);
            expect(page.ids.length).toBeGreaterThan(0);
            ids.push(...page.ids);
          }
          expect(ids.toSorted()).toEqual(own.map(({ id }) => id).sort());
          const dates = ids.map((id) => rows.find((row) => row.id === id)?.[OrderBy] ?? '');
          expect(Direction === 'Ascending' ? dates : dates.toReversed()).toEqual(dates.toSorted());
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
    const page = await pageOfBorrows(
      meanwhile,
      READ_MODEL,
      { ...query, pageNumber: 1, pageSize: 100 },
      'Europe/Warsaw',
    );
    expect(page.ids.toSorted()).toEqual(
      [...rows.map(({ id }) => id), '00000000-0000-4000-8000-000000000999'].sort(),
    );
    expect(page.total).toBe(COUNT + 1);
  });
});
