import * as m from '#words/messages.js';
import type { BorrowView, TakenBack } from '#contracts/borrowing/borrow-views.js';
import { daysBetween } from '#contracts/local-day.js';
import { amountText } from '../../domain/fees/money.js';
import { limitOf, type Limited } from '../../domain/borrowing/held-copy.js';
import { heldFor } from '../../domain/borrowing/borrow-texts.js';
import { isoDay } from '../../lib/dates.js';
import type { DeskLine, PendingScan, DeskCommand } from './desk-lines.js';
import { putBack, remedyFor } from './plan.js';
import { isUnclear } from '../../lib/api/use-idempotent-mutation.js';
import { RequestError, firstWordsOf } from '../../lib/api/request-error.js';

/** What is said of a book that was lent. */
export function lentMessage(
  command: DeskCommand,
  borrow: BorrowView,
): Pick<DeskLine, 'tone' | 'headline' | 'details'> {
  const { dueDate } = borrow;
  return {
    tone: 'good',
    headline: dueDate === null ? m.desk_lent() : m.desk_lent_until({ day: isoDay(dueDate) }),
    details: command.kind === 'issue' ? [m.desk_rented_handed_over()] : [],
  };
}

export type Kept = TakenBack['keptFor'][number];

/** Somebody waits for the copy: it does not go back on its shelf. */
export function heldMessage({
  user,
  collectBy,
}: Pick<Kept, 'user' | 'collectBy'>): Pick<DeskLine, 'tone' | 'headline' | 'details'> {
  const { fullname: reader } = user;
  return {
    tone: 'kept',
    headline: heldFor(reader),
    details: [
      collectBy === null
        ? m.desk_kept_for({ reader })
        : m.desk_kept_for_until({ reader, day: isoDay(collectBy) }),
    ],
  };
}

/** @param kept for whom the copy is kept from now on, if anybody waits for it */
export function returnedMessage(
  command: DeskCommand,
  borrow: BorrowView,
  kept: Kept | undefined,
): Pick<DeskLine, 'tone' | 'headline' | 'details'> & Partial<DeskLine> {
  const { dueDate } = command;
  const late = dueDate ? Math.max(0, daysBetween(isoDay(dueDate), isoDay(Date.now()))) : 0;
  const left = borrow.books.filter(({ state }) => state === 'lent').length;
  const isKept = kept && heldMessage(kept);
  const details = [
    ...(isKept?.details ?? [placeOf(command)]),
    ...(left > 0 ? [m.desk_more_out({ count: left })] : []),
  ];
  if (borrow.fineDue > 0) {
    if (late > 0) details.unshift(`${m.desk_days_late({ days: late })}.`);
    const owed = m.desk_to_pay({ amount: amountText(borrow.fineDue) });
    return {
      tone: isKept?.tone ?? 'heed',
      headline: isKept ? `${isKept.headline}; ${owed}` : owed,
      details,
      owes: borrow.fineDue,
      remedy: 'pay',
    };
  }
  const back = late > 0 ? m.desk_back_days_late({ days: late }) : m.desk_back();
  return { tone: isKept?.tone ?? 'good', headline: isKept?.headline ?? back, details };
}

/** A lost book was brought: what is owed to whom now. @param kept for whom its copy is kept from now on, if anybody waits for it */
export function foundMessage(
  command: DeskCommand,
  { refundDue, fineDue, user }: BorrowView,
  kept: Kept | undefined,
): Pick<DeskLine, 'tone' | 'headline' | 'details'> & Partial<DeskLine> {
  const isKept = kept && heldMessage(kept);
  const place = isKept?.details ?? [placeOf(command)];
  const tone = isKept?.tone ?? 'heed';
  const headline = isKept ? `${m.desk_found()}; ${isKept.headline}` : m.desk_found();
  if (refundDue > 0) {
    return {
      tone,
      headline: `${headline}; ${m.desk_to_pay_out({ amount: amountText(refundDue) })}`,
      details: [m.desk_library_owes({ reader: user.fullname }), ...place],
      owes: refundDue,
      remedy: 'pay-out',
    };
  }
  const fell = m.desk_charge_fell({ reader: user.fullname });
  if (fineDue > 0) {
    const owed = m.desk_to_pay({ amount: amountText(fineDue) });
    return {
      tone,
      headline: `${headline}; ${owed}`,
      details: [fell, ...place],
      owes: fineDue,
      remedy: 'pay',
    };
  }
  return { tone: isKept?.tone ?? 'good', headline, details: [fell, ...place] };
}

/** Where a book goes. */
export function placeOf({ shelfMark }: DeskCommand): string {
  return putBack(shelfMark);
}

/** Attempts at what the library answers with an error of its own, or is busy with, before it is said to fail. */
const MAX_TRIES = 5;
const FIRST_WAIT = 300;
const LONGEST_WAIT = 5_000;

/** Milliseconds until the next attempt. */
export function waitBefore(tries: number): number {
  return Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (tries - 1));
}

interface Refusal {
  line: DeskLine;
  /** It was no book. */
  endsReader: boolean;
}

/**
 * What is said of a scan that failed.
 * @returns nothing where no answer came: the scan stays the first, and is sent again with its key
 */
export function refusalOf(error: unknown, scan: PendingScan, tries: number): Refusal | undefined {
  if (!(error instanceof RequestError)) window.reportError?.(error);
  else if (willBeSentAgain(error, tries)) return undefined;
  const { command, mode, text, key } = scan;
  const code = error instanceof RequestError ? error.problem?.code : undefined;
  const limited = command && limitFor(command, error);
  return {
    line: {
      key,
      at: Date.now(),
      mode,
      text,
      tone: 'refused',
      ...saidOf(scan, code, firstWordsOf(error)),
      ...(command && {
        book: command.book,
        ...(command.person && { person: command.person }),
        remedy: scan.kind === 'reserve' ? 'see-reader' : remedyFor(code),
        ...(limited && { limited: { ...limited, command } }),
      }),
      ...(command?.code !== undefined && { code: command.code }),
    },
    endsReader: mode === 'hand-over' && scan.kind === 'scan' && !command && !isAboutBook(code),
  };
}

/** The limit that refused it, unless it went beyond that already. */
export function limitFor({ kind, override }: DeskCommand, error: unknown): Limited | undefined {
  if ((kind !== 'lend' && kind !== 'issue') || override?.beyondLimit) return undefined;
  return limitOf(kind, error);
}

function willBeSentAgain(error: RequestError, tries: number): boolean {
  // The session is over: it goes on once the librarian is signed in again.
  if (error.status === 401) return true;
  if (error.status === 403 || !isUnclear(error)) return false;
  const isAway = error.isPassing || error.status === 429 || error.status === 502 || error.status === 504;
  return isAway || tries + 1 < MAX_TRIES;
}

const isAboutBook = (code: string | undefined) => code === 'CopyNotFound' || code === 'BookNotFound';

/** Of a fee the amount is what has to be read from afar. */
function saidOf(
  scan: PendingScan,
  code: string | undefined,
  words: string,
): Pick<DeskLine, 'headline' | 'details'> {
  const [first = '', ...others] = words.split(/\.(?=\s|$)/);
  if (code !== 'FeeNotPaid') return { headline: headlineOf(scan, code), details: [words] };
  return { headline: first, details: others.map((each) => `${each.trim()}.`).filter((each) => each !== '.') };
}

function headlineOf({ kind, mode, command }: PendingScan, code: string | undefined): string {
  if (kind === 'undo') return m.desk_not_undone();
  if (kind === 'reserve') return m.desk_not_reserved();
  if (!command) {
    if (isAboutBook(code)) return m.desk_no_such_book();
    return mode === 'hand-over' ? m.desk_no_reader() : m.desk_not_known();
  }
  return command.kind === 'issue' || command.kind === 'lend' ? m.desk_not_lent() : m.desk_not_taken_back();
}
