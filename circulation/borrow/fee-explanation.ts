import type {
  FeeCharge,
  FeeCorrection,
  FeeExplanation,
  FeeLoss,
  FeePayment,
  FeeRefund,
  FeeTakenBack,
  FeeWaiver,
} from '#contracts/audit/fee-explanation.js';
import {
  borrowEventTime,
  DESK,
  isOfMoney,
  type BorrowEvent,
  type MoneyEventType,
  type WaiverReason,
} from '#contracts/borrowing/borrow-events.js';
import { bookState } from '#contracts/borrowing/borrowed-book.js';
import { daysBetween, localDay } from '#contracts/local-day.js';
import { money } from '#contracts/money.js';
import { BOOK_KIND_LABELS, READER_KIND_LABELS } from '#contracts/rules/kinds.js';
import { MAX_STEPS } from '#contracts/borrowing/borrow-details.js';
import { totalCharged, evolveBorrow, fineDue, lentBooks, refundDue, type Borrow } from './borrow-state.js';
import { BORROW_POLICY, numbersForBook, policyOfVersion, type BorrowPolicy } from '../rules/borrow.policy.js';
import { lateBooks, maxDaysLate, totalFee, type LateBook } from './late-fee.decider.js';
import { lossCharge } from './loss.decider.js';

/** Who reads the sentences: the reader, or somebody else. */
export type Audience = 'reader' | 'staff';

/** An event of the borrow and its revision in the reader's stream. */
export interface NumberedEvent {
  revision: number;
  event: BorrowEvent;
  /** The name of the librarian who took, waived or undid it, if it is to be shown. */
  by?: string;
}

/** One that changes what the borrow costs. */
interface MoneyEvent {
  revision: number;
  event: BorrowEvent<MoneyEventType>;
  by: string | undefined;
}

type Charged = BorrowEvent<'FineCharged'>['data'];
type PolicyOf = (version: number) => BorrowPolicy | undefined;

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
  policyOf: PolicyOf = policyOfVersion,
): FeeExplanation {
  const words: Words = { ...WORDS[voice], day: (instant) => localDay(instant, timeZone) };
  const charges: FeeCharge[] = [];
  const payments: FeePayment[] = [];
  const waivers: FeeWaiver[] = [];
  const corrections: FeeCorrection[] = [];
  const losses: FeeLoss[] = [];
  const takenBack: FeeTakenBack[] = [];
  const refunds: FeeRefund[] = [];
  const sentences: string[] = [];
  let borrow: Borrow | undefined;
  /** Keeps a step of the fee, and puts it in a sentence. */
  const explained = ({ revision, event, by }: MoneyEvent, before: Borrow): string => {
    const { type, data } = event;
    const at = borrowEventTime(event);
    const [day, amount] = [words.day(at), pln(data.amount)];
    const keep = <Step extends { sentence: string }>(steps: Step[], step: Step): string => {
      steps.push(step);
      return step.sentence;
    };
    switch (type) {
      case 'FineCharged':
        return keep(charges, explainCharge(revision, data, before, policyOf, words));
      case 'FinePaid': {
        const where = data.provider === DESK ? ' at the desk' : '';
        const received = by === undefined ? '' : `, received by ${by}`;
        const sentence = `${words.who} paid ${money(data.amount)}${where} on ${day}${received}.`;
        return keep(payments, { revision, paidAt: at, amount, provider: data.provider, sentence });
      }
      case 'FeeWaived': {
        const { reason } = data;
        const sentence = `${money(data.amount)} of the fee was waived on ${day}${byWhom(by)}: ${WAIVED[reason]}.`;
        return keep(waivers, { revision, waivedAt: at, amount, reason, sentence });
      }
      case 'RefundPaid': {
        const sentence = `${money(data.amount)} was refunded to ${words.paidBy} at the desk on ${day}${byWhom(by)}.`;
        return keep(refunds, { revision, paidAt: at, amount, sentence });
      }
      case 'FindingUndone': {
        const title = titleOf(before, data.bookId);
        const sentence = `On ${day} it was undone${byWhom(by)} that “${title}” was found, and its charge of ${money(data.amount)} is due again.`;
        return keep(corrections, { revision, undoneAt: at, amount, sentence });
      }
      case 'PaymentUndone':
      case 'WaiverUndone':
      case 'RefundUndone': {
        const sentence = `On ${day} the ${UNDONE[type]} of ${money(data.amount)} was undone${byWhom(by)}.`;
        return keep(corrections, { revision, undoneAt: at, amount, sentence });
      }
      case 'BookLost':
      case 'BookDamaged':
        return keep(losses, explainLoss(revision, type, data, before, policyOf, words, by));
      case 'LostBookFound':
      case 'LossUndone': {
        const title = titleOf(before, data.bookId);
        const what =
          type === 'LostBookFound'
            ? `“${title}” was found${byWhom(by)}`
            : `it was undone${byWhom(by)} that “${title}” is gone`;
        const sentence = `On ${day} ${what}, and the charge of ${money(data.amount)} was cancelled.`;
        return keep(takenBack, { revision, takenBackAt: at, amount, sentence });
      }
    }
  };
  for (const { revision, event, by } of events) {
    const before = borrow;
    const after = evolveBorrow(before, event, revision);
    borrow = after;
    if (!before || !after) continue;
    if (isOfMoney(event)) sentences.push(explained({ revision, event, by }, before));
    else if (charges.length > 0) sentences.push(...meanwhile(before, after, borrowEventTime(event), words));
  }
  const [due, refund] = borrow ? [fineDue(borrow), refundDue(borrow)] : [0, 0];
  if (refund > 0) sentences.push(`${money(refund)} paid by ${words.paidBy} is to be refunded.`);
  sentences.push(
    charges.length + losses.length === 0
      ? 'There is no fee on this borrow.'
      : due === 0
        ? 'Nothing is left to pay.'
        : `${money(due)} is still to pay.`,
  );
  return {
    borrowId,
    readerId,
    charges: charges.slice(-MAX_STEPS),
    payments: payments.slice(-MAX_STEPS),
    waivers: waivers.slice(-MAX_STEPS),
    corrections: corrections.slice(-MAX_STEPS),
    losses: losses.slice(-MAX_STEPS),
    takenBack: takenBack.slice(-MAX_STEPS),
    refunds: refunds.slice(-MAX_STEPS),
    charged: pln(borrow ? totalCharged(borrow) : 0),
    paid: pln(borrow?.paid ?? 0),
    waived: pln(borrow?.waived ?? 0),
    due: pln(due),
    refund: pln(refund),
    sentences,
  };
}

const titleOf = ({ books }: Borrow, bookId: number) =>
  books.find((book) => book.bookId === bookId)?.title ?? '';

function explainLoss(
  revision: number,
  type: 'BookLost' | 'BookDamaged',
  data: BorrowEvent<'BookLost'>['data'],
  before: Borrow,
  policyOf: PolicyOf,
  words: Words,
  by: string | undefined,
): FeeLoss {
  const { bookId, price, amount, policyVersion, reportedAt } = data;
  const named = policyOf(policyVersion);
  const book = before.books.find((each) => each.bookId === bookId);
  const policy = named && numbersForBook(named, book?.terms?.reader, book?.kind);
  const what = type === 'BookLost' ? 'marked lost' : 'marked damaged';
  const cost =
    price === null
      ? `by the set amount of ${money(policy?.lossPrice ?? 0)}`
      : `by its price of ${money(price)}`;
  const fee = policy?.lossFee ? ` and a fee of ${money(policy.lossFee)}` : '';
  const expected = policy && lossCharge(price, policy);
  const why = policy
    ? `${cost}${fee}${forKinds(book ? [book] : [])}`
    : `by rules of version ${policyVersion}, which this release does not know`;
  return {
    revision,
    reportedAt,
    bookId,
    amount: pln(amount),
    policyVersion,
    addsUp: expected === undefined ? null : expected === amount,
    sentence: `On ${words.day(reportedAt)} “${titleOf(before, bookId)}” was ${what}${byWhom(by)}: ${money(amount)} was charged, ${why}.`,
  };
}

const UNDONE = { PaymentUndone: 'payment', WaiverUndone: 'waiver', RefundUndone: 'giving back' };

const byWhom = (by: string | undefined) => (by === undefined ? '' : ` by ${by}`);

const WAIVED: Record<WaiverReason, string> = {
  goodwill: 'as a courtesy',
  illness: 'because of illness',
  'library-error': 'because of a mistake of the library',
  hardship: 'because of hardship',
  other: 'for another reason',
};

/** Other events of a borrow with a fee, between its charges and payments: explained by what they changed. */
function meanwhile(before: Borrow, after: Borrow, at: string, words: Words): string[] {
  const [were, are] = [backOf(before), backOf(after)];
  const [came, went] = [difference(are, were), difference(were, are)];
  const all = before.books.length;
  if (came > 0) {
    const what = came === all ? `${words.whose} ${theBooks(all)}` : `${came} of ${all} books`;
    const end = lentBooks(after).length > 0 ? '' : isEnd(after);
    return [`${what} came back on ${words.day(at)}${end}.`];
  }
  if (went > 0) return [`On ${words.day(at)} the return of ${theBooks(went)} was undone.`];
  return after.dueDate !== null && after.dueDate !== before.dueDate
    ? [`On ${words.day(at)} the borrow was renewed until ${words.day(after.dueDate)}.`]
    : [];
}

const isEnd = (after: Borrow) =>
  after.status === 'Returned' ? ', which ended the borrow' : ', so the fee grows no more';

const backOf = ({ books }: Borrow) => books.filter((book) => bookState(book) === 'returned').length;
const difference = (more: number, less: number) => Math.max(0, more - less);

function explainCharge(
  revision: number,
  data: Charged,
  before: Borrow,
  policyOf: PolicyOf,
  words: Words,
): FeeCharge {
  const late = lateAt(data, before, policyOf);
  const { computed, total } = late.isKnown ? totalFee(late.books) : { computed: null, total: null };
  const addsUp =
    total === null
      ? null
      : data.total === total &&
        data.amount === total - before.charged &&
        maxDaysLate(late.books) === data.daysLate;
  const policies = late.isKnown ? late.books.map(({ rules }) => rules) : [];
  const cap = onlyOne(policies.map(({ fineCap }) => fineCap));
  const rate = onlyOne(policies.map(({ finePerBookAndDay }) => finePerBookAndDay));
  return {
    revision,
    chargedAt: data.chargedAt,
    dueDate: before.dueDate,
    reason: data.reason,
    daysLate: data.daysLate,
    books: late.books.length,
    policyVersion: data.policyVersion,
    calendar: data.calendar,
    rate: rate === null ? null : pln(rate),
    cap: cap === null ? null : pln(cap),
    computed: computed === null ? null : pln(computed),
    capped: computed !== total,
    total: pln(data.total),
    amount: pln(data.amount),
    addsUp,
    sentence: [
      lateness(data, before, words),
      closedBetween(data, late),
      sum(data, late, computed, total, cap),
      late.isKnown ? ofKinds(late.books.map(({ book }) => book)) : '',
      earlier(data, before),
      addsUp === false ? `Under the rules it would have been ${money(total ?? 0)} in all.` : '',
    ]
      .filter((part) => part !== '')
      .join(' '),
  };
}

/** Which rules of the version they are, where they are not those for most readers and books. */
function forKinds(books: readonly Borrow['books'][number][]): string {
  const words = books.flatMap(({ terms, kind }) => [
    ...(terms?.reader ? [READER_KIND_LABELS[terms.reader]()] : []),
    ...(terms && kind ? [BOOK_KIND_LABELS[kind]()] : []),
  ]);
  return words.length === 0 ? '' : ` (rules for: ${[...new Set(words)].join(', ')})`;
}

function ofKinds(books: readonly Borrow['books'][number][]): string {
  const words = forKinds(books).trim();
  return words === '' ? '' : `${words}.`;
}

/** Late books, and whether the rules are known by which they were lent. Of those that are not, days alone are right. */
interface KnownLate {
  books: LateBook[];
  isKnown: boolean;
}

function lateAt(data: Charged, before: Borrow, policyOf: PolicyOf): KnownLate {
  let isKnown = true;
  const rulesOf = ({ terms, kind }: Borrow['books'][number]) => {
    const policy = policyOf(terms?.version ?? BORROW_POLICY.version);
    isKnown &&= policy !== undefined;
    return numbersForBook(policy ?? BORROW_POLICY, terms?.reader, kind);
  };
  return { books: lateBooks(before, data.calendar, rulesOf), isKnown };
}

/** The one value that all have; null where there are none, or they differ. */
function onlyOne(values: readonly number[]): number | null {
  const [first] = values;
  return first !== undefined && values.every((value) => value === first) ? first : null;
}

function lateness(data: Charged, before: Borrow, words: Words): string {
  const lent = lentBooks(before).length;
  const verb = lent === 1 ? 'was' : 'were';
  const { dueDay, chargedDay } = data.calendar;
  return `${words.whose} ${theBooks(lent)} ${verb} due on ${dueDay} and ${verb} ${count(data.daysLate, 'day')} late on ${chargedDay}:`;
}

function closedBetween({ calendar, daysLate }: Charged, { books, isKnown }: KnownLate): string {
  if (!isKnown || maxDaysLate(books) !== daysLate) return '';
  const closed = daysBetween(calendar.dueDay, calendar.chargedDay) - daysLate;
  return closed > 0 ? `the library was closed on ${count(closed, 'day')} of them, which cost nothing;` : '';
}

function sum(
  data: Charged,
  { books, isKnown }: KnownLate,
  computed: number | null,
  total: number | null,
  cap: number | null,
): string {
  if (!isKnown || computed === null) {
    return `a fee of ${money(data.total)} was charged by rules of version ${data.policyVersion}, which this release does not know.`;
  }
  const product = `${products(data, books)} = ${money(computed)}`;
  if (computed !== total) {
    const most = cap === null ? 'its rules allow no more' : `a borrow never costs more than ${money(cap)}`;
    return `${product}, but ${most}, so the fee is ${money(data.total)}.`;
  }
  return data.total === computed ? `${product}.` : `${product}. Recorded is ${money(data.total)}.`;
}

/** "(3 days × 1 book + 2 days × 2 books) × 0.50 PLN", for each rate; books within their days of grace are none of them. */
function products({ daysLate }: Charged, late: readonly LateBook[]): string {
  const dear = late.filter(({ days, rules: { graceDays } }) => days > graceDays);
  const counted = dear.length === 0 ? late : dear;
  return [...new Set(counted.map(({ rules }) => rules.finePerBookAndDay))]
    .map((rate) => {
      const same = counted.filter(({ rules }) => rules.finePerBookAndDay === rate);
      const days = [...new Set([daysLate, ...same.map((each) => each.days)])].flatMap((each) => {
        const books = same.filter((other) => other.days === each).length;
        return books === 0 ? [] : `${count(each, 'day')} × ${count(books, 'book')}`;
      });
      return `${days.length === 1 ? days.join() : `(${days.join(' + ')})`} × ${money(rate)}`;
    })
    .join(' + ');
}

function earlier(data: Charged, before: Borrow): string {
  if (before.charged === 0) return '';
  return `${money(before.charged)} had been charged before, so ${money(data.amount)} was added.`;
}

interface Words {
  whose: string;
  who: string;
  /** As `who`, in the middle of a sentence. */
  paidBy: string;
  /** `yyyy-MM-dd` of an instant. */
  day: (instant: string) => string;
}

const WORDS: Record<Audience, Omit<Words, 'day'>> = {
  reader: { whose: 'Your', who: 'You', paidBy: 'you' },
  staff: { whose: 'The', who: 'The reader', paidBy: 'the reader' },
};

/** "book", "2 books". */
function theBooks(books: number): string {
  return books === 1 ? 'book' : `${books} books`;
}

/** "1 day", "3 days". */
function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function pln(grosze: number): number {
  return grosze / 100;
}
