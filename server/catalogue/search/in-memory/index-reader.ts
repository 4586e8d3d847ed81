import { z } from 'zod';
import { FACETS, type Facet } from '#contracts/catalogue/facet-names.js';
import type { Connection, Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { eachBatch, inSnapshot } from '#platform/database/snapshot.js';
import { EARLIEST } from '../../import/row-date.js';
import { CatalogueIndex, type IndexedOrder, type PlacedBook } from './catalogue-index.js';
import type { BookFacets } from './facet-index.js';

/** Rows of a batch. */
const AT_ONCE = 1000;
/** Ids alone are small. */
const IDS_AT_ONCE = 10_000;
/** More changes than this are read anew with everything else. */
const MAX_CHANGES = 20_000;

/** How far changes have been read: earlier transactions are in the index, later ones may not be. */
export type Watermark = string;

/** Where an index is. */
export interface IndexState {
  watermark: Watermark;
  /** The transactions of the rows that were read last: such a row is read once more, and is not another one. */
  applied: ReadonlyMap<number, string>;
}

const watermarkRow = z.object({ watermark: z.string() });
/** `z.number()`, which is four times as fast as `z.int()`: a catalogue has a million of these rows. */
const idRow = z.object({ id: z.number() });
const searchRow = z.object({
  id: z.number(),
  title: z.string(),
  others: z.array(z.string()),
  length: z.number(),
  level: z.number(),
  main: z.string(),
  rest: z.string(),
});
const facetRow = z.object({ id: z.number(), value: z.union([z.number(), z.string()]) });
const changesRow = z.object({
  watermark: z.string(),
  removed: z.array(z.number()),
  changed: z.array(
    searchRow.extend({
      changed_in: z.string(),
      genre: z.array(z.number()),
      author: z.array(z.number()),
      publisher: z.array(z.number()),
      year: z.array(z.number()),
      language: z.array(z.string()),
      after_id: z.number().nullable(),
      after_title: z.number().nullable(),
      after_isbn: z.number().nullable(),
    }),
  ),
});

const COLUMNS = `s.book_id as id, s.title_start as title, s.other_starts as others, char_length(s.title_start) as length, s.level,
  array_to_string(tsvector_to_array(s.main), ' ') as main,
  array_to_string(tsvector_to_array(ts_delete(s.words, tsvector_to_array(s.main))), ' ') as rest`;

/** What each facet is read of, by the order of the books. The earliest day stands for one that nobody knows. */
const FACET_ROWS: Record<Facet, string> = {
  genre: 'select book_id as id, genre_id as value from book_genre order by book_id, genre_id',
  author: 'select book_id as id, author_id as value from book_author order by book_id, author_id',
  publisher: 'select id, publisher_id as value from book where publisher_id is not null order by id',
  year: `select id, extract(year from publication_date)::integer as value from book
    where publication_date > '${EARLIEST}' order by id`,
  language: 'select id, language as value from book where language is not null order by id',
};

/** One statement, so that all of it is of one snapshot. */
const CHANGES = `
  select pg_snapshot_xmin(pg_current_snapshot())::text as watermark,
    array(select book_id from book_search_removed where changed_in >= $1::xid8) as removed,
    coalesce((select json_agg(c) from (
      select ${COLUMNS}, s.changed_in::text,
        array(select genre_id from book_genre where book_id = b.id) as genre,
        array(select author_id from book_author where book_id = b.id) as author,
        array_remove(array[b.publisher_id], null) as publisher,
        case when b.publication_date > '${EARLIEST}' then array[extract(year from b.publication_date)::integer]
          else '{}' end as year,
        array_remove(array[b.language], null) as language,
        (select o.id from book o where o.id > b.id order by o.id limit 1) as after_id,
        (select o.id from book o where (o.title collate "pl-x-icu", o.id) < (b.title collate "pl-x-icu", b.id)
          order by o.title collate "pl-x-icu" desc, o.id desc limit 1) as after_title,
        (select o.id from book o where o.isbn < b.isbn order by o.isbn desc limit 1) as after_isbn
      from (select * from book_search where changed_in >= $1::xid8 limit ${MAX_CHANGES + 1}) s
      join book b on b.id = s.book_id) c), '[]') as changed`;

const ORDERS: Record<IndexedOrder, string> = {
  none: 'id desc',
  Title: 'title collate "pl-x-icu", id',
  ISBN: 'isbn',
};

/**
 * Reads the whole catalogue.
 * @returns undefined when `stopped` said so
 */
export function readIndex(
  database: Database,
  stopped: (index: CatalogueIndex) => boolean,
): Promise<{ index: CatalogueIndex; state: IndexState } | undefined> {
  // One snapshot, so that the watermark belongs to the rows.
  return inSnapshot(database, (connection) => readAll(connection, stopped));
}

async function readAll(
  connection: Connection,
  stopped: (index: CatalogueIndex) => boolean,
): Promise<{ index: CatalogueIndex; state: IndexState } | undefined> {
  const index = new CatalogueIndex();
  const mark = await queryRow(
    connection,
    watermarkRow,
    'select pg_snapshot_xmin(pg_current_snapshot())::text as watermark',
  );
  const books = await eachBatch(
    connection,
    searchRow,
    `select ${COLUMNS} from book_search s order by book_id`,
    AT_ONCE,
    (rows) => {
      for (const row of rows) index.words.add(bookOf(row));
      return !stopped(index);
    },
  );
  if (!books) return undefined;
  for (const sort of Object.keys(ORDERS) as IndexedOrder[]) {
    const read = await eachBatch(
      connection,
      idRow,
      `select id from book order by ${ORDERS[sort]}`,
      IDS_AT_ONCE,
      (rows) => {
        for (const { id } of rows) index.orders[sort].push(id);
        return !stopped(index);
      },
    );
    if (!read) return undefined;
  }
  if (!(await readFacets(connection, index, stopped))) return undefined;
  const watermark = mark?.watermark ?? '0';
  index.shelf.startAt(watermark);
  return { index, state: { watermark, applied: new Map() } };
}

/** @returns false when `stopped` said so */
async function readFacets(
  connection: Connection,
  index: CatalogueIndex,
  stopped: (index: CatalogueIndex) => boolean,
): Promise<boolean> {
  for (const facet of FACETS) {
    const column = index.facets.columns[facet];
    const read = await eachBatch(connection, facetRow, FACET_ROWS[facet], IDS_AT_ONCE, (rows) => {
      for (const { id, value } of rows) {
        const place = index.words.placeOf(id);
        if (place !== undefined) column.push(place, value);
      }
      return !stopped(index);
    });
    if (!read) return false;
  }
  const taken = 'select book_id as id from book_shelf where copies <= 0';
  return eachBatch(connection, idRow, taken, IDS_AT_ONCE, (rows) => {
    for (const { id } of rows) index.shelf.set(id, true);
    return !stopped(index);
  });
}

/**
 * Brings an index up to date with the database.
 * @returns how far it is now; undefined where the catalogue has to be read anew
 */
export async function catchUp(
  database: Database,
  index: CatalogueIndex,
  { watermark, applied }: IndexState,
): Promise<IndexState | undefined> {
  const changes = await queryRow(database, changesRow, {
    name: 'catalogue-changes',
    text: CHANGES,
    values: [watermark],
  });
  // All books were removed at once, or so many changed.
  if (!changes || changes.removed.includes(0) || changes.changed.length > MAX_CHANGES) return undefined;
  const fresh = changes.changed.filter(({ id, changed_in }) => applied.get(id) !== changed_in);
  const placed = fresh.map((row): PlacedBook => ({
    book: bookOf(row),
    facets: facetsOf(row),
    after: { none: row.after_id, Title: row.after_title, ISBN: row.after_isbn },
  }));
  if (!index.apply(changes.removed, placed)) return undefined;
  return {
    watermark: changes.watermark,
    applied: new Map(changes.changed.map(({ id, changed_in }) => [id, changed_in])),
  };
}

function facetsOf({ genre, author, publisher, year, language }: BookFacets): BookFacets {
  return { genre, author, publisher, year, language };
}

function bookOf({ id, title, others, length, level, main, rest }: z.output<typeof searchRow>) {
  return {
    id,
    title,
    otherTitles: others,
    titleLength: length,
    level,
    main: main === '' ? [] : main.split(' '),
    // An ISBN is looked for in the database: a million different ones would be a million words here.
    rest: rest.split(' ').filter((word) => word !== '' && word[0] !== '#'),
  };
}
