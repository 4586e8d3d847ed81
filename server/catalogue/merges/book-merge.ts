import * as m from '#words/messages.js';
import { z } from 'zod';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import { DomainError } from '#contracts/domain-error.js';
import { addCopy } from '#copies/copy.decider.js';
import type { Connection } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { EventPending, MAX_COPIES } from '../copies/copy-numbers.js';
import { COPIES_OF_BOOK, lockCounters } from '../copies/copy-rows.js';
import { writeCopies, type CopyContext, type DecidedEvent } from '../copies/copy-writer.js';
import { adoptCover, adoptRecord, labelMoved, moveListEntries } from './book-parts.js';
import { adoptVariants, recordMerge, type MergeContext } from './merge-rows.js';

const bookRow = z.object({ id: z.int(), title: z.string(), titles: z.array(z.string().nullable()) });
const openRow = z.object({ book_id: z.int(), out: z.int(), waiting: z.int() });
const copyRow = z.object({
  copy: z.int(),
  condition: z.enum(['present', 'lost', 'damaged', 'withdrawn']),
  shelf_mark: z.string().nullable(),
  is_pending: z.boolean(),
});
const recordRow = z.object({ record: z.record(z.string(), z.unknown()) });
const filledRow = z.object({ filled: z.record(z.string(), z.unknown()) });

/** What a book that stays takes from the others where it has nothing; a volume belongs to its series. */
const FILLABLE = [
  'original_title',
  'description',
  'publisher_id',
  'published',
  'price',
  'language',
  'series',
  'volume',
] as const;

/**
 * Merges books into one: it gets their copies under new numbers, their places on lists, and what it lacks. What the log
 * says of those that go is read as said of the one that stays (`merged_book`). Part of the caller's transaction.
 * @returns the numbers of the copies that were added
 * @throws EventPending; DomainError BookNotFound, InUse
 */
export async function mergeBooks(
  connection: Connection,
  { keep, merge }: { keep: number; merge: readonly number[] },
  merging: MergeContext,
  context: CopyContext,
): Promise<number[]> {
  const books = await lockBooks(connection, [keep, ...merge]);
  const kept = books.get(keep);
  const going = merge.flatMap((id) => books.get(id) ?? []);
  if (!kept || going.length < merge.length) {
    const missing = [keep, ...merge].filter((id) => !books.has(id));
    throw new DomainError(
      'BookNotFound',
      m.catalogue_merge_books_missing({ count: missing.length, ids: missing.join(', ') }),
    );
  }
  await refuseOpen(connection, going);
  const moved = await moveCopies(connection, keep, going, merging, context);
  const records = new Map<number, Record<string, unknown>>();
  for (const { id } of going) records.set(id, await recordOf(connection, id));
  const filled = await fill(connection, keep, merge);
  filled['variants'] = await adoptVariants(
    connection,
    'book',
    keep,
    going.flatMap(({ titles }) => titles),
  );
  filled['lists'] = await moveListEntries(connection, keep, merge);
  await recordMerge(connection, merging, {
    kind: 'book',
    kept: { id: keep, name: kept.title },
    merged: going.map(({ id, title }) => ({
      ...{ id, name: title },
      record: { ...records.get(id), moved: moved.get(id) },
    })),
    filled,
  });
  await connection.query('delete from book where id = any($1::integer[])', [merge]);
  await labelMoved(connection, keep, merge);
  await connection.query('update merged_book set kept_id = $1 where kept_id = any($2::integer[])', [
    keep,
    merge,
  ]);
  await connection.query('insert into merged_book (id, kept_id) select unnest($2::integer[]), $1', [
    keep,
    merge,
  ]);
  await connection.query('select refresh_book_search(array[$1::integer])', [keep]);
  return [...moved.values()].flatMap((copies) => copies.map(({ to }) => to));
}

/** More strongly than a rent locks them, in the same order: what is checked afterwards stays so. */
export async function lockBooks(
  connection: Connection,
  ids: readonly number[],
): Promise<Map<number, z.output<typeof bookRow>>> {
  const rows = await queryRows(
    connection,
    bookRow,
    `select id, title, array[title, original_title] || other_titles as titles
     from book where id = any($1::integer[]) order by id for update`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** What is lent, kept or waited for goes on under the book that its reader's stream names: that one has to stay. */
async function refuseOpen(
  connection: Connection,
  going: readonly { id: number; title: string }[],
): Promise<void> {
  const rows = await queryRows(
    connection,
    openRow,
    `select b.id as book_id,
       (select count(*) from copy_allocation a where a.book_id = b.id and a.state <> 'released')::integer as out,
       (select count(*) from hold h where h.book_id = b.id and h.state <> 'over')::integer as waiting
     from unnest($1::integer[]) b (id)`,
    [going.map(({ id }) => id)],
  );
  for (const { id, title } of going) {
    const open = rows.find(({ book_id }) => book_id === id);
    if (!open || open.out + open.waiting === 0) continue;
    const { out, waiting } = open;
    throw new DomainError(
      'InUse',
      waiting === 0
        ? m.catalogue_merge_out({ title, id, count: out })
        : out === 0
          ? m.catalogue_merge_waiting({ title, id, count: waiting })
          : m.catalogue_merge_out_and_waiting({ title, id, out, waiting }),
    );
  }
}

/** The copies on the shelf of those that go become copies of the one that stays. @returns by book, from which number to which */
async function moveCopies(
  connection: Connection,
  keep: number,
  going: readonly { id: number; title: string }[],
  { at }: MergeContext,
  context: CopyContext,
): Promise<Map<number, { from: number; to: number }[]>> {
  const counters = await lockCounters(connection, keep);
  let last = counters?.numbered ?? 0;
  let total = counters?.copies_total ?? 0;
  const moved = new Map<number, { from: number; to: number }[]>();
  const decided: DecidedEvent[] = [];
  for (const { id } of going) {
    const copies = await queryRows(
      connection,
      copyRow,
      `select n.copy, coalesce(c.condition, 'present') as condition, c.shelf_mark, c.pending is not null as is_pending
       from book b ${COPIES_OF_BOOK} where b.id = $1 order by n.copy`,
      [id],
    );
    const pending = copies.filter(({ is_pending }) => is_pending).map(({ copy }) => copy);
    if (pending.length > 0) throw new EventPending(id, pending);
    const away = copies.find(({ condition }) => condition === 'lost' || condition === 'damaged');
    if (away) {
      throw new DomainError(
        'InUse',
        m.catalogue_merge_copy_away({
          code: copyCode({ bookId: id, copy: away.copy }),
          condition: away.condition,
        }),
      );
    }
    const ofBook = copies
      .filter(({ condition }) => condition === 'present')
      .map(({ copy, shelf_mark: shelfMark }) => {
        last += 1;
        const added = { bookId: keep, copy: last };
        const event = addCopy(added, { shelfMark, by: context.actor, at: at.toISOString() });
        decided.push({ ...added, event, before: undefined, revision: -1 });
        return { from: copy, to: last };
      });
    total += ofBook.length;
    moved.set(id, ofBook);
  }
  if (total > MAX_COPIES) {
    throw new DomainError('InUse', m.catalogue_merge_too_many_copies({ most: MAX_COPIES }));
  }
  await writeCopies(connection, keep, decided, context);
  return moved;
}

/** A book with all that goes when it goes. */
async function recordOf(connection: Connection, id: number): Promise<Record<string, unknown>> {
  const row = await queryRow(
    connection,
    recordRow,
    `select jsonb_build_object(
       'book', to_jsonb(b),
       'authors', (select coalesce(jsonb_agg(to_jsonb(a)), '[]') from book_author a where a.book_id = b.id),
       'genres', (select coalesce(jsonb_agg(to_jsonb(g)), '[]') from book_genre g where g.book_id = b.id),
       'copies', (select coalesce(jsonb_agg(to_jsonb(c)), '[]') from copy c where c.book_id = b.id),
       'reading', (select coalesce(jsonb_agg(to_jsonb(r)), '[]') from book_reading r where r.book_id = b.id),
       'covers', (select coalesce(jsonb_agg(to_jsonb(v)), '[]') from book_cover v where v.book_id = b.id),
       'records', (select coalesce(jsonb_agg(to_jsonb(k)), '[]') from marc_record k where k.book_id = b.id),
       'lists', (select coalesce(jsonb_agg(to_jsonb(l)), '[]') from reading_list_book l where l.book_id = b.id)
     ) as record from book b where b.id = $1`,
    [id],
  );
  return row?.record ?? {};
}

/** Gives the book that stays what it lacks. @returns what that was, by column; beside that whether authors, genres, ratings and the cover */
async function fill(
  connection: Connection,
  keep: number,
  merge: readonly number[],
): Promise<Record<string, unknown>> {
  const row = await queryRow(
    connection,
    filledRow,
    `select jsonb_strip_nulls(jsonb_build_object(${FILLABLE.map((column) => `'${column}', ${valueOf(column)}`).join(', ')})) as filled
     from book k where k.id = $1`,
    [keep, merge],
  );
  const filled = { ...row?.filled };
  const columns = FILLABLE.filter((column) => column in filled);
  if (columns.length > 0) {
    await connection.query(
      `update book k set ${columns.map((column) => `${column} = x.${column}`).join(', ')}
       from jsonb_populate_record(null::book, $2::jsonb) x where k.id = $1`,
      [keep, JSON.stringify(filled)],
    );
  }
  for (const [name, table] of [
    ['authors', 'book_author'],
    ['genres', 'book_genre'],
  ] as const) {
    const { rowCount } = await connection.query(
      `insert into ${table} select $1::integer, x.id, x.place from (
         select ${idColumn(table)} as id, row_number() over (order by min(array_position($2::integer[], book_id)), min(place))::integer - 1 as place
         from ${table} where book_id = any($2::integer[]) group by 1) x
       where not exists (select from ${table} where book_id = $1)`,
      [keep, merge],
    );
    if ((rowCount ?? 0) > 0) filled[name] = true;
  }
  const rated = await connection.query(
    `insert into book_reading (book_id, ratings)
     select $1::integer, ratings from book_reading where book_id = any($2::integer[]) and ratings is not null
     order by ratings desc limit 1
     on conflict (book_id) do update set ratings = excluded.ratings where book_reading.ratings is null`,
    [keep, merge],
  );
  if ((rated.rowCount ?? 0) > 0) filled['ratings'] = true;
  if (await adoptCover(connection, keep, merge)) filled['cover'] = true;
  if (await adoptRecord(connection, keep, merge)) filled['record'] = true;
  await connection.query('update book set version = version + 1 where id = $1', [keep]);
  return filled;
}

/** The first that one of those that go has, where the one that stays has none. */
function valueOf(column: (typeof FILLABLE)[number]): string {
  const isEmpty = column === 'description' ? `k.description = ''` : `k.${column} is null`;
  const isThere = column === 'description' ? `m.description <> ''` : `m.${column} is not null`;
  // A volume comes with the series that it is one of.
  const lacking = column === 'volume' ? 'k.series is null and k.volume is null' : isEmpty;
  const of = column === 'volume' || column === 'series' ? 'm.series is not null' : isThere;
  return `case when ${lacking} then (select m.${column} from book m where m.id = any($2::integer[]) and ${of}
    order by array_position($2::integer[], m.id) limit 1) end`;
}

const idColumn = (table: 'book_author' | 'book_genre') =>
  table === 'book_author' ? 'author_id' : 'genre_id';
