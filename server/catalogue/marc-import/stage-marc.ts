import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { MAX_CANDIDATES, type MarcOutcome, type MarcWinner } from '#contracts/catalogue/marc-import.js';
import type { Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { internalNumberOfDigest } from '../isbn.js';
import { bookOfMarc, type MarcBook } from '../marc/book-fields.js';
import { readMarc, type KeptRecord, type ReadRecord } from '../marc/read-marc.js';
import { controlOf, type MarcForm, type MarcRecord } from '../marc/record.js';
import { survivingByIsbn } from '../merged-books.js';
import { differencesOf, mayBeSame, readStoredBooks, type Difference, type StoredBook } from './marc-books.js';
import { notifyImportChanged } from './marc-imports.js';
import type { Reason } from './marc-reasons.js';

/** Records of one statement. */
const BATCH = 500;

export interface StageOptions {
  /** The file's. */
  name: string;
  form: MarcForm;
  wins: readonly MarcWinner[];
  /** Of a book whose record names none. */
  copies: number;
  startedBy: string | null;
  now: Date;
  signal?: AbortSignal | undefined;
  /** Told after each batch how many records were read. */
  onProgress?: (records: number) => void;
}

/** A record that may become a book, and what it is known by. */
interface Entry {
  place: number;
  book: MarcBook;
  kept: KeptRecord;
  control: string | null;
  agency: string;
  number: string;
}

/** A row as it is written. */
interface Row {
  place: number;
  outcome: MarcOutcome;
  title: string;
  number: string | null;
  control: string | null;
  agency: string;
  book_id: number | null;
  candidates: readonly number[];
  reason: Reason | null;
  differs: Partial<Record<MarcWinner, Difference>>;
  kept: KeptRecord | null;
}

/**
 * Reads a file into rows that say what would become of each record; no book is touched. Reading is streamed, and the record itself
 * is in its row.
 * @returns the import's id
 * @throws the errors of the stream and of the signal; then nothing of it stays
 */
export async function stageMarc(
  database: Database,
  chunks: AsyncIterable<Uint8Array>,
  options: StageOptions,
): Promise<string> {
  const id = randomUUID();
  await database.query(
    `insert into marc_import (id, name, state, wins, copies, started_by, started_at, touched_at)
     values ($1, $2, 'reading', $3, $4, $5, $6, now())`,
    [id, options.name, options.wins, options.copies, options.startedBy, options.now],
  );
  try {
    await notifyImportChanged(database, id);
    let batch: ReadRecord[] = [];
    let records = 0;
    const flush = async () => {
      records += batch.length;
      await stageBatch(database, id, batch);
      batch = [];
      await database.query('update marc_import set handled = $2, touched_at = now() where id = $1', [
        id,
        records,
      ]);
      await notifyImportChanged(database, id);
      options.onProgress?.(records);
      options.signal?.throwIfAborted();
    };
    for await (const record of readMarc(options.form, chunks)) {
      batch.push(record);
      if (batch.length >= BATCH) await flush();
    }
    await flush();
    await database.query(
      `update marc_import set state = 'staged', handled = 0, touched_at = now() where id = $1`,
      [id],
    );
    await notifyImportChanged(database, id);
    return id;
  } catch (error) {
    await database.query('delete from marc_import where id = $1', [id]);
    throw error;
  }
}

async function stageBatch(database: Database, id: string, records: readonly ReadRecord[]): Promise<void> {
  const rows: Row[] = [];
  const entries: Entry[] = [];
  for (const each of records) {
    const { place } = each;
    if ('damaged' in each) {
      const { damage, where } = each.damaged;
      rows.push(refused({ place, title: '' }, { code: damage, where: where.replace(/[^ -~]/g, '?') }, null));
      continue;
    }
    const book = bookOfMarc(each.record);
    const control = controlOf(each.record, '001') ?? null;
    const agency = controlOf(each.record, '003') ?? '';
    const code = refusalOf(each.record, book);
    if (code) rows.push(refused({ place, title: book.title }, { code, where: '' }, each.kept));
    else
      entries.push({
        place,
        book,
        kept: each.kept,
        control,
        agency,
        number: numberOf(book, control, agency),
      });
  }
  rows.push(...(await matched(database, id, entries)));
  if (rows.length === 0) return;
  await database.query(
    `insert into marc_row (import_id, place, outcome, chosen, title, number, control, agency, book_id, candidates, reason, differs,
       form, bytes)
     select $1, place, outcome, outcome in ('new', 'changed'), title, number, control, agency, book_id,
       array(select jsonb_array_elements_text(candidates)::integer), reason, differs, form, bytes
     from unnest($2::integer[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::integer[], $9::jsonb[], $10::jsonb[],
       $11::jsonb[], $12::text[], $13::bytea[])
       r (place, outcome, title, number, control, agency, book_id, candidates, reason, differs, form, bytes)`,
    [
      id,
      rows.map(({ place }) => place),
      rows.map(({ outcome }) => outcome),
      rows.map(({ title }) => title.slice(0, 500)),
      rows.map(({ number }) => number),
      rows.map(({ control }) => control),
      rows.map(({ agency }) => agency),
      rows.map(({ book_id }) => book_id),
      rows.map(({ candidates }) => JSON.stringify(candidates)),
      rows.map(({ reason }) => (reason ? JSON.stringify(reason) : null)),
      rows.map(({ differs }) => JSON.stringify(differs)),
      rows.map(({ kept }) => kept?.form ?? null),
      rows.map(({ kept }) => kept?.bytes ?? null),
    ],
  );
}

function refused(
  { place, title }: { place: number; title: string },
  reason: Reason,
  kept: KeptRecord | null,
): Row {
  return {
    ...{
      place,
      title,
      outcome: 'refused',
      reason,
      kept,
      number: null,
      control: null,
      agency: '',
      book_id: null,
    },
    ...{ candidates: [], differs: {} },
  };
}

/** Records of names and of holdings are no books; nor are those that say that they are deleted. */
function refusalOf({ leader }: MarcRecord, book: MarcBook): Reason['code'] | undefined {
  if (!/[a-gijkmoprt]/.test(leader[6] ?? '')) return 'not-a-book';
  if (leader[5] === 'd') return 'deleted';
  return /[\p{L}\p{N}]/u.test(book.title) && book.title.length <= 500 ? undefined : 'no-title';
}

/** Its own; without one the same that it was given when it came before. */
function numberOf(book: MarcBook, control: string | null, agency: string, attempt = 0): string {
  const [own] = book.numbers;
  if (own !== undefined) return own;
  const names = book.authors.map(({ firstname, lastname }) => `${firstname} ${lastname}`);
  const identity =
    control === null ? [book.title, ...names, book.publisher, book.published] : [agency, control];
  const text = [...identity, ...(attempt > 0 ? [attempt] : [])].join('\n');
  return internalNumberOfDigest(createHash('sha256').update(text).digest().readBigUInt64BE());
}

const controlRow = z.object({ book_id: z.int(), control: z.string(), agency: z.string() });
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
  const numbers = entries.flatMap(({ book, number }) => [...new Set([number, ...book.numbers])]);
  const controlled = entries.filter(({ control }) => control !== null);
  const byControl = await queryRows(
    database,
    controlRow,
    `select r.book_id, r.control, r.agency from marc_record r
     join unnest($1::text[], $2::text[]) g (control, agency) on r.control = g.control and r.agency = g.agency`,
    [controlled.map(({ control }) => control), controlled.map(({ agency }) => agency)],
  );
  const present = await queryRows(
    database,
    isbnRow,
    'select id, isbn from book where isbn = any($1::text[])',
    [numbers],
  );
  const byIsbn = new Map([
    ...(await survivingByIsbn(database, numbers)),
    ...present.map(({ id: book, isbn }) => [isbn, book] as const),
  ]);
  const rowsBefore = await queryRows(
    database,
    earlierRow,
    'select place, number, control, agency from marc_row where import_id = $1 and number = any($2::text[])',
    [id, numbers],
  );
  const earlier = new Map(rowsBefore.map((row) => [row.number, row]));
  const keyOf = (control: string | null, agency: string) => `${control}\n${agency}`;
  const controls = new Map<string, number[]>();
  for (const { book_id, control, agency } of byControl) {
    const key = keyOf(control, agency);
    controls.set(key, [...(controls.get(key) ?? []), book_id]);
  }
  const found = entries.map((entry) => ({
    entry,
    ofControl: entry.control === null ? [] : (controls.get(keyOf(entry.control, entry.agency)) ?? []),
    ofIsbn: [entry.number, ...entry.book.numbers].flatMap((number) => byIsbn.get(number) ?? []),
  }));
  const ids = [...new Set(found.flatMap(({ ofControl, ofIsbn }) => [...ofControl, ...ofIsbn]))];
  const stored = new Map(
    ids.length === 0
      ? []
      : (await readStoredBooks(database, 'b.id = any($1::integer[])', [ids])).map((book) => [book.id, book]),
  );
  return found.map(({ entry, ofControl, ofIsbn }) => {
    const { place, book, control, agency, kept } = entry;
    const before = earlier.get(entry.number);
    const isMade = book.numbers.length === 0;
    if (before && (!isMade || (before.control === control && before.agency === agency)))
      return refused({ place, title: book.title }, { code: 'same-as', where: String(before.place) }, kept);
    // A number that was made may be another one's by chance.
    const there = stored.get(ofIsbn[0] ?? 0);
    const isTaken = isMade && (before !== undefined || (there !== undefined && !mayBeSame(there.book, book)));
    const number = isTaken ? numberOf(book, control, agency, place) : entry.number;
    earlier.set(number, { place, number, control, agency });
    // Where the record's own number says so too, another of its ISBNs that a second book has is no doubt.
    const [known, ...more] = ofControl;
    const isAgreed = known !== undefined && more.length === 0 && ofIsbn.includes(known);
    const candidates = isAgreed ? [known] : [...new Set([...ofControl, ...(isTaken ? [] : ofIsbn)])];
    return rowOf({ ...entry, number }, candidates, ofControl.length > 0, stored);
  });
}

function rowOf(
  { place, book, kept, control, agency, number }: Entry,
  candidates: readonly number[],
  isControlled: boolean,
  stored: ReadonlyMap<number, StoredBook>,
): Row {
  const base = { place, title: book.title, number, control, agency, kept, reason: null };
  const [only, second] = candidates;
  const there = only === undefined ? undefined : stored.get(only);
  if (!there) return { ...base, outcome: 'new', book_id: null, candidates: [], differs: {} };
  if (second !== undefined || !(isControlled || mayBeSame(there.book, book)))
    return {
      ...base,
      outcome: 'unsure',
      book_id: null,
      candidates: candidates.slice(0, MAX_CANDIDATES),
      differs: {},
    };
  const differs = differencesOf(there.book, book);
  const isSame = Object.keys(differs).length === 0 && there.kept?.bytes.equals(kept.bytes) === true;
  return { ...base, outcome: isSame ? 'same' : 'changed', book_id: there.id, candidates: [], differs };
}
