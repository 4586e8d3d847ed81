import type { QueryClient } from '@tanstack/react-query';
import { borrowDetailsSchema } from '#contracts/borrowing/borrow-details.js';
import { commandAnswerSchema, type Undoable } from '#contracts/borrowing/borrow-views.js';
import { newKey } from '../../lib/api/use-idempotent-mutation.js';
import { request } from '../../lib/api/request.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { notify } from '../../lib/notify.js';
import { ensureFresh } from '../live/ensure-fresh.js';
import { titlesOf } from './borrow-words.js';
import { doneSteps, type DoneStep } from './done-steps.js';

/** What is said of an event that was undone. */
const UNDONE: Record<Undoable, string> = {
  issue: 'The issue was undone',
  return: 'The return was undone',
  'take-back': 'The return was undone',
  waiver: 'The waiver was undone',
  payment: 'The payment was undone',
  loss: 'It was undone that the book is gone',
};

/**
 * Undoes the latest such step of a borrow, if the server still does; what became of it is said in the corner.
 * @param revision of the event, where it is known
 */
export async function undoStep(client: QueryClient, step: DoneStep, revision?: number): Promise<void> {
  const { borrow, what } = step;
  doneSteps.forget(step);
  try {
    const wanted = revision ?? (await latestRevision(step));
    if (wanted === undefined) {
      notify.info('There is nothing left to undo here: ten minutes have passed, or it was undone already.');
      return;
    }
    const answer = await request(commandAnswerSchema, 'Borrow/undo', {
      method: 'POST',
      query: { borrowId: borrow.id, userId: borrow.user.id },
      body: { revision: wanted },
      idempotencyKey: newKey(),
    });
    notify.success(UNDONE[what], { detail: `${titlesOf(borrow)} · ${borrow.user.fullname}` });
    ensureFresh(client, answer);
  } catch (error) {
    notify.error(sentenceOf(error));
  }
}

/** Undoes what was done here last. */
export async function undoLastStep(client: QueryClient): Promise<void> {
  const last = doneSteps.last();
  if (last) await undoStep(client, last);
  else notify.info('Nothing was done here that can be undone.');
}

async function latestRevision({ borrow: { id }, what }: DoneStep): Promise<number | undefined> {
  const { borrow } = await request(borrowDetailsSchema, 'Borrow/details', { query: { borrowId: id } });
  return borrow.undo.find((each) => each.what === what)?.revision;
}
