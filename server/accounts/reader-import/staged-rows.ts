import type { ReaderImportOutcome } from '#contracts/accounts/reader-import.js';
import { differencesFrom, type Differences, type KnownAccount, type Match } from './known-accounts.js';
import type { ReaderData } from './reader-of-row.js';
import type { ReaderReason } from './reader-reasons.js';

/** A row as it is written. */
export interface StagedRow {
  place: number;
  outcome: ReaderImportOutcome;
  name: string;
  cells: readonly string[];
  data: object | null;
  differs: Differences;
  reason: ReaderReason | null;
  account_id: string | null;
  borrow_id: string | null;
  /** All that it says, where that is to be matched again. */
  said: ReaderData | null;
  candidates: readonly string[];
}

/** Several readers who come into question, and why a person has to choose. */
export type Unsure = Extract<Match, { candidates: unknown }>;

/** A row that may come to something, with the account that it is of, where there is one. */
export interface ReadRow {
  place: number;
  cells: readonly string[];
  data: ReaderData;
  account: KnownAccount | undefined;
}
export type SaidRow = Omit<ReadRow, 'account'>;

/** The place where each card, address, reader and copy of a file comes first: later ones are refused. */
export type Seen = Map<string, number>;

const nothing = { differs: {}, data: null, account_id: null, borrow_id: null, said: null, candidates: [] };

export const refusedRow = ({ place, cells, data }: SaidRow, reason: ReaderReason): StagedRow => ({
  ...{ ...nothing, place, cells, reason, outcome: 'refused', name: nameIn(data) },
});

/** A row of which it can be known only later what is to be done. */
const openRow = ({ place, cells, data }: SaidRow) => ({
  ...{ ...nothing, place, cells, name: nameIn(data), said: data },
});

export const waitingRow = (row: SaidRow): StagedRow => ({
  ...{ ...openRow(row), outcome: 'waiting', reason: { code: 'reader-waits' } },
});

/** Where one reader only comes into question, the row shows what would become of them. */
export const unsureRow = (row: SaidRow, { candidates, code }: Unsure): StagedRow => {
  const [only, ...others] = candidates;
  return {
    ...{ ...openRow(row), outcome: 'unsure', reason: { code }, candidates: candidates.map(({ id }) => id) },
    ...(only && others.length === 0 && { differs: differencesFrom(row.data, only) }),
  };
};

/** What all rows have that are to be done. */
export const matchedRow = ({ place, cells }: SaidRow) => ({ ...nothing, place, cells });

export const nameIn = ({ firstname = '', lastname = '', cardNumber = '', email = '' }: ReaderData) =>
  `${firstname} ${lastname}`.trim() || cardNumber || email;

/** @returns where in the file one of these stood before; where none did, they do now */
export function seenBefore(seen: Seen, place: number, keys: readonly string[]): ReaderReason | undefined {
  const earlier = keys.map((key) => seen.get(key)).find((at) => at !== undefined);
  if (earlier !== undefined) return { code: 'same-as', where: String(earlier) };
  for (const key of keys) seen.set(key, place);
  return undefined;
}
