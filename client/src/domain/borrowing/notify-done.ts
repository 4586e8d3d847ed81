import * as m from '#words/messages.js';
import type { QueryClient } from '@tanstack/react-query';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { notify } from '../../lib/notify.js';
import { titlesOf } from './borrow-texts.js';
import { doneSteps, type DoneStep } from './done-steps.js';

/** The books and their reader, under what is said of them. */
export function aboutBorrow(borrow: Pick<BorrowView, 'borrowedBooks' | 'user'>, titles = titlesOf(borrow)) {
  return `${titles} · ${borrow.user.fullname}`;
}

interface DoneMore {
  /** Of the books that it is about, where it is not about all of the borrow. */
  titles?: string;
  /** Where the books go that came back. */
  next?: string | undefined;
}

/** Says that something was done which can be undone, and offers that. */
export function notifyDone(client: QueryClient, words: string, step: DoneStep, more: DoneMore = {}): void {
  const { titles, next } = more;
  doneSteps.remember(step);
  notify.success(words, {
    detail: aboutBorrow(step.borrow, titles),
    ...(next !== undefined && { next }),
    action: undoAction(({ undoStep }) => undoStep(client, step)),
  });
}

/** For a button that undoes a step; its code comes when it is pressed. */
export function undoAction(undo: (undoing: typeof import('./undo-steps.js')) => Promise<void>) {
  return {
    word: m.common_undo(),
    onAct: () => {
      import('./undo-steps.js').then(undo).catch((error: unknown) => window.reportError?.(error));
    },
  };
}
