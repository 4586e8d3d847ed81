import { RequestError } from '../../lib/api/request-error.js';
import { LIMIT_REASONS, type LimitReason } from '#contracts/borrowing/borrow-events.js';
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

/** Why a reader has more books than the rules let them have. */
export const LIMIT_LABELS: Record<LimitReason, string> = {
  study: 'Study or research',
  class: 'For a class or a group',
  goodwill: 'Goodwill',
  'library-error': 'The library’s error',
  other: 'Another reason',
};

/** What the library said of the limit that a book would go beyond; nothing where that is not why it refused. */
export function limitReached(error: unknown): string | undefined {
  if (!(error instanceof RequestError) || error.problem?.code !== 'LimitReached') return undefined;
  return error.problem.detail;
}

/** Asks why the book is handed over all the same. @returns nothing where it is not */
export async function askBeyondLimit(fullname: string, detail: string): Promise<LimitReason | undefined> {
  const chosen = await askForChoice({
    question: `${fullname} has as many books as the rules allow`,
    detail,
    action: 'Hand it over anyway',
    refusal: 'Do not lend it',
    overrides: true,
    choices: {
      label: 'Why',
      options: LIMIT_REASONS.map((value) => ({ value, label: LIMIT_LABELS[value] })),
    },
  });
  return LIMIT_REASONS.find((reason) => reason === chosen);
}
