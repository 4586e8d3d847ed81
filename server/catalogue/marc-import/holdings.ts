import { z } from 'zod';
import type { CopyOfBook } from '#contracts/catalogue/copy-code.js';
import { addCopy, decideOnCopy, type CopyCommand } from '#copies/copy.decider.js';
import type { Connection, Queryable } from '#platform/database/database.js';
import { EventPending } from '../copies/copy-numbers.js';
import { copiesOfLabels } from '../copies/copy-codes.queries.js';
import { atHand, copyRowOf, lockCounters } from '../copies/copy-rows.js';
import { writeCopies, type CopyContext, type DecidedEvent } from '../copies/copy-writer.js';
import type { MarcBook } from '../marc/book-fields.js';
import type { HoldingChange, StoredBook } from './marc-books.js';
import type { Reason } from './marc-reasons.js';

/**
 * Records without the labels that other copies have; of these, as a reason, those of other books.
 * @param entries each with the book that it is of, where that is in the catalogue
 */
export async function withFreeLabels<Entry extends { book: MarcBook; there?: StoredBook | undefined }>(
  database: Queryable,
  entries: readonly Entry[],
): Promise<(Entry & { told: Reason | null })[]> {
  const labels = entries.flatMap(({ book }) => book.copies.flatMap(({ label }) => label ?? []));
  const known = await copiesOfLabels(database, labels);
  const given = new Set<string>();
  return entries.map((entry) => {
    const elsewhere: string[] = [];
    const copies = entry.book.copies.map((copy) => {
      const { label } = copy;
      if (label === null || entry.there?.book.copies.some((own) => own.label === label)) return copy;
      const at = known.get(label);
      const isFree = at === undefined && !given.has(label);
      given.add(label);
      if (at !== undefined && at.bookId !== entry.there?.id) elsewhere.push(label);
      return isFree ? copy : { ...copy, label: null };
    });
    const told: Reason | null =
      elsewhere.length > 0 ? { code: 'label-elsewhere', where: elsewhere.join(', ').slice(0, 200) } : null;
    return { ...entry, book: { ...entry.book, copies }, told };
  });
}

/** A copy that an import added or moved: its mark before, and the revision of its last event then. */
export const changedCopySchema = z.object({
  copy: z.int(),
  isNew: z.boolean(),
  mark: z.string().nullable(),
  revision: z.int(),
});
export type ChangedCopy = z.infer<typeof changedCopySchema>;

/**
 * Adds and moves copies of a locked book.
 * @throws EventPending
 */
export async function changeHoldings(
  connection: Connection,
  bookId: number,
  changes: readonly HoldingChange[],
  context: CopyContext,
): Promise<ChangedCopy[]> {
  if (changes.length === 0) return [];
  const said = { by: context.actor, at: new Date().toISOString() };
  const known = await copiesOfLabels(
    connection,
    changes.map(({ label }) => label),
  );
  let last = (await lockCounters(connection, bookId))?.numbered ?? 0;
  const decided: DecidedEvent[] = [];
  const added: { copy: number; label: string }[] = [];
  for (const { label, mark, from } of changes) {
    const present = from && known.get(label);
    if (present)
      decided.push(...(await decide(connection, present, { type: 'MoveCopy', shelfMark: mark, ...said })));
    else {
      const id = { bookId, copy: (last += 1) };
      added.push({ copy: id.copy, label });
      const event = addCopy(id, { shelfMark: mark, ...said });
      decided.push({ ...id, event, before: undefined, revision: -1 });
    }
  }
  await writeCopies(connection, bookId, decided, context);
  await connection.query(
    `update copy c set label = g.label from jsonb_to_recordset($2) g (copy integer, label text)
     where c.book_id = $1 and c.copy = g.copy`,
    [bookId, JSON.stringify(added)],
  );
  return decided.map(({ copy, before, revision }) => ({
    ...{ copy, isNew: before === undefined, mark: before?.shelfMark ?? null, revision: revision + 1 },
  }));
}

/**
 * Withdraws the copies of a locked book that an import added, and moves back those that it moved.
 * @returns false, with nothing done, where one of them is lent, or something has happened to it since
 * @throws EventPending
 */
export async function takeBackHoldings(
  connection: Connection,
  bookId: number,
  changed: readonly ChangedCopy[],
  context: CopyContext,
): Promise<boolean> {
  const said = { by: context.actor, at: new Date().toISOString() };
  const decided: DecidedEvent[] = [];
  for (const { copy, isNew, mark, revision } of changed) {
    const row = await copyRowOf(connection, { bookId, copy });
    if (row?.revision !== revision || (isNew && row.borrow_id !== null)) return false;
    const command: CopyCommand = isNew
      ? { type: 'WithdrawCopy', ...said }
      : { type: 'MoveCopy', shelfMark: mark, ...said };
    decided.push(...(await decide(connection, { bookId, copy }, command)));
  }
  await writeCopies(connection, bookId, decided, context);
  // It may come again, with another book.
  await connection.query('update copy set label = null where book_id = $1 and copy = any($2::integer[])', [
    bookId,
    changed.filter(({ isNew }) => isNew).map(({ copy }) => copy),
  ]);
  return true;
}

async function decide(connection: Connection, id: CopyOfBook, command: CopyCommand): Promise<DecidedEvent[]> {
  const row = await copyRowOf(connection, id);
  if (!row) return [];
  const copy = atHand(id, row, undefined);
  const event = decideOnCopy(copy, command);
  if (event && row.is_pending) throw new EventPending(id.bookId, [id.copy]);
  return event ? [{ ...id, event, before: copy.state, revision: row.revision }] : [];
}
