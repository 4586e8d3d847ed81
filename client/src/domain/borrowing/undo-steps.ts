import * as m from '#words/messages.js';
import type { QueryClient } from '@tanstack/react-query';
import { readBorrow, undoAtDesk } from '#contracts/borrowing/borrow-calls.js';
import type { Undoable } from '#contracts/borrowing/borrow-events.js';
import type { CommandAnswer } from '#contracts/borrowing/borrow-views.js';
import { isUnclear, newKey } from '../../lib/api/use-idempotent-mutation.js';
import { send } from '../../lib/api/send.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { notify } from '../../lib/notify.js';
import { askIfHeld, heldReason } from './held-copy.js';
import { ensureFresh } from '../live/ensure-fresh.js';
import { borrowsText, ofBorrow, titlesOf } from './borrow-texts.js';
import { doneSteps, type DoneStep } from './done-steps.js';

/** What is said of an event that was undone. */
const UNDONE: Record<Undoable, string> = {
  issue: m.borrow_undone_issue(),
  return: m.borrow_undone_return(),
  'take-back': m.borrow_undone_return(),
  waiver: m.borrow_undone_waiver(),
  payment: m.borrow_undone_payment(),
  loss: m.borrow_undone_loss(),
  finding: m.borrow_undone_finding(),
  refund: m.borrow_undone_refund(),
  other: m.borrow_undone_other(),
};

const NOTHING_LEFT = m.borrow_nothing_left_to_undo();

/** A step that was not undone, and why. */
export interface RemainingStep {
  step: DoneStep;
  reason: string;
}

/**
 * Undoes the latest such step of a borrow, if the server still does; what became of it is said in the corner.
 * @param revision of the event, where it is known
 */
export async function undoStep(client: QueryClient, step: DoneStep, revision?: number): Promise<void> {
  const reason = await undone(client, step, revision);
  if (reason === undefined) tellUndone([step]);
  else if (reason === NOTHING_LEFT) notify.info(reason);
  else notify.error(reason);
}

/**
 * Undoes the steps of a run one by one, the last one first: one that cannot be undone keeps no other from it. What was undone
 * is said in the corner.
 * @param onStep hears of each that was tried
 * @returns those that stay as they are
 */
export async function undoSteps(
  client: QueryClient,
  steps: readonly DoneStep[],
  onStep: (kept: readonly RemainingStep[]) => void,
): Promise<readonly RemainingStep[]> {
  const kept: RemainingStep[] = [];
  for (const step of steps.toReversed()) {
    const reason = await undone(client, step);
    if (reason !== undefined) kept.push({ step, reason });
    onStep([...kept]);
  }
  tellUndone(steps.filter((step) => kept.every((each) => each.step !== step)));
  return kept;
}

/** Where the copy that came back waits for somebody else by now, the librarian is asked first. */
async function sendUndo(
  borrow: DoneStep['borrow'],
  body: { revision: number; evenIfHeld?: true },
): Promise<CommandAnswer> {
  try {
    return await send(undoAtDesk, { ...ofBorrow(borrow), body }, { idempotencyKey: newKey() });
  } catch (error) {
    const held = heldReason(error);
    if (held === undefined || body.evenIfHeld || !(await askIfHeld('undo', held))) throw error;
    return sendUndo(borrow, { ...body, evenIfHeld: true });
  }
}

/** @returns why it was not undone; nothing where it was */
async function undone(client: QueryClient, step: DoneStep, revision?: number): Promise<string | undefined> {
  const { borrow } = step;
  doneSteps.forget(step);
  try {
    const wanted = revision ?? (await latestRevision(step));
    if (wanted === undefined) return NOTHING_LEFT;
    const answer = await sendUndo(borrow, { revision: wanted });
    ensureFresh(client, answer);
    return undefined;
  } catch (error) {
    // It may be tried again: what was undone after all has nothing left to undo then.
    if (revision === undefined && isUnclear(error)) doneSteps.remember(step);
    return sentenceOf(error);
  }
}

/** Undoes what was done here last. */
export async function undoLastStep(client: QueryClient): Promise<void> {
  const last = doneSteps.last().at(-1);
  if (last) await undoStep(client, last);
  else notify.info(m.borrow_nothing_to_undo());
}

function tellUndone(steps: readonly DoneStep[]): void {
  const [first] = steps;
  if (!first) return;
  const { borrow, what } = first;
  const about = steps.length === 1 ? titlesOf(borrow) : borrowsText(steps.length);
  notify.success(UNDONE[what], { detail: `${about} · ${borrow.user.fullname}` });
}

async function latestRevision({ borrow: { id }, what }: DoneStep): Promise<number | undefined> {
  const { borrow } = await send(readBorrow, { query: { borrowId: id } });
  return borrow.undo.find((each) => each.what === what)?.revision;
}
