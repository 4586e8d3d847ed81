import * as m from '#words/messages.js';
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
  const words: Words = { audience: voice, day: (instant) => localDay(instant, timeZone) };
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
    const said = { day, amount: money(data.amount), ...byWhom(by) };
    const keep = <Step extends { sentence: string }>(steps: Step[], step: Step): string => {
      steps.push(step);
      return step.sentence;
    };
    switch (type) {
      case 'FineCharged':
        return keep(charges, explainCharge(revision, data, before, policyOf, words));
      case 'FinePaid': {
        const place = data.provider === DESK ? 'desk' : 'online';
        const sentence = m.fees_told_paid({ ...said, audience: voice, place });
        return keep(payments, { revision, paidAt: at, amount, provider: data.provider, sentence });
      }
      case 'FeeWaived': {
        const { reason } = data;
        const sentence = m.fees_told_waived({ ...said, reason });
        return keep(waivers, { revision, waivedAt: at, amount, reason, sentence });
      }
      case 'RefundPaid': {
        const sentence = m.fees_told_refunded({ ...said, audience: voice });
        return keep(refunds, { revision, paidAt: at, amount, sentence });
      }
      case 'FindingUndone': {
        const title = titleOf(before, data.bookId);
        const sentence = m.fees_told_finding_undone({ ...said, title });
        return keep(corrections, { revision, undoneAt: at, amount, sentence });
      }
      case 'PaymentUndone':
      case 'WaiverUndone':
      case 'RefundUndone': {
        const sentence = m.fees_told_money_undone({ ...said, what: type });
        return keep(corrections, { revision, undoneAt: at, amount, sentence });
      }
      case 'BookLost':
      case 'BookDamaged':
        return keep(losses, explainLoss(revision, type, data, before, policyOf, words, by));
      case 'LostBookFound':
      case 'LossUndone': {
        const title = titleOf(before, data.bookId);
        const sentence = m.fees_told_taken_back({ ...said, what: type, title });
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
  if (refund > 0) sentences.push(m.fees_told_refund_due({ amount: money(refund), audience: voice }));
  sentences.push(
    charges.length + losses.length === 0
      ? m.fees_told_none()
      : due === 0
        ? m.fees_told_nothing_left()
        : m.fees_told_left({ amount: money(due) }),
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
  const expected = policy && lossCharge(price, policy);
  const why = policy
    ? [lossCost(price, policy), forKinds(book ? [book] : [])].filter(Boolean).join(' ')
    : m.fees_told_by_unknown_rules({ version: policyVersion });
  return {
    revision,
    reportedAt,
    bookId,
    amount: pln(amount),
    policyVersion,
    addsUp: expected === undefined ? null : expected === amount,
    sentence: m.fees_told_loss({
      ...{ day: words.day(reportedAt), title: titleOf(before, bookId), amount: money(amount) },
      ...{ what: type, why, ...byWhom(by) },
    }),
  };
}

/** How the charge of a book that is gone came about. */
function lossCost(price: number | null, { lossPrice, lossFee }: BorrowPolicy): string {
  const amount = money(price ?? lossPrice);
  if (!lossFee)
    return price === null ? m.fees_told_by_set_amount({ amount }) : m.fees_told_by_price({ amount });
  const both = { amount, fee: money(lossFee) };
  return price === null ? m.fees_told_by_set_amount_and_fee(both) : m.fees_told_by_price_and_fee(both);
}

/** Whose doing it was, as the messages take it. */
const byWhom = (by: string | undefined) => ({ by: by ?? '', named: by === undefined ? 'no' : 'yes' });

/** Other events of a borrow with a fee, between its charges and payments: explained by what they changed. */
function meanwhile(before: Borrow, after: Borrow, at: string, words: Words): string[] {
  const [were, are] = [backOf(before), backOf(after)];
  const [came, went] = [difference(are, were), difference(were, are)];
  const all = before.books.length;
  const day = words.day(at);
  if (came > 0) {
    const end = lentBooks(after).length > 0 ? 'open' : after.status === 'Returned' ? 'ended' : 'stopped';
    return came === all
      ? [m.fees_told_all_back({ count: all, day, end, audience: words.audience })]
      : [m.fees_told_some_back({ count: came, all, day, end })];
  }
  if (went > 0) return [m.fees_told_return_undone({ count: went, day })];
  return after.dueDate !== null && after.dueDate !== before.dueDate
    ? [m.fees_told_renewed({ day, until: words.day(after.dueDate) })]
    : [];
}

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
      addsUp === false ? m.fees_told_expected({ amount: money(total ?? 0) }) : '',
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
  return words.length === 0 ? '' : m.fees_told_kinds({ kinds: [...new Set(words)].join(', ') });
}

function ofKinds(books: readonly Borrow['books'][number][]): string {
  const words = forKinds(books);
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
  const { dueDay, chargedDay } = data.calendar;
  return m.fees_told_late({
    ...{ count: lentBooks(before).length, days: m.common_days({ count: data.daysLate }) },
    ...{ due: dueDay, at: chargedDay, audience: words.audience },
  });
}

function closedBetween({ calendar, daysLate }: Charged, { books, isKnown }: KnownLate): string {
  if (!isKnown || maxDaysLate(books) !== daysLate) return '';
  const closed = daysBetween(calendar.dueDay, calendar.chargedDay) - daysLate;
  return closed > 0 ? m.fees_told_closed({ days: m.common_days({ count: closed }) }) : '';
}

function sum(
  data: Charged,
  { books, isKnown }: KnownLate,
  computed: number | null,
  total: number | null,
  cap: number | null,
): string {
  if (!isKnown || computed === null) {
    return m.fees_told_unknown_rules({ amount: money(data.total), version: data.policyVersion });
  }
  const product = `${products(data, books)} = ${money(computed)}`;
  const amount = money(data.total);
  if (computed !== total) {
    return cap === null
      ? m.fees_told_capped_by_rules({ product, amount })
      : m.fees_told_capped({ product, cap: money(cap), amount });
  }
  return data.total === computed ? `${product}.` : m.fees_told_recorded({ product, amount });
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
        return books === 0
          ? []
          : `${m.common_days({ count: each })} × ${m.common_books_count({ count: books })}`;
      });
      return `${days.length === 1 ? days.join() : `(${days.join(' + ')})`} × ${money(rate)}`;
    })
    .join(' + ');
}

function earlier(data: Charged, before: Borrow): string {
  if (before.charged === 0) return '';
  return m.fees_told_earlier({ before: money(before.charged), amount: money(data.amount) });
}

interface Words {
  audience: Audience;
  /** `yyyy-MM-dd` of an instant. */
  day: (instant: string) => string;
}

function pln(grosze: number): number {
  return grosze / 100;
}
