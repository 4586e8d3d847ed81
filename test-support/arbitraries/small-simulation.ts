import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import { addDays, localDay } from '#contracts/local-day.js';
import type { BookKind, ReaderKind } from '#contracts/rules/kinds.js';
import type { RuleSet } from '#contracts/rules/rule-set.js';
import { DAYS, FIRST, ZONE } from './simulated-library.js';

interface Lent {
  kind: BookKind;
  reader: ReaderKind;
  state: 'reserved' | 'lent' | 'back' | 'gone' | 'left';
  /** The day on which it came back. */
  until: string;
  price: number;
}

interface Account {
  of: string;
  kind: ReaderKind;
  due: string;
  books: Map<number, Lent>;
  charged: number;
  paid: number;
  waived: number;
  renewals: number;
  /** What was charged, less what was paid and waived, as it was. */
  owedInFact: number;
  /** Amounts, or due days, by the revisions of their events. */
  amounts: Map<number, number>;
  dues: Map<number, string>;
  prices: Map<number, number>;
}

/** What a small fold says, by hand and day by day: it knows nothing of borrows as the product folds them. In grosze. */
export interface SmallSimulation {
  /** By month and kind of reader. */
  fees: Map<string, number>;
  losses: number;
  refusedRenewals: number;
  /** Rents of more books than may be, and of readers who owe. */
  refusedRents: { books: number; fees: number };
}

const nextDays = new Map<string, string>();

/** Kept: the same few hundred days are counted over and over. */
function dayAfter(day: string): string {
  const next = nextDays.get(day) ?? addDays(day, 1);
  nextDays.set(day, next);
  return next;
}

export function smallSimulation(
  events: ReadonlyMap<string, readonly BorrowEvent[]>,
  draft: RuleSet,
): SmallSimulation {
  const result: SmallSimulation = {
    fees: new Map(),
    losses: 0,
    refusedRenewals: 0,
    refusedRents: { books: 0, fees: 0 },
  };
  const accounts = new Map<string, Account>();
  const known = new Map<string, RuleSet>();
  const numbers = (reader: ReaderKind, book: BookKind) => {
    const before = known.get(`${reader} ${book}`);
    if (before) return before;
    const weight = (each: RuleSet['exceptions'][number]) =>
      (each.book === null ? 0 : 2) + (each.reader === null ? 0 : 1);
    const fitting = draft.exceptions
      .filter((each) => each.reader === null || each.reader === reader)
      .filter((each) => each.book === null || each.book === book);
    fitting.sort((one, other) => weight(one) - weight(other));
    const made = Object.assign({ ...draft }, ...fitting.map((each) => each.numbers)) as RuleSet;
    known.set(`${reader} ${book}`, made);
    return made;
  };
  const closed = new Map<string, boolean>();
  const isClosed = (day: string) => {
    const before = closed.get(day);
    if (before !== undefined) return before;
    const is =
      draft.week?.[(new Date(day).getUTCDay() + 6) % 7] === null ||
      draft.closedDays.some(({ from, to }) => from <= day && day <= to);
    closed.set(day, is);
    return is;
  };
  const daysLate = (due: string, until: string) => {
    let days = 0;
    for (let day = dayAfter(due); day <= until; day = dayAfter(day)) if (!isClosed(day)) days += 1;
    return days;
  };
  const dueAfter = (day: string, days: number) => {
    let due = addDays(day, days);
    while (isClosed(due)) due = dayAfter(due);
    return due;
  };
  const lentOf = ({ books }: Account) => [...books.values()].filter(({ state }) => state === 'lent');
  const charge = (account: Account, today: string) => {
    if (account.due === '' || today <= account.due || lentOf(account).length === 0) return;
    const sums = new Map<ReaderKind, number>();
    for (const { kind, reader, state, until } of account.books.values()) {
      if (state === 'reserved' || state === 'left') continue;
      const by = numbers(reader, kind);
      const days = daysLate(account.due, state === 'lent' ? today : until);
      if (days > by.graceDays) sums.set(reader, (sums.get(reader) ?? 0) + days * by.finePerBookAndDay);
    }
    let total = 0;
    for (const [reader, sum] of sums) total += Math.min(sum, numbers(reader, 'loanable').fineCap);
    if (total <= account.charged) return;
    const name = `${today.slice(0, 7)} ${account.kind}`;
    result.fees.set(name, (result.fees.get(name) ?? 0) + total - account.charged);
    account.charged = total;
  };
  const pricesOf = ({ prices }: Account) => [...prices.values()].reduce((sum, each) => sum + each, 0);
  const owed = (account: Account) =>
    Math.max(0, account.charged + pricesOf(account) - account.paid - account.waived);
  const later = (one: string, other: string) => (one > other ? one : other);

  const take = (account: Account, { type, data }: BorrowEvent, revision: number, today: string) => {
    const named = (ids: readonly number[]) => ids.flatMap((id) => account.books.get(id) ?? []);
    const comeBack = (ids: readonly number[]) => {
      for (const lent of named(ids)) [lent.state, lent.until] = ['back', today];
    };
    /** Pays or waives all where all was, else as much. */
    const settles = (amount: number) => {
      account.owedInFact -= amount;
      const here = account.owedInFact <= 0 ? owed(account) : Math.min(amount, owed(account));
      account.amounts.set(revision, here);
      return here;
    };
    switch (type) {
      case 'BooksIssued': {
        account.kind = data.readerKind ?? 'adult';
        account.dues.set(revision, account.due);
        const days = named(data.bookIds).map(({ kind }) => numbers(account.kind, kind).loanDays);
        account.due = later(dueAfter(today, Math.min(...days)), account.due);
        for (const lent of named(data.bookIds)) [lent.state, lent.reader] = ['lent', account.kind];
        break;
      }
      case 'IssueUndone':
        account.due = account.dues.get(data.revision) ?? '';
        for (const lent of named(data.bookIds)) lent.state = 'reserved';
        break;
      case 'BorrowRenewed': {
        account.kind = data.readerKind ?? 'adult';
        const lent = lentOf(account);
        const by = lent.map(({ reader, kind }) => numbers(reader, kind));
        const before = by.flatMap(({ renewableDaysBefore }) => renewableDaysBefore ?? []);
        const isEarly = before.length > 0 && today < addDays(account.due, -Math.min(...before));
        if (
          isEarly ||
          owed(account) > 0 ||
          daysLate(account.due, today) > 0 ||
          account.renewals >= Math.min(...by.map(({ maxRenewals }) => maxRenewals))
        ) {
          result.refusedRenewals += 1;
          break;
        }
        const days = Math.min(...lent.map(({ kind }) => numbers(account.kind, kind).loanDays));
        const due = later(dueAfter(today, days), account.due);
        if (due === account.due) break;
        account.due = due;
        account.renewals += 1;
        for (const each of lent) each.reader = account.kind;
        break;
      }
      case 'BorrowExpired':
      case 'RentCancelled':
        for (const lent of account.books.values()) if (lent.state === 'reserved') lent.state = 'left';
        break;
      case 'BooksReturned':
        comeBack(data.bookIds);
        account.paid += owed(account);
        break;
      case 'BooksTakenBack':
        comeBack(data.bookIds);
        break;
      case 'ReturnUndone':
        for (const lent of named(data.bookIds)) lent.state = 'lent';
        break;
      case 'BookLost':
      case 'BookDamaged':
        for (const lent of named([data.bookId])) {
          const by = numbers(lent.reader, lent.kind);
          lent.price = (data.price ?? by.lossPrice) + by.lossFee;
          [lent.state, lent.until] = ['gone', today];
          account.prices.set(data.bookId, lent.price);
          account.owedInFact += data.amount;
          result.losses += lent.price;
        }
        break;
      case 'LossUndone':
      case 'LostBookFound':
        for (const lent of named([data.bookId])) {
          lent.state = type === 'LossUndone' ? 'lent' : 'back';
          account.prices.delete(data.bookId);
          account.owedInFact -= data.amount;
          result.losses -= lent.price;
        }
        break;
      case 'FindingUndone':
        for (const lent of named([data.bookId])) {
          account.prices.set(data.bookId, lent.price);
          account.owedInFact += data.amount;
          result.losses += lent.price;
        }
        break;
      case 'FineCharged':
        account.owedInFact += data.amount;
        break;
      case 'FinePaid':
        account.paid += settles(data.amount);
        break;
      case 'FeeWaived':
        account.waived += settles(data.amount);
        break;
      case 'PaymentUndone':
        account.owedInFact += data.amount;
        account.paid -= account.amounts.get(data.revision) ?? 0;
        break;
      case 'WaiverUndone':
        account.owedInFact += data.amount;
        account.waived -= account.amounts.get(data.revision) ?? 0;
        break;
      case 'RefundPaid': {
        const back = Math.min(data.amount, Math.max(0, account.paid - account.charged - pricesOf(account)));
        account.amounts.set(revision, back);
        account.owedInFact += data.amount;
        account.paid -= back;
        break;
      }
      case 'RefundUndone':
        account.owedInFact -= data.amount;
        account.paid += account.amounts.get(data.revision) ?? 0;
        break;
      case 'BooksRented':
      case 'LoanTakenOver':
      case 'CopyRebound':
      case 'UndoAbandoned':
      case 'RentAbandoned':
        break;
    }
  };

  const days = new Map<string, { event: BorrowEvent; revision: number }[]>();
  for (const stream of events.values())
    for (const [revision, event] of stream.entries()) {
      const day = localDay(timeOf(event), ZONE);
      days.set(day, [...(days.get(day) ?? []), { event, revision }]);
    }
  for (let n = 0; n < DAYS; n += 1) {
    const today = addDays(FIRST, n);
    for (const account of accounts.values()) charge(account, today);
    for (const { event, revision } of days.get(today) ?? []) {
      const { type, data } = event;
      if (type === 'BooksRented') {
        const kind = data.readerKind ?? 'adult';
        const own = [...accounts.values()].filter(({ of }) => of === data.readerId);
        const out = own.flatMap((each) => [...each.books.values()].filter(isOut)).length;
        if (out + data.books.length > numbers(kind, 'loanable').maxBooksPerReader)
          result.refusedRents.books += 1;
        if (own.some((each) => owed(each) > 0)) result.refusedRents.fees += 1;
        const books = data.books.map(({ bookId, kind: ofBook = 'loanable' }): [number, Lent] => [
          bookId,
          { kind: ofBook, reader: 'adult', state: 'reserved', until: '', price: 0 },
        ]);
        accounts.set(data.borrowId, {
          ...{ of: data.readerId, kind, due: '', books: new Map(books) },
          ...{ charged: 0, paid: 0, waived: 0, renewals: 0, owedInFact: 0 },
          ...{ amounts: new Map(), dues: new Map(), prices: new Map() },
        });
      }
      if (type === 'LoanTakenOver') {
        const { book, readerKind: reader = 'adult' } = data;
        const lent = { kind: book.kind ?? 'loanable', reader, state: 'lent' as const, until: '', price: 0 };
        accounts.set(data.borrowId, {
          ...{ of: data.readerId, kind: reader, due: localDay(data.dueDate, ZONE) },
          ...{ books: new Map([[book.bookId, lent]]), renewals: data.renewals },
          ...{ charged: 0, paid: 0, waived: 0, owedInFact: 0 },
          ...{ amounts: new Map(), dues: new Map(), prices: new Map() },
        });
      }
      const account = accounts.get(data.borrowId);
      if (account) take(account, event, revision, today);
    }
  }
  return result;
}

const isOut = ({ state }: Lent) => state === 'reserved' || state === 'lent';

/** Each event has one time, whatever it is called. */
function timeOf({ data }: BorrowEvent): string {
  const at = Object.entries(data).find(([name]) => /(?<!pired)At$/.test(name) || name === 'expiredAt');
  return String(at?.[1]);
}
