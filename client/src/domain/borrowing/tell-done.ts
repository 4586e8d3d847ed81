import type { QueryClient } from '@tanstack/react-query';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { notify } from '../../lib/notify.js';
import { titlesOf } from './borrow-words.js';
import { doneSteps, type DoneStep } from './done-steps.js';
import { undoWord } from './undo-word.js';

/** The books and their reader, under what is said of them. */
export function aboutBorrow(borrow: Pick<BorrowView, 'borrowedBooks' | 'user'>, titles = titlesOf(borrow)) {
  return `${titles} · ${borrow.user.fullname}`;
}

/**
 * Says that something was done which can be undone, and offers that.
 * @param titles of the books that it is about, where it is not about all of the borrow
 */
export function tellDone(client: QueryClient, words: string, step: DoneStep, titles?: string): void {
  doneSteps.remember(step);
  notify.success(words, {
    detail: aboutBorrow(step.borrow, titles),
    action: undoWord(({ undoStep }) => undoStep(client, step)),
  });
}
