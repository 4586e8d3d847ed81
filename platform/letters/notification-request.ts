import { v5 as uuidFromName } from 'uuid';
import type { Queryable } from '../database/database.js';
import { CHANNELS } from '../database/notifications.js';
import type { JobData } from '../jobs/job-map.js';

/** The letters about borrows, by the names of their jobs. */
export const LETTER_KINDS = [
  'books-rented',
  'books-issued',
  'due-soon',
  'borrow-expired',
  'fee-charged',
  'fee-paid',
] as const;
export type LetterKind = (typeof LETTER_KINDS)[number];

/** A letter that is to be sent, once for its cause. */
export type NotificationRequest = {
  [Kind in LetterKind]: {
    kind: Kind;
    data: JobData<'letters', Kind>;
    /** When the cause came about, ISO. */
    causedAt: string;
    /** The request that set it in motion. */
    correlationId: string;
  };
}[LetterKind];

/**
 * A fee grows day by day; its letter comes at most weekly for a borrow. Charges follow an hourly sweep, so those of
 * two weeks are not seven days apart to the minute.
 */
const LEAST_APART: Partial<Record<LetterKind, string>> = { 'fee-charged': '6 days 12 hours' };

/** Any fixed UUID: names the jobs of letters. */
const NAMESPACE = 'b3a1f0de-6c0e-4f57-9d0b-7a1e4c52d8f3';

/** The id that a cause gives its letter: of its row in the outbox, of its job, of the message itself. */
export function letterId(cause: string): string {
  return uuidFromName(cause, NAMESPACE);
}

/**
 * Asks for a letter as part of the caller's transaction: its row in the ledger and its job's row in the outbox. A
 * cause that has its letter already changes nothing.
 * @returns whether it was asked for now
 */
export async function askForLetter(transaction: Queryable, wish: NotificationRequest): Promise<boolean> {
  const { kind, data, causedAt, correlationId } = wish;
  const { rowCount } = await transaction.query({
    name: 'ask-for-letter',
    text: `
      with asked as (
        insert into letters.letter (cause, kind, account_id, borrow_id, caused_at)
        select $1, $2, $3::uuid, $4::uuid, $5::timestamptz
        where $6::interval is null or not exists (
          select from letters.letter earlier
          where earlier.borrow_id = $4::uuid and earlier.kind = $2
            and earlier.caused_at > $5::timestamptz - $6::interval
        )
        on conflict (cause) do nothing returning cause
      ), written as (
        insert into outbox (id, queue, job, data, correlation_id)
        select $7::uuid, 'letters', $2, $8::jsonb, $9 from asked returning id
      )
      select pg_notify($10, '') from written`,
    values: [
      data.cause,
      kind,
      data.accountId,
      data.borrowId,
      causedAt,
      LEAST_APART[kind] ?? null,
      letterId(data.cause),
      JSON.stringify(data),
      correlationId,
      CHANNELS.outbox,
    ],
  });
  return rowCount === 1;
}
