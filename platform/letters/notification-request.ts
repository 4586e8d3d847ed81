import { v5 as uuidFromName } from 'uuid';
import type { Queryable, Statements } from '../database/database.js';
import { CHANNELS } from '../database/notifications.js';
import { JOB_MAP, type JobData, type JobName } from '../jobs/job-map.js';

/** The letters about borrows, by their jobs' names. */
export const LETTER_KINDS = [
  'books-rented',
  'books-issued',
  'due-soon',
  'borrow-expired',
  'fee-charged',
  'fee-paid',
] as const;
export type LetterKind = (typeof LETTER_KINDS)[number];

/** A request for a letter; its cause makes it unique. */
export type NotificationRequest = {
  [Kind in LetterKind]: {
    kind: Kind;
    data: JobData<'letters', Kind>;
    /** The time of the cause, ISO. */
    causedAt: string;
    /** The request that caused it. */
    correlationId: string;
  };
}[LetterKind];

/**
 * A fee grows daily; its letter is sent at most weekly for a borrow. Charges follow an hourly sweep, so two weeks in a
 * row are not exactly seven days apart.
 */
const LEAST_APART: Partial<Record<LetterKind, string>> = { 'fee-charged': '6 days 12 hours' };

/** Any fixed UUID: names the jobs of letters. */
const NAMESPACE = 'b3a1f0de-6c0e-4f57-9d0b-7a1e4c52d8f3';

/** The id of a cause's letter: of its jobs, and of the message itself. */
export function letterId(cause: string): string {
  return uuidFromName(cause, NAMESPACE);
}

/**
 * Requests a letter in the ledger, as part of the caller's transaction: after the commit, a `LetterRelay` queues it. Does
 * nothing if the cause already has its letter.
 * @returns whether it was requested now
 */
export async function requestLetter(transaction: Queryable, request: NotificationRequest): Promise<boolean> {
  const { kind, data, causedAt, correlationId } = request;
  const { rowCount } = await transaction.query({
    name: 'ask-for-letter',
    text: `
      with asked as (
        insert into letters.letter (cause, kind, account_id, borrow_id, caused_at, queue, data, correlation_id)
        select $1, $2, $3::uuid, $4::uuid, $5::timestamptz, 'letters', $7::jsonb, $8
        where $6::interval is null or not exists (
          select from letters.letter earlier
          where earlier.borrow_id = $4::uuid and earlier.kind = $2
            and earlier.caused_at > $5::timestamptz - $6::interval
        )
        on conflict (cause) do nothing returning cause
      )
      select pg_notify($9, '') from asked`,
    values: [
      data.cause,
      kind,
      data.accountId,
      data.borrowId,
      causedAt,
      LEAST_APART[kind] ?? null,
      JSON.stringify(data),
      correlationId,
      CHANNELS.letters,
    ],
  });
  return rowCount === 1;
}

/** The letters about accounts, by their jobs' names. */
export const ACCOUNT_LETTER_KINDS = Object.keys(JOB_MAP.mail) as JobName<'mail'>[];

/**
 * Requests a letter about an account, as part of the caller's transaction. The ledger gets ids, kinds and times alone: a
 * link is made when its letter is sent.
 * @param correlationId of the request; the job's log lines name it
 */
export async function requestAccountLetter<Kind extends JobName<'mail'>>(
  transaction: Statements,
  kind: Kind,
  data: JobData<'mail', Kind>,
  correlationId: string,
): Promise<void> {
  await transaction.query(
    `with asked as (
       insert into letters.letter (cause, kind, account_id, caused_at, queue, data, correlation_id)
       values (gen_random_uuid()::text, $1, $2::uuid, now(), 'mail', $3::jsonb, $4) returning cause
     ) select pg_notify($5, '') from asked`,
    [kind, data.accountId, JSON.stringify(data), correlationId, CHANNELS.letters],
  );
}
