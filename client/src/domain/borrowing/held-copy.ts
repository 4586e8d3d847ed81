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
  'hand-over': { action: 'Hand it over anyway', refusal: 'Keep it' },
  undo: { action: 'Undo anyway', refusal: 'Leave it' },
};

/**
 * Asks the librarian whether it is done all the same.
 * @param detail as the library said it
 * @param whose who waits for the copy, where that is known
 */
export function askIfHeld(
  what: keyof typeof QUESTIONS,
  detail: string,
  whose = 'somebody else',
): Promise<boolean> {
  return askPerson({ ...QUESTIONS[what], overrides: true, question: `This copy waits for ${whose}`, detail });
}

/** Why a librarian went beyond a limit. */
const REASONS: Record<LimitReason, string> = {
  study: 'Study or research',
  class: 'For a class or a group',
  goodwill: 'Goodwill',
  'library-error': 'The library’s error',
  other: 'Another reason',
};

/** How something is done that a limit was in the way of. */
const BEYOND: Record<Limit, string> = {
  books: 'beyond the limit of books',
  fee: 'with a fee unpaid',
  block: 'despite the block',
  renewals: 'beyond the limit of renewals',
  early: 'early',
};

/** Beyond which limits it was done, and why. */
export const beyondText = ({ limits, reason }: Beyond): string =>
  `${limits.map((limit) => BEYOND[limit]).join(', ')}: ${REASONS[reason].toLowerCase()}`;

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
  const word = action === 'renew' ? 'Renew' : 'Lend';
  const chosen = await askForChoice({
    question: `${word} ${BEYOND[limit]}?`,
    detail: `${fullname}: ${detail}`,
    action: `${word} ${BEYOND[limit]}`,
    refusal: `Do not ${word.toLowerCase()}`,
    overrides: true,
    choices: {
      label: 'Reason',
      missing: m.form_reason_missing(),
      options: LIMIT_REASONS.map((value) => ({ value, label: REASONS[value] })),
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
