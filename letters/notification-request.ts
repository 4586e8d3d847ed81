import { randomUUID } from 'node:crypto';
import { v5 as uuidFromName } from 'uuid';
import { USUAL_LETTERS } from '#contracts/library/own-words.js';
import { HOLD_LETTERS } from '#contracts/holds/hold-events.js';
import type { Queryable, Statements } from '#platform/database/database.js';
import { CHANNELS } from '#platform/database/notifications.js';
import { JOB_MAP, type JobData, type JobName } from '#platform/jobs/job-map.js';

/** The letters about borrows and holds, by their jobs' names. */
export const LETTER_KINDS = [
  'books-rented',
  'books-issued',
  'due-soon',
  'borrow-expired',
  'fee-charged',
  'fee-paid',
  'loss-charged',
  'loss-found',
  'rent-cancelled',
  'issue-undone',
  'payment-undone',
  'loss-undone',
  'refund-paid',
  'finding-undone',
  'refund-undone',
  ...HOLD_LETTERS,
] as const;
export type LetterKind = (typeof LETTER_KINDS)[number];

/** The letter that tells what was done for a reader in one visit: see `visit-letters`. */
export const VISIT_LETTER = 'visit';

/** A request for a letter; its cause makes it unique. `daysLate` is of a fee that is told of. */
export type NotificationRequest = { daysLate?: number } & {
  [Kind in LetterKind]: {
    kind: Kind;
    data: JobData<'letters', Kind>;
    /** The time of the cause, ISO. */
    causedAt: string;
    /** The request that caused it. */
    correlationId: string;
  };
}[LetterKind];

/** The index `letter_fees` has this kind alone. */
const RARE: LetterKind = 'fee-charged';

/**
 * A fee grows daily; its letter is sent from as many days on, and then again, as the library has chosen. Charges follow an hourly
 * sweep, so two weeks in a row are not exactly seven days apart.
 */
const OVERDUE = `(
  select coalesce((f.chosen ->> 'after')::integer, ${USUAL_LETTERS.overdue.after}) as after,
    make_interval(days => coalesce((f.chosen ->> 'every')::integer, ${USUAL_LETTERS.overdue.every}), hours => -12) as apart
  from (select (select facts -> 'letters' -> 'overdue' from library_facts order by version desc limit 1) as chosen) f)`;

/** Any fixed UUID: names the jobs of letters. */
const NAMESPACE = 'b3a1f0de-6c0e-4f57-9d0b-7a1e4c52d8f3';

/** The id of a cause's letter: of its jobs, and of the message itself. */
export function letterId(cause: string): string {
  return uuidFromName(cause, NAMESPACE);
}

/**
 * Requests letters in the ledger, as part of the caller's transaction: after the commit, a `LetterRelay` sees to them. Does
 * nothing for a cause that already has its letter.
 */
export async function requestLetters(
  transaction: Queryable,
  requests: readonly NotificationRequest[],
): Promise<void> {
  const usual = requests.filter(({ kind }) => kind !== RARE);
  const rare = requests.filter(({ kind }) => kind === RARE);
  await Promise.all([
    ...(usual.length > 0 ? [requestAtOnce(transaction, usual)] : []),
    // One after the other on this connection: each sees those before it.
    ...rare.map((request) => requestRare(transaction, request)),
  ]);
}

/** One statement for all. The ledger keeps no data of them: they follow from the row's other columns. */
async function requestAtOnce(
  transaction: Queryable,
  requests: readonly NotificationRequest[],
): Promise<void> {
  await transaction.query({
    name: 'ask-for-letters',
    text: `
      with asked as (
        insert into letters.letter (queue, cause, kind, account_id, borrow_id, caused_at, correlation_id)
        select 'letters', * from unnest($1::text[], $2::text[], $3::uuid[], $4::uuid[], $5::timestamptz[], $6::text[])
        on conflict (cause) do nothing returning cause
      )
      select pg_notify($7, '') from asked limit 1`,
    values: [
      requests.map(({ data }) => data.cause),
      requests.map(({ kind }) => kind),
      requests.map(({ data }) => data.accountId),
      requests.map(({ data }) => data.borrowId),
      requests.map(({ causedAt }) => causedAt),
      requests.map(({ correlationId }) => correlationId),
      CHANNELS.letters,
    ],
  });
}

/** A letter that is sent only so often about a borrow. */
async function requestRare(
  transaction: Queryable,
  { kind, data, causedAt, correlationId, daysLate = 0 }: NotificationRequest,
): Promise<void> {
  await transaction.query({
    name: 'ask-for-rare-letter',
    text: `
      with asked as (
        insert into letters.letter (cause, kind, account_id, borrow_id, caused_at, queue, correlation_id)
        select $1, $2, $3::uuid, $4::uuid, $5::timestamptz, 'letters', $7
        from ${OVERDUE} overdue
        where $6::integer >= overdue.after and not exists (
          select from letters.letter earlier
          where earlier.borrow_id = $4::uuid and earlier.kind = '${RARE}'
            and earlier.caused_at > $5::timestamptz - overdue.apart
        )
        on conflict (cause) do nothing returning cause
      )
      select pg_notify($8, '') from asked`,
    values: [
      data.cause,
      kind,
      data.accountId,
      data.borrowId,
      causedAt,
      daysLate,
      correlationId,
      CHANNELS.letters,
    ],
  });
}

/** The letters about accounts, by their jobs' names. */
export const ACCOUNT_LETTER_KINDS = Object.keys(JOB_MAP.mail) as JobName<'mail'>[];

/**
 * Requests a letter about an account, as part of the caller's transaction. The ledger gets ids, kinds and times alone: a
 * link is made when its letter is sent.
 * @param correlationId of the request; the job's log lines name it
 * @param cause makes it unique: there is one letter of a cause
 */
export async function requestAccountLetter<Kind extends JobName<'mail'>>(
  transaction: Statements,
  kind: Kind,
  data: Omit<JobData<'mail', Kind>, 'cause'>,
  correlationId: string,
  cause: string = randomUUID(),
): Promise<void> {
  await transaction.query(
    `with asked as (
       insert into letters.letter (cause, kind, account_id, caused_at, queue, data, correlation_id)
       values ($6, $1, $2::uuid, now(), 'mail', $3::jsonb, $4) on conflict (cause) do nothing returning cause
     ) select pg_notify($5, '') from asked`,
    [kind, data.accountId, JSON.stringify(data), correlationId, CHANNELS.letters, cause],
  );
}
