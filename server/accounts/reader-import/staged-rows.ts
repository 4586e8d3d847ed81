import type { ReaderImportOutcome } from '#contracts/accounts/reader-import.js';
import type { KnownAccount } from './known-accounts.js';
import type { ReaderData } from './reader-of-row.js';
import type { ReaderReason } from './reader-reasons.js';

/** A row as it is written. */
export interface StagedRow {
  line: number;
  outcome: ReaderImportOutcome;
  name: string;
  cells: readonly string[];
  data: object | null;
  differs: Record<string, { ours: string; theirs: string }>;
  reason: ReaderReason | null;
  account_id: string | null;
  borrow_id: string | null;
}

/** A row that may come to something, with the account that it is of, where there is one. */
export interface ReadRow {
  line: number;
  cells: readonly string[];
  data: ReaderData;
  account: KnownAccount | undefined;
}

/** The line where each card, address, reader and copy of a file comes first: later ones are refused. */
export type Seen = Map<string, number>;

export const refusedRow = (
  { line, cells, data }: Omit<ReadRow, 'account'>,
  reason: ReaderReason,
): StagedRow => ({
  ...{ line, cells, reason, outcome: 'refused', name: nameIn(data), data: null, differs: {} },
  ...{ account_id: null, borrow_id: null },
});

export const nameIn = ({ firstname = '', lastname = '', cardNumber = '', email = '' }: ReaderData) =>
  `${firstname} ${lastname}`.trim() || cardNumber || email;

/** @returns where in the file one of these stood before; where none did, they do now */
export function seenBefore(seen: Seen, line: number, keys: readonly string[]): ReaderReason | undefined {
  const earlier = keys.map((key) => seen.get(key)).find((at) => at !== undefined);
  if (earlier !== undefined) return { code: 'same-as', where: String(earlier) };
  for (const key of keys) seen.set(key, line);
  return undefined;
}
