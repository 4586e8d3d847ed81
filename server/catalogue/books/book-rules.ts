import * as m from '#words/messages.js';
import { yearOf } from '#contracts/catalogue/book-facts.js';
import { RequestInvalid } from '../../http/validation.js';
import { MAX_COPIES } from '../copies/copy-numbers.js';

const EARLIEST_YEAR = 1000;
/** Publishers announce books years ahead, not decades. */
const YEARS_AHEAD = 5;

/**
 * @param published a year, a month or a day
 * @throws RequestInvalid for a year that can only be a slip; one before our era is none
 */
export function checkPublished(published: string, now: Date): void {
  const year = yearOf(published) ?? 0;
  if (year < 0 || (year >= EARLIEST_YEAR && year <= now.getUTCFullYear() + YEARS_AHEAD)) return;
  throw new RequestInvalid({
    publicationDate: [
      m.book_form_date_range({ earliest: EARLIEST_YEAR, latest: now.getUTCFullYear() + YEARS_AHEAD }),
    ],
  });
}

/** @throws RequestInvalid for a new book without copies */
export function checkCopies(copies: number): void {
  if (copies >= 1) return;
  throw new RequestInvalid({
    copiesAvailable: [m.book_form_copies_required()],
  });
}

/** Copies on the shelf, and all of the book's. */
export interface Copies {
  available: number;
  total: number;
}

/**
 * The copies after a form is saved. If the form says what number it was opened with, the difference counts: copies lent
 * in the meantime stay lent. Otherwise the number is what should be on the shelf.
 * @throws RequestInvalid if more copies would be removed than are on the shelf
 */
export function copiesAfter(
  present: Copies,
  form: { copiesAvailable: number; copiesBefore?: number | undefined },
): Copies {
  const more = form.copiesAvailable - (form.copiesBefore ?? present.available);
  const after = { available: present.available + more, total: present.total + more };
  if (after.available < 0) {
    throw new RequestInvalid({
      copiesAvailable: [m.book_form_copies_not_on_shelf({ count: -more, ...present })],
    });
  }
  if (after.total > MAX_COPIES) {
    throw new RequestInvalid({
      copiesAvailable: [m.book_form_copies_beyond({ most: MAX_COPIES, total: after.total })],
    });
  }
  return after;
}
