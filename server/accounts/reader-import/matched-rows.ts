import { z } from 'zod';
import {
  READER_IMPORT_FIELDS,
  READER_IMPORT_KINDS,
  type ReaderImportKind,
  type SettledReader,
} from '#contracts/accounts/reader-import.js';
import type { Queryable } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { rowNotFound } from '../../imports/staged-imports.js';
import { accountOf, differencesFrom, knownAccounts, saidOf } from './known-accounts.js';
import { loanSchema, matchedLoans } from './loan-rows.js';
import type { ReaderReason } from './reader-reasons.js';
import {
  matchedRow,
  nameIn,
  refusedRow,
  seenBefore,
  unsureRow,
  type ReadRow,
  type SaidRow,
  type Seen,
  type StagedRow,
} from './staged-rows.js';

/** What is to become of rows, by what the library has now. */
export async function matchedRows(
  database: Queryable,
  kind: ReaderImportKind,
  read: readonly SaidRow[],
  seen: Seen,
  today: string,
): Promise<StagedRow[]> {
  const known = await knownAccounts(
    database,
    read.map(({ data }) => data),
  );
  const staged: StagedRow[] = [];
  const rows: ReadRow[] = [];
  for (const row of read) {
    const match = accountOf(row.data, known);
    if ('candidates' in match) staged.push(unsureRow(row, match));
    else rows.push({ ...row, account: match.account });
  }
  return [...staged, ...(await MATCHED[kind](database, rows, seen, today))];
}

type Matching = (
  database: Queryable,
  rows: readonly ReadRow[],
  seen: Seen,
  today: string,
) => StagedRow[] | Promise<StagedRow[]>;

/** What is to become of rows whose accounts are known. */
const MATCHED: Record<ReaderImportKind, Matching> = {
  readers: (_database, rows, seen, today) => rows.map((row) => matchedReader(row, seen, today)),
  memberships: (_database, rows, seen, today) =>
    rows.map((row) =>
      row.account
        ? matchedReader({ ...row, data: { memberUntil: row.data.memberUntil ?? '' } }, seen, today)
        : refusedRow(row, { code: 'reader-unknown' }),
    ),
  loans: matchedLoans,
};

/** What a new reader needs. */
const NEEDED = ['firstname', 'lastname', 'dateOfBirth'] as const;

function matchedReader(row: ReadRow, seen: Seen, today: string): StagedRow {
  const { place, data, account } = row;
  const { cardNumber, email, firstname, dateOfBirth, memberUntil } = data;
  const keys = account
    ? [`reader ${account.id}`]
    : [
        ...(cardNumber === undefined ? [] : [`card ${cardNumber}`]),
        ...(email === undefined ? [] : [`email ${email.toLowerCase()} ${firstname} ${dateOfBirth}`]),
      ];
  const missing = NEEDED.find((field) => !account && data[field] === undefined);
  const refused: ReaderReason | undefined =
    memberUntil === ''
      ? { code: 'missing', field: 'memberUntil' }
      : missing
        ? { code: 'missing', field: missing }
        : seenBefore(seen, place, keys);
  if (refused) return refusedRow(row, refused);
  const differs = differencesFrom(data, account);
  const said = Object.fromEntries(Object.entries(differs).map(([field, { theirs }]) => [field, theirs]));
  const ends = differs.memberUntil && (memberUntil ?? '') < today;
  const open = account && ends ? account.open : 0;
  return {
    ...{ ...matchedRow(row), name: account?.fullname ?? nameIn(data), differs },
    outcome: account ? (Object.keys(said).length > 0 ? 'changed' : 'same') : 'new',
    data: { ...said, ...(!account && data.username !== undefined && { username: data.username }) },
    reason: open > 0 ? { code: 'open-loans', where: String(open) } : null,
    account_id: account?.id ?? null,
  };
}

const saidRow = z.object({
  place: z.int(),
  cells: z.array(z.string()),
  data: z.partialRecord(z.enum(READER_IMPORT_FIELDS), z.string()),
});

/** Looks again at loans whose readers were still to come. */
export async function rematch(database: Queryable, id: string): Promise<void> {
  const rows = await queryRows(
    database,
    saidRow,
    `select place, cells, said as data from reader_row where import_id = $1 and outcome = 'waiting' and said is not null order by place`,
    [id],
  );
  if (rows.length > 0) await rewrite(database, id, await matchedRows(database, 'loans', rows, new Map(), ''));
}

const openRow = saidRow.extend({ candidates: z.array(z.string()), kind: z.enum(READER_IMPORT_KINDS) });

/**
 * Says whose an unsure row is.
 * @param accountId one of its candidates; 'new': a reader who is not known yet; null: nobody's, and refused
 * @throws DomainError ImportNotFound
 */
export async function settle(
  database: Queryable,
  id: string,
  place: number,
  accountId: SettledReader,
  today: string,
): Promise<void> {
  const row = await queryRow(
    database,
    openRow,
    `select r.place, r.cells, r.said as data, r.candidates, i.kind
     from reader_row r join reader_import i on i.id = r.import_id
     where i.id = $1 and r.place = $2 and r.done is null and cardinality(r.candidates) > 0`,
    [id, place],
  );
  if (!row) throw rowNotFound();
  if (accountId === null) return rewrite(database, id, [refusedRow(row, { code: 'nobody' })]);
  const { kind, data, candidates } = row;
  const known = await knownAccounts(database, [data]);
  const account = [...known.byCard.values(), ...[...known.byEmail.values()].flat()].find(
    (each) => each.id === accountId && candidates.includes(each.id),
  );
  if (!account && accountId !== 'new') throw rowNotFound();
  const read = { ...row, account, data: saidOf(data, account, known) };
  const [staged] = await MATCHED[kind](database, [read], new Map(), today);
  if (!staged) throw rowNotFound();
  const loan = loanSchema.safeParse(staged.data).data;
  const twin = await queryRow(
    database,
    z.object({ place: z.int() }),
    `select place from reader_row where import_id = $1 and place <> $2 and outcome in ('new', 'changed', 'same')
       and case when $3::jsonb is null then account_id = $4 else data @> $3 end order by place limit 1`,
    [id, place, loan ? JSON.stringify({ bookId: loan.bookId, copy: loan.copy }) : null, staged.account_id],
  );
  const where = twin && String(twin.place);
  await rewrite(database, id, [where === undefined ? staged : refusedRow(read, { code: 'same-as', where })]);
}

/** What rows say and whom they fit stays, so that a person can think again. */
async function rewrite(database: Queryable, id: string, rows: readonly StagedRow[]): Promise<void> {
  await database.query(
    `update reader_row r set outcome = g.outcome, name = g.name, data = g.data, differs = g.differs, reason = g.reason,
       account_id = g.account_id, borrow_id = g.borrow_id,
       candidates = case when cardinality(g.candidates) > 0 then g.candidates else r.candidates end
     from jsonb_populate_recordset(null::reader_row, $2) g where r.import_id = $1 and r.place = g.place`,
    [id, JSON.stringify(rows)],
  );
}
