import type { BorrowView, TakenBack } from '#contracts/borrowing/borrow-views.js';
import { daysBetween } from '#contracts/local-day.js';
import { plnText } from '../../domain/fees/money.js';
import { heldFor } from '../../domain/borrowing/held-for.js';
import { isoDay } from '../../lib/dates.js';
import type { DeskLine } from './desk-lines.js';
import { putBack, type DeskCommand } from './plan.js';

/** What is said of a book that was lent. */
export function lentMessage(
  command: DeskCommand,
  borrow: BorrowView,
): Pick<DeskLine, 'tone' | 'headline' | 'details'> {
  const until = borrow.dueDate === null ? '' : ` until ${isoDay(borrow.dueDate)}`;
  return {
    tone: 'good',
    headline: `Lent${until}`,
    details: command.kind === 'issue' ? ['Rented online, handed over.'] : [],
  };
}

type Kept = TakenBack['keptFor'][number];

/** Somebody waits for the copy: it does not go back on its shelf. */
export function heldMessage({ user, collectBy }: Kept): Pick<DeskLine, 'tone' | 'headline' | 'details'> {
  const until = collectBy === null ? '' : ` until ${isoDay(collectBy)}`;
  return {
    tone: 'kept',
    headline: heldFor(user.fullname),
    details: [`It is kept for ${user.fullname}${until}: put it with what waits at the desk.`],
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
    ...(left > 0
      ? [left === 1 ? 'One more book of this borrow is out.' : `${left} more books of this borrow are out.`]
      : []),
  ];
  const days = late === 1 ? '1 day late' : `${late} days late`;
  if (borrow.fineDue > 0) {
    if (late > 0) details.unshift(`${days}.`);
    const owed = `${plnText(borrow.fineDue)} to pay`;
    return {
      tone: isKept?.tone ?? 'heed',
      headline: isKept ? `${isKept.headline}; ${owed}` : owed,
      details,
      owes: borrow.fineDue,
      remedy: 'pay',
    };
  }
  const back = late > 0 ? `Back, ${days}` : 'Back';
  return { tone: isKept?.tone ?? 'good', headline: isKept?.headline ?? back, details };
}

/** Where a book goes. */
export function placeOf({ shelfMark }: DeskCommand): string {
  return putBack(shelfMark);
}
