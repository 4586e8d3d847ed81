import { z } from 'zod';
import { BORROW_EVENTS, isOfVisit, type BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import type { Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { letterId, VISIT_LETTER } from '#letters/notification-request.js';
import type { AcceptedLetter } from '../../test-support/mail/breaking-mail-server.js';
import type { FeePayer } from '../crash/fee-payer.js';
import { holdersOf, type LoggedEvent } from '../crash/log-account.js';
import type { Fallen } from './strokes.js';

/** Copies of every book, by the log at each of its moments and by the counters at its end. */
export async function compareCopies(database: Database, log: readonly LoggedEvent[]): Promise<string[]> {
  const rows = await queryRows(
    database,
    z.object({ id: z.int(), total: z.int(), available: z.int() }),
    'select id, copies_total as total, copies_available as available from book',
  );
  const holders = holdersOf(log);
  return rows.flatMap(({ id, total, available }) => {
    const { most = 0, now = 0 } = holders.get(id) ?? {};
    return [
      ...(most > total ? [`book ${id}: ${most} of ${total} copies were lent at once`] : []),
      ...(available + now === total
        ? []
        : [`book ${id}: ${total} copies, ${now} lent, ${available} on the shelf`]),
    ];
  });
}

const booked = z.object({
  borrow_id: z.string().nullable(),
  id: z.string().nullable(),
  status: z.string().nullable(),
  amount: z.int().nullable(),
  provider: z.string().nullable(),
  taken: z.int().nullable(),
  given_back: z.boolean(),
});

/** Each fee was charged and paid once: in the log, in the ledger, at the provider, and by what its payer was told. */
export async function comparePayments(
  database: Database,
  log: readonly LoggedEvent[],
  payers: readonly FeePayer[],
): Promise<string[]> {
  const differences: string[] = [];
  // Row by row: each without the other would be money lost.
  const rows = await queryRows(
    database,
    booked,
    `select t.borrow_id, t.id, t.status, t.amount, s.status as provider, s.amount as taken,
       s.refunded_at is not null as given_back
     from payment_transaction t full join sandbox_payment s on s.transaction_id = t.id`,
  );
  for (const { id, status, amount, provider, taken, given_back: givenBack } of rows) {
    const hasMoney = provider === 'paid' && !givenBack;
    if (id === null || (status === 'paid') !== hasMoney || (hasMoney && amount !== taken)) {
      differences.push(`payment ${id}: ${status} of ${amount}; at the provider ${provider} of ${taken}`);
    }
  }
  for (const { borrowId, confirmed, stage } of payers) {
    const told = (what: string) => differences.push(`the fee of ${borrowId}: ${what}`);
    const charged = dataOf(log, 'FineCharged', borrowId);
    const paid = dataOf(log, 'FinePaid', borrowId);
    const paidRows = rows.filter((row) => row.borrow_id === borrowId && row.status === 'paid');
    if (stage !== 'done') told(`its payer came as far as “${stage}”`);
    if (paid.length !== 1) told(`paid ${paid.length} times in the log`);
    if (paidRows.length !== 1) told(`paid ${paidRows.length} times in the ledger`);
    if (new Set(charged.map(({ daysLate }) => daysLate)).size !== charged.length)
      told('charged twice for the same day');
    const [first] = paid;
    if (!first) continue;
    if (paidRows[0]?.id !== first.transactionId) told('the log and the ledger name different payments');
    if (confirmed !== undefined && confirmed !== first.transactionId)
      told('its payer was told of another payment');
    const owed = charged.reduce((sum, { amount }) => sum + amount, 0);
    if (first.amount > owed || charged.at(-1)?.total !== owed) told(`${first.amount} were paid of ${owed}`);
  }
  return differences;
}

function dataOf<Type extends BorrowEvent['type']>(log: readonly LoggedEvent[], type: Type, borrowId: string) {
  return log.flatMap(({ event }) =>
    event.type === type && event.data.borrowId === borrowId
      ? [event.data as Extract<BorrowEvent, { type: Type }>['data']]
      : [],
  );
}

/** Milliseconds in which a letter that was accepted is recorded as sent, on a busy machine. */
const RECORDED_WITHIN = 3_000;

export interface LetterAccount {
  due: number;
  sent: number;
  /** With nothing to say any more. */
  dropped: number;
  /** Letters that came and could not be recorded, as their sender or its database was killed in between. */
  unrecorded: number;
  differences: string[];
}

/** Of a letter that tells of a visit: whose it was, and its first and last event. */
const visitData = z.object({ accountId: z.string(), from: z.int(), until: z.int() });

/** Every event's letter was sent once, or had nothing to say any more; what was done on a visit is told by one letter. */
export async function compareLetters(
  database: Database,
  log: readonly LoggedEvent[],
  box: readonly AcceptedLetter[],
  fallen: readonly Fallen[],
): Promise<LetterAccount> {
  const ledger = await queryRows(
    database,
    z.object({ cause: z.string(), kind: z.string(), state: z.string(), data: z.unknown() }),
    'select cause, kind, state, data from letters.letter',
  );
  const visits = ledger.flatMap(({ cause, kind, data }) =>
    kind === VISIT_LETTER ? [{ cause, ...visitData.parse(data) }] : [],
  );
  const requested = new Map(ledger.map((row) => [row.cause, row]));
  const got = new Map<string, AcceptedLetter[]>();
  for (const letter of box) {
    const id = /^<([^@]+)@/.exec(letter.messageId)?.[1] ?? '';
    got.set(id, [...(got.get(id) ?? []), letter]);
  }
  const account = { due: 0, sent: 0, dropped: 0, unrecorded: 0, differences: [] as string[] };
  const counted = new Set<string>();
  for (const [index, { id, event, reader, actor, revision }] of log.entries()) {
    const isAtDesk = isOfVisit(event, reader, actor);
    const kind = isAtDesk ? VISIT_LETTER : BORROW_EVENTS[event.type].letter;
    if (kind === null) continue;
    const told = (what: string) => account.differences.push(`letter ${kind} for ${id}: ${what}`);
    const of = visits.filter(
      ({ accountId, from, until }) => accountId === reader && from <= revision && revision <= until,
    );
    if (isAtDesk && of.length > 1) told(`is told by ${of.length} letters`);
    const cause = isAtDesk ? (of[0]?.cause ?? id) : id;
    // The first event of a visit has spoken for the others.
    if (counted.has(cause)) continue;
    counted.add(cause);
    const row = requested.get(cause);
    const copies = got.get(letterId(cause)) ?? [];
    got.delete(letterId(cause));
    requested.delete(cause);
    if (!row) {
      // One a week is enough, however often the fee grows.
      const isFirst = !log
        .slice(0, index)
        .some(
          (earlier) =>
            earlier.event.type === event.type && earlier.event.data.borrowId === event.data.borrowId,
        );
      if (kind !== 'fee-charged' || isFirst) told('was never requested');
      continue;
    }
    account.due += 1;
    if (row.state === 'sent') {
      account.sent += 1;
      if (copies.length === 0) told('is recorded as sent, and never came');
    } else if (row.state === 'dropped') {
      account.dropped += 1;
      const isOvertaken = log
        .slice(index + 1)
        .some((later) => later.event.data.borrowId === event.data.borrowId);
      if (!isOvertaken) told('was dropped though it was true');
    } else told(`is ${row.state}`);
    // The last one is the one that is recorded, if any is.
    const unrecorded = row.state === 'sent' ? copies.slice(0, -1) : copies;
    for (const copy of unrecorded) {
      if (isExcused(copy, fallen)) account.unrecorded += 1;
      else
        told(
          `came ${copies.length} times and is ${row.state}; one came at ${new Date(copy.at).toISOString()}`,
        );
    }
  }
  for (const { cause, kind, state } of requested.values()) {
    account.differences.push(
      `letter ${kind} for ${cause}: requested (${state}), and the log has no such event`,
    );
  }
  for (const [id, [letter]] of got)
    account.differences.push(`“${letter?.subject}” came as ${id}, which nobody requested`);
  return account;
}

/** Whether something fell between the mail server's acceptance and the record of it. */
function isExcused({ at, wasTold }: AcceptedLetter, fallen: readonly Fallen[]): boolean {
  if (!wasTold) return true;
  return fallen.some(
    ({ part, from, open }) =>
      (part === 'worker' || part === 'database' || part === 'mail server') &&
      from <= at + RECORDED_WITHIN &&
      open >= at,
  );
}
