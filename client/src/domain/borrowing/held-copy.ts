import * as m from '#words/messages.js';
import { RequestError } from '../../lib/api/request-error.js';
import {
  LIMIT_REASONS,
  LIMITS,
  LIMITS_OF,
  type Beyond,
  type Limit,
  type LimitReason,
} from '#contracts/borrowing/borrow-events.js';
import { newKey } from '../../lib/api/use-idempotent-mutation.js';
import { askForChoice, askPerson, type Question } from '../../lib/question.js';

/** A copy waits for somebody else, and what was asked for would take it from them. */
const HELD = ['CopyHeldForOther', 'ReturnedCopyHeld'] as const;

/** Who it waits for, as the library said it; nothing where that is not why it refused. */
export function heldReason(error: unknown): string | undefined {
  if (!(error instanceof RequestError)) return undefined;
  const { problem } = error;
  return HELD.some((code) => code === problem?.code) ? problem?.detail : undefined;
}

const QUESTIONS: Record<'hand-over' | 'undo', Omit<Question, 'question' | 'detail'>> = {
  'hand-over': { action: m.borrow_hand_over_anyway(), refusal: m.borrow_keep_copy() },
  undo: { action: m.borrow_undo_anyway(), refusal: m.borrow_leave_it() },
};

/**
 * Asks the librarian whether it is done all the same.
 * @param detail as the library said it
 * @param whose who waits for the copy, where that is known
 */
export function askIfHeld(what: keyof typeof QUESTIONS, detail: string, whose?: string): Promise<boolean> {
  const question = whose === undefined ? m.borrow_copy_waits() : m.borrow_copy_waits_for({ name: whose });
  return askPerson({ ...QUESTIONS[what], overrides: true, question, detail });
}

/** Why a librarian went beyond a limit. */
const REASONS: Record<LimitReason, { label: string; beyond: (inputs: { limits: string }) => string }> = {
  study: { label: m.borrow_limit_reason_study(), beyond: m.borrow_beyond_for_study },
  class: { label: m.borrow_limit_reason_class(), beyond: m.borrow_beyond_for_class },
  goodwill: { label: m.borrow_limit_reason_goodwill(), beyond: m.borrow_beyond_for_goodwill },
  'library-error': {
    label: m.borrow_limit_reason_library_error(),
    beyond: m.borrow_beyond_for_library_error,
  },
  other: { label: m.common_another_reason(), beyond: m.borrow_beyond_for_other },
};

/** How something is done that a limit was in the way of, and how that is asked. */
const BEYOND: Record<Limit, { how: string; question: string; action: string }> = {
  books: {
    how: m.borrow_beyond_books(),
    question: m.borrow_go_beyond_books_question(),
    action: m.borrow_go_beyond_books(),
  },
  fee: {
    how: m.borrow_beyond_fee(),
    question: m.borrow_go_beyond_fee_question(),
    action: m.borrow_go_beyond_fee(),
  },
  block: {
    how: m.borrow_beyond_block(),
    question: m.borrow_go_beyond_block_question(),
    action: m.borrow_go_beyond_block(),
  },
  renewals: {
    how: m.borrow_beyond_renewals(),
    question: m.borrow_go_beyond_renewals_question(),
    action: m.borrow_go_beyond_renewals(),
  },
  early: {
    how: m.borrow_beyond_early(),
    question: m.borrow_go_beyond_early_question(),
    action: m.borrow_go_beyond_early(),
  },
};

/** Beyond which limits it was done, and why. */
export const beyondText = ({ limits, reason }: Beyond): string =>
  REASONS[reason].beyond({ limits: limits.map((limit) => BEYOND[limit].how).join(', ') });

/** Something that was refused by a limit which a librarian may go beyond. */
export interface Limited {
  limit: Limit;
  /** As the library said it. */
  detail: string;
}

/** What refused it; nothing where no librarian may go beyond that. */
export function limitOf(action: keyof typeof LIMITS_OF, error: unknown): Limited | undefined {
  const problem = error instanceof RequestError ? error.problem : null;
  const limit = LIMITS_OF[action].find((each) => LIMITS[each] === problem?.code);
  return limit && problem ? { limit, detail: problem.detail } : undefined;
}

/** Asks why it is done all the same. @returns nothing where it is not */
export async function askBeyond(
  action: keyof typeof LIMITS_OF,
  fullname: string,
  { limit, detail }: Limited,
): Promise<LimitReason | undefined> {
  const { question, action: word } = BEYOND[limit];
  const chosen = await askForChoice({
    question,
    detail: `${fullname}: ${detail}`,
    action: word,
    refusal: action === 'renew' ? m.borrow_do_not_renew() : m.borrow_do_not_lend(),
    overrides: true,
    choices: {
      label: m.common_reason(),
      missing: m.form_reason_missing(),
      options: LIMIT_REASONS.map((value) => ({ value, label: REASONS[value].label })),
    },
  });
  return LIMIT_REASONS.find((reason) => reason === chosen);
}

/** Sends it; where a limit refuses it, once more with the reason that the librarian gives, as a request of its own. */
export async function sendBeyond<Answer>(
  action: keyof typeof LIMITS_OF,
  fullname: string,
  sendIt: (more: { beyondLimit?: LimitReason }, key: { idempotencyKey: string }) => Promise<Answer>,
  key: { idempotencyKey: string },
): Promise<Answer> {
  try {
    return await sendIt({}, key);
  } catch (error) {
    const limited = limitOf(action, error);
    const beyondLimit = limited && (await askBeyond(action, fullname, limited));
    if (!beyondLimit) throw error;
    return sendIt({ beyondLimit }, { idempotencyKey: newKey() });
  }
}
