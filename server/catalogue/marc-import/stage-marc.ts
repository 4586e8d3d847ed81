import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { MarcOutcome, MarcWinner } from '#contracts/catalogue/marc-import.js';
import { MAX_CANDIDATES } from '#contracts/imports.js';
import type { Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import type { StageOptions } from '../../imports/staged-imports.js';
import { internalNumberOfDigest } from '../isbn.js';
import { bookOfMarc, type MarcBook } from '../marc/book-fields.js';
import { readMarc, type KeptRecord, type ReadRecord } from '../marc/read-marc.js';
import { controlOf, type MarcForm, type MarcRecord } from '../marc/record.js';
import { MERGED_RECORDS, survivingByIsbn } from '../merged-books.js';
import { withFreeLabels } from './holdings.js';
import {
  differencesOf,
  mayBeSame,
  readStoredBooks,
  type Differences,
  type StoredBook,
} from './marc-books.js';
import { MARC_IMPORTS } from './marc-imports.js';
import type { Reason } from './marc-reasons.js';

export interface StageMarcOptions extends StageOptions {
  form: MarcForm;
  wins: readonly MarcWinner[];
  /** Of a book whose record names none. */
  copies: number;
}

/** A row as it is written; the record itself goes beside it. */
interface Row {
  place: number;
  outcome: MarcOutcome;
  title: string;
  /** Of the book that it is of, or would be. */
  number?: string;
  control?: string | undefined;
  agency?: string;
  book_id?: number;
  candidates?: readonly number[];
  reason?: Reason | null;
  differs?: Differences;
  kept: KeptRecord | null;
}

/** A record that may become a book, and what it is known by. */
interface Entry extends Pick<Row, 'place' | 'title' | 'control'> {
  book: MarcBook;
  kept: KeptRecord;
  agency: string;
  number: string;
}

/**
 * Reads a file into rows that say what would become of each record; no book is touched. Reading is streamed, and the record itself
 * is in its row.
 * @returns the import's id
 * @throws the errors of the stream and of the signal; then nothing of it stays
 */
export function stageMarc(
  database: Database,
  chunks: AsyncIterable<Uint8Array>,
  { form, wins, copies, ...options }: StageMarcOptions,
): Promise<string> {
  return MARC_IMPORTS.stage(database, readMarc(form, chunks), options, { wins, copies }, (id, records) =>
    stageBatch(database, id, records),
  );
}

async function stageBatch(database: Database, id: string, records: readonly ReadRecord[]): Promise<void> {
  const rows: Row[] = [];
  const entries: Entry[] = [];
  for (const each of records) {
    const { place } = each;
    if ('damaged' in each) {
      const { damage: code, where } = each.damaged;
      const reason = { code, where: where.replace(/[^ -~]/g, '?') };
      rows.push({ place, title: '', outcome: 'refused', reason, kept: null });
      continue;
    }
    const { record, kept } = each;
    const book = bookOfMarc(record);
    const known = { control: controlOf(record, '001'), agency: controlOf(record, '003') ?? '' };
    const title = book.title.slice(0, LONGEST_TITLE);
    const code = refusalOf(record, book);
    if (code) rows.push({ place, title, outcome: 'refused', reason: { code, where: '' }, kept });
    else entries.push({ place, title, book, kept, ...known, number: numberOf(book, known) });
  }
  rows.push(...(await matched(database, id, entries)));
  await database.query(
    `insert into marc_row (import_id, place, outcome, chosen, title, number, control, agency, book_id, candidates, reason, differs,
       form, bytes)
     select $1, r.place, r.outcome, r.outcome in ('new', 'changed'), r.title, r.number, r.control, coalesce(r.agency, ''), r.book_id,
       coalesce(r.candidates, '{}'), r.reason, coalesce(r.differs, '{}'), k.form, k.bytes
     from jsonb_populate_recordset(null::marc_row, $2) with ordinality r
     join unnest($3::text[], $4::bytea[]) with ordinality k (form, bytes, ordinality) using (ordinality)`,
    [
      id,
      JSON.stringify(rows.map(({ kept: _, ...row }) => row)),
      rows.map(({ kept }) => kept?.form),
      rows.map(({ kept }) => kept?.bytes),
    ],
  );
}

const LONGEST_TITLE = 500;

/** Records of names and of holdings are no books; nor are those that say that they are deleted. */
function refusalOf({ leader }: MarcRecord, book: MarcBook): Reason['code'] | undefined {
  if (!/[a-gijkmoprt]/.test(leader[6] ?? '')) return 'not-a-book';
  if (leader[5] === 'd') return 'deleted';
  return /[\p{L}\p{N}]/u.test(book.title) && book.title.length <= LONGEST_TITLE ? undefined : 'no-title';
}

/** Its own; without one the same that it was given when it came before. */
function numberOf(
  book: MarcBook,
  { control, agency }: Pick<Entry, 'control' | 'agency'>,
  attempt?: number,
): string {
  const [own] = book.numbers;
  if (own !== undefined) return own;
  const names = book.authors.map(({ firstname, lastname }) => `${firstname} ${lastname}`);
  const identity =
    control === undefined ? [book.title, ...names, book.publisher, book.published] : [agency, control];
  const text = [...identity, ...(attempt === undefined ? [] : [attempt])].join('\n');
  return internalNumberOfDigest(createHash('sha256').update(text).digest().readBigUInt64BE());
}

const controlRow = z.object({ place: z.int(), ids: z.array(z.int()) });
const isbnRow = z.object({ id: z.int(), isbn: z.string() });
const earlierRow = z.object({
  place: z.int(),
  number: z.string(),
  control: z.string().nullable(),
  agency: z.string(),
});

/** Finds the books that the records are of: by 001 with 003, and by ISBN. */
async function matched(database: Database, id: string, entries: readonly Entry[]): Promise<Row[]> {
  if (entries.length === 0) return [];
  const numbers = entries.flatMap(({ book, number }) => [number, ...book.numbers]);
  const byControl = await queryRows(
    database,
    controlRow,
    `with given as (select * from unnest($1::integer[], $2::text[], $3::text[]) g (place, control, agency))
     select place, array_agg(distinct book_id) as ids from (
       select g.place, r.book_id from given g join marc_record r using (control, agency)
       union all select g.place, r.book_id from given g join ${MERGED_RECORDS} r using (control, agency)) found
     group by place`,
    [
      entries.map(({ place }) => place),
      entries.map(({ control }) => control),
      entries.map(({ agency }) => agency),
    ],
  );
  const ofControls = new Map(byControl.map(({ place, ids }) => [place, ids]));
  const present = await queryRows(
    database,
    isbnRow,
    'select id, isbn from book where isbn = any($1::text[])',
    [numbers],
  );
  const byIsbn = await survivingByIsbn(database, numbers);
  for (const { id: book, isbn } of present) byIsbn.set(isbn, book);
  const rowsBefore = await queryRows(
    database,
    earlierRow,
    'select place, number, control, agency from marc_row where import_id = $1 and number = any($2::text[])',
    [id, numbers],
  );
  const earlier = new Map(rowsBefore.map((row) => [row.number, row]));
  const found = entries.map((entry) => ({
    entry,
    ofControl: ofControls.get(entry.place) ?? [],
    ofIsbn: [entry.number, ...entry.book.numbers].flatMap((number) => byIsbn.get(number) ?? []),
  }));
  const ids = found.flatMap(({ ofControl, ofIsbn }) => [...ofControl, ...ofIsbn]);
  const stored = new Map(
    ids.length === 0
      ? []
      : (await readStoredBooks(database, 'b.id = any($1::integer[])', [ids])).map((book) => [book.id, book]),
  );
  const rows: Row[] = [];
  const known: Known[] = [];
  for (const { entry, ofControl, ofIsbn } of found) {
    const { place, title, book, control = null, agency, kept } = entry;
    const before = earlier.get(entry.number);
    const isMade = book.numbers.length === 0;
    if (before && (!isMade || (before.control === control && before.agency === agency))) {
      const reason = { code: 'same-as', where: String(before.place) } as const;
      rows.push({ place, title, outcome: 'refused', reason, kept });
      continue;
    }
    // A number that was made may be another one's by chance.
    const own = stored.get(ofIsbn[0] ?? 0);
    const isTaken = isMade && (before !== undefined || (own !== undefined && !mayBeSame(own.book, book)));
    const number = isTaken ? numberOf(book, entry, place) : entry.number;
    earlier.set(number, { place, number, control, agency });
    // Where the record's own number says so too, another of its ISBNs that a second book has is no doubt.
    const [one, ...more] = ofControl;
    const isAgreed = one !== undefined && more.length === 0 && ofIsbn.includes(one);
    const candidates = isAgreed ? [one] : [...new Set([...ofControl, ...(isTaken ? [] : ofIsbn)])];
    const there = stored.get(candidates[0] ?? 0);
    const isSure = !there || (candidates.length === 1 && (one !== undefined || mayBeSame(there.book, book)));
    known.push({ ...entry, number, there: isSure ? there : undefined, candidates: isSure ? [] : candidates });
  }
  return [...rows, ...(await withFreeLabels(database, known)).map(rowOf)];
}

/** With the book that it is of, or those that it may be of. */
interface Known extends Entry {
  there: StoredBook | undefined;
  candidates: readonly number[];
}

function rowOf({ book, there, candidates, told, ...row }: Known & { told: Reason | null }): Row {
  const base = { ...row, reason: told };
  if (candidates.length > 0)
    return { ...base, outcome: 'unsure', reason: null, candidates: candidates.slice(0, MAX_CANDIDATES) };
  if (!there) return { ...base, outcome: 'new' };
  const differs = differencesOf(there.book, book);
  const isSame = Object.keys(differs).length === 0 && there.kept?.bytes.equals(row.kept.bytes) === true;
  return { ...base, outcome: isSame ? 'same' : 'changed', book_id: there.id, differs };
}
