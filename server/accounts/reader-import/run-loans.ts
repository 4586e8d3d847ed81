import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import type { ProblemCode } from '#contracts/problem.js';
import { READER_KINDS } from '#contracts/rules/kinds.js';
import type { Connection, Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import type { TakenOver, TakeOverLoan } from '../../borrowing/take-over-loan.commands.js';
import { loanSchema } from './loan-rows.js';
import { writeDone, type Done } from './reader-imports.js';
import type { ReasonCode } from './reader-reasons.js';

/** Has a loan taken over. */
export type TakeOver = (command: Pick<TakeOverLoan, 'loan' | 'context'>) => Promise<TakenOver>;

/** Loans that are taken over at once: those of one reader one after the other. */
const BATCH = 100;

const rowSchema = z.object({
  place: z.int(),
  account_id: z.string(),
  borrow_id: z.string(),
  data: loanSchema,
  kind: z.enum(READER_KINDS),
  earlier_days: z.boolean(),
  actor: z.string(),
});
type Row = z.output<typeof rowSchema>;

/**
 * Each loan has the id of its borrow from the beginning: where it was stored before its row could say so, it is found in the log.
 * @returns how many it did
 */
export async function runLoanBatch(
  database: Database,
  connection: Connection,
  id: string,
  takeOver: TakeOver,
): Promise<number> {
  const rows = await queryRows(
    connection,
    rowSchema,
    // Who works by a command has no account.
    `select r.place, r.account_id, r.borrow_id, r.data, a.kind, i.earlier_days,
       coalesce((select pseudonym from account where id = i.started_by), i.id) as actor
     from reader_row r join reader_import i on i.id = r.import_id join account a on a.id = r.account_id
     where r.import_id = $1 and r.done is null and r.outcome = 'new'
     order by r.place limit ${BATCH}`,
    [id],
  );
  return writeDone(connection, id, await Promise.all(rows.map((row) => take(database, id, row, takeOver))));
}

const LEFT: Partial<Record<ProblemCode, ReasonCode>> = {
  CopyOutOfService: 'copy-gone',
  CopyNotOnShelf: 'copy-lent',
  BookNotFound: 'copy-unknown',
  BookAlreadyBorrowed: 'has-book',
};

async function take(database: Database, id: string, row: Row, takeOver: TakeOver): Promise<Done> {
  const { place, account_id, borrow_id: borrowId, actor, data, kind, earlier_days } = row;
  const loan = {
    ...data,
    ...{ borrowId, readerKind: kind, countsEarlierDays: earlier_days, librarianId: actor },
  };
  const identity = commandIdentity(`loan ${borrowId}`, actor, 'TakeOverLoan', { borrowId });
  try {
    const became = await takeOver({ loan, context: { actor, correlationId: id, ...identity } });
    if (became === 'taken') return { place, done: 'added', account_id, reason: null };
    return { place, done: 'left', account_id, reason: { code: 'here-before' } };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'RentAbandoned') {
      // It broke off for so long that it was given up: it is another attempt now.
      const again = randomUUID();
      const where = 'where import_id = $1 and place = $2';
      await database.query(`update reader_row set borrow_id = $3 ${where}`, [id, place, again]);
      return take(database, id, { ...row, borrow_id: again }, takeOver);
    }
    const code = LEFT[error.code];
    if (!code) throw error;
    return { place, done: 'left', account_id, reason: { code, where: String(data.bookId) } };
  }
}
