import { RequestError } from '../../lib/api/request-error.js';
import { askPerson, type Question } from '../../lib/question.js';

/** A copy waits for somebody else, and what was asked for would take it from them. */
const HELD = ['CopyHeldForOther', 'ReturnedCopyHeld'] as const;

/** Who it waits for, as the library said it; nothing where that is not why it refused. */
export function heldReason(error: unknown): string | undefined {
  if (!(error instanceof RequestError)) return undefined;
  const { problem } = error;
  return HELD.some((code) => code === problem?.code) ? problem?.detail : undefined;
}

const QUESTIONS: Record<'hand-over' | 'undo', Omit<Question, 'question' | 'detail'>> = {
  'hand-over': { action: 'Hand it over all the same', refusal: 'Keep it' },
  undo: { action: 'Undo all the same', refusal: 'Leave it' },
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
