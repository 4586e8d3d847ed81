import type { FeeCharge, FeeExplanation, FeePayment } from '#contracts/audit/fee-explanation.js';
import { borrowEventTime, DESK, type BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import { daysBetween, localDay } from '#contracts/local-day.js';
import { money } from '#contracts/money.js';
import { evolveBorrow, fineDue, type Borrow } from './borrow-state.js';
import { policyOfVersion, type BorrowPolicy } from './borrow.policy.js';

/** Who reads the sentences: the reader himself, or somebody else. */
export type Audience = 'reader' | 'staff';

/** An event of the borrow and its revision in the reader's stream. */
export interface NumberedEvent {
  revision: number;
  event: BorrowEvent;
  /** The name of the librarian who took a payment at the desk, if it is to be shown. */
  receivedBy?: string;
}

type Charged = BorrowEvent<'FineCharged'>['data'];
type Paid = BorrowEvent<'FinePaid'>['data'];

/**
 * Explains a fee, from the borrow's events.
 * @param events all events of one borrow, in order, starting with its rent
 * @param timeZone of the library as it is now: of its days, except where a charge names those by which it was counted
 * @param policyOf the rules of a version, for every version ever in force
 */
export function explainFee(
  readerId: string,
  borrowId: string,
  events: readonly NumberedEvent[],
  voice: Audience,
  timeZone: string,
  policyOf: (version: number) => BorrowPolicy | undefined = policyOfVersion,
): FeeExplanation {
  const words: Words = { ...WORDS[voice], day: (instant) => localDay(instant, timeZone) };
  const charges: FeeCharge[] = [];
  const payments: FeePayment[] = [];
  const sentences: string[] = [];
  let borrow: Borrow | undefined;
  for (const { revision, event, receivedBy } of events) {
    const before = borrow;
    const after = evolveBorrow(before, event);
    borrow = after;
    if (!before || !after) continue;
    if (event.type === 'FineCharged') {
      const charge = explainCharge(revision, event.data, before, policyOf(event.data.policyVersion), words);
      charges.push(charge);
      sentences.push(charge.sentence);
    } else if (event.type === 'FinePaid') {
      const payment = explainPayment(revision, event.data, receivedBy, words);
      payments.push(payment);
      sentences.push(payment.sentence);
    } else if (charges.length > 0) {
      sentences.push(...meanwhile(before, after, borrowEventTime(event), words));
    }
  }
  const due = borrow ? fineDue(borrow) : 0;
  sentences.push(
    charges.length === 0
      ? 'There is no fee on this borrow.'
      : due === 0
        ? 'Nothing is left to pay.'
        : `${money(due)} is still to be paid.`,
  );
  return {
    borrowId,
    readerId,
    charges,
    payments,
    charged: pln(borrow?.charged ?? 0),
    paid: pln(borrow?.paid ?? 0),
    due: pln(due),
    sentences,
  };
}

/** Other events of a borrow with a fee, between its charges and payments: explained by what they changed. */
function meanwhile(before: Borrow, after: Borrow, at: string, words: Words): string[] {
  if (after.status === 'Returned') {
    return [`${words.whose} ${theBooks(before)} came back on ${words.day(at)}, which ended the borrow.`];
  }
  return after.dueDate !== null && after.dueDate !== before.dueDate
    ? [`On ${words.day(at)} the borrow was renewed until ${words.day(after.dueDate)}.`]
    : [];
}

function explainCharge(
  revision: number,
  data: Charged,
  before: Borrow,
  policy: BorrowPolicy | undefined,
  words: Words,
): FeeCharge {
  const books = before.books.length;
  const computed = policy ? data.daysLate * books * policy.finePerBookAndDay : null;
  const capped = policy !== undefined && computed !== null && computed > policy.fineCap;
  const expected = policy && computed !== null ? Math.min(policy.fineCap, computed) : null;
  const addsUp =
    expected === null
      ? null
      : data.total === expected && data.amount === expected - before.charged && daysAddUp(data);
  return {
    revision,
    chargedAt: data.chargedAt,
    dueDate: before.dueDate,
    reason: data.reason,
    daysLate: data.daysLate,
    books,
    policyVersion: data.policyVersion,
    calendar: data.calendar,
    rate: policy ? pln(policy.finePerBookAndDay) : null,
    cap: policy ? pln(policy.fineCap) : null,
    computed: computed === null ? null : pln(computed),
    capped,
    total: pln(data.total),
    amount: pln(data.amount),
    addsUp,
    sentence: [
      lateness(data, before, words),
      sum(data, books, policy, computed, capped),
      earlier(data, before),
      addsUp === false ? `The rules would have made it ${money(expected ?? 0)} in all.` : '',
    ]
      .filter((part) => part !== '')
      .join(' '),
  };
}

/** The days that a charge names, against their number. */
function daysAddUp({ calendar, daysLate }: Charged): boolean {
  return calendar === null || daysBetween(calendar.dueDay, calendar.chargedDay) === daysLate;
}

function lateness(data: Charged, before: Borrow, words: Words): string {
  const verb = before.books.length === 1 ? 'was' : 'were';
  const { dueDay, chargedDay } = data.calendar ?? daysOfUtc(data, before);
  const due = dueDay === null ? '' : `${verb} due on ${dueDay} and `;
  return `${words.whose} ${theBooks(before)} ${due}${verb} ${count(data.daysLate, 'day')} late on ${chargedDay}:`;
}

/** Rules of version 1 counted hours and knew no time zone: what they charged is told as it always was. */
function daysOfUtc({ chargedAt }: Charged, { dueDate }: Borrow) {
  return { dueDay: dueDate?.slice(0, 10) ?? null, chargedDay: chargedAt.slice(0, 10) };
}

function sum(
  data: Charged,
  books: number,
  policy: BorrowPolicy | undefined,
  computed: number | null,
  capped: boolean,
): string {
  if (!policy || computed === null) {
    return `a fee of ${money(data.total)} was charged by rules of version ${data.policyVersion}, which this release does not know.`;
  }
  const product = `${count(data.daysLate, 'day')} × ${count(books, 'book')} × ${money(policy.finePerBookAndDay)} = ${money(computed)}`;
  if (capped) {
    return `${product}, but a borrow never costs more than ${money(policy.fineCap)}, so the fee is ${money(data.total)}.`;
  }
  return data.total === computed ? `${product}.` : `${product}. Recorded is ${money(data.total)}.`;
}

function earlier(data: Charged, before: Borrow): string {
  if (before.charged === 0) return '';
  return `${money(before.charged)} had been charged before, so ${money(data.amount)} was added.`;
}

function explainPayment(
  revision: number,
  data: Paid,
  receivedBy: string | undefined,
  words: Words,
): FeePayment {
  const where = data.provider === DESK ? ' at the desk' : '';
  const whom = receivedBy === undefined ? '' : `, received by ${receivedBy}`;
  return {
    revision,
    paidAt: data.paidAt,
    amount: pln(data.amount),
    provider: data.provider,
    sentence: `${words.who} paid ${money(data.amount)}${where} on ${words.day(data.paidAt)}${whom}.`,
  };
}

interface Words {
  whose: string;
  who: string;
  /** `yyyy-MM-dd` of an instant. */
  day: (instant: string) => string;
}

const WORDS: Record<Audience, Omit<Words, 'day'>> = {
  reader: { whose: 'Your', who: 'You' },
  staff: { whose: 'The', who: 'The reader' },
};

/** "book", "2 books". */
function theBooks({ books }: Borrow): string {
  return books.length === 1 ? 'book' : `${books.length} books`;
}

/** "1 day", "3 days". */
function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function pln(grosze: number): number {
  return grosze / 100;
}
