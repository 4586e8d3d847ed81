import * as m from '#words/messages.js';
import { z } from 'zod';
import { copyCode, readCopyCode, type CopyOfBook } from '#contracts/catalogue/copy-code.js';
import { DomainError } from '#contracts/domain-error.js';
import type { Database, Queryable } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { currentCopyCode } from '../merged-books.js';

const MAX_ID = 2_147_483_647;

/**
 * The copy that a scanned or typed code names.
 * @throws DomainError CopyNotFound
 */
export function copyOfCode(text: string): CopyOfBook {
  const id = readCopyCode(text);
  if (!id || id.bookId > MAX_ID) throw copyNotFound(text);
  return id;
}

const labelRow = z.object({ label: z.string(), book_id: z.int(), copy: z.int() });

/** The copies that labels are on: those with our codes, and those that came from elsewhere with labels of their own. */
export async function copiesOfLabels(
  database: Queryable,
  labels: readonly string[],
): Promise<Map<string, CopyOfBook>> {
  const copies = new Map<string, CopyOfBook>();
  for (const label of labels) {
    const copy = readCopyCode(label);
    if (copy && copy.bookId <= MAX_ID) copies.set(label, copy);
  }
  const foreign = labels.filter((label) => !copies.has(label));
  if (foreign.length === 0) return copies;
  const rows = await queryRows(
    database,
    labelRow,
    'select label, book_id, copy from copy where label = any($1::text[])',
    [foreign],
  );
  for (const { label, book_id: bookId, copy } of rows) copies.set(label, { bookId, copy });
  return copies;
}

/** The same for a copy whose book may have been merged: then its code of today is named. */
export async function copyGone(database: Database, id: CopyOfBook): Promise<DomainError> {
  const since = await currentCopyCode(database, id);
  if (since === undefined) return copyNotFound(copyCode(id));
  return new DomainError('CopyNotFound', m.copies_code_since_merge({ code: copyCode(id), since }));
}

export function copyNotFound(code: string): DomainError {
  const shown = code.trim().slice(0, 40);
  return new DomainError(
    'CopyNotFound',
    readCopyCode(code) ? m.copies_not_found({ code: shown }) : m.copies_code_wrong({ code: shown }),
  );
}
