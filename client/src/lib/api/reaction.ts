import type { Problem } from '#contracts/problem.js';
import { RequestError, sentenceOf, UNEXPECTED } from './request-error.js';

/** What the page does about a call that failed. */
export type Reaction =
  | { kind: 'nothing' }
  | { kind: 'toast'; message: string; title?: string }
  | { kind: 'notFound' }
  | { kind: 'serverError'; problem: Problem | null }
  | { kind: 'sessionOver' }
  /** The account needs a second factor before anything else. */
  | { kind: 'secondFactor' };

export interface FailedCall {
  /** A query or a command. */
  call: 'query' | 'command';
  signedIn: boolean;
  /** The screen that asked shows the failure itself. */
  inPlace?: boolean;
  /** The call refreshed what is already on the screen. */
  background?: boolean;
}

/** Global handling of failed calls by status (specification, section 8). Specific words beat general ones. */
export function reactionTo(error: unknown, { call, signedIn, inPlace, background }: FailedCall): Reaction {
  if (!(error instanceof RequestError)) {
    return call === 'command' && !inPlace ? { kind: 'toast', message: UNEXPECTED } : { kind: 'nothing' };
  }
  if (error.status === 401 && signedIn) return { kind: 'sessionOver' };
  if (error.problem?.code === 'SecondFactorRequired') return { kind: 'secondFactor' };
  // The person declined to confirm: nothing is to be said about that.
  if (error.problem?.code === 'ConfirmationNeeded') return { kind: 'nothing' };
  if (inPlace || background) return { kind: 'nothing' };
  const title = `${error.status} ${error.statusText || (error.problem?.title ?? '')}`.trim();
  switch (error.status) {
    case 400:
      // The caller shows them under their fields.
      if (error.fieldErrors) return { kind: 'nothing' };
      // The words of a text take the place of the status text (specification, section 8).
      if (error.words) return { kind: 'toast', message: error.words, title: String(error.status) };
      return { kind: 'toast', message: sentenceOf(error, error.statusText || UNEXPECTED), title };
    case 401:
    case 403:
      return { kind: 'toast', message: sentenceOf(error, error.statusText || UNEXPECTED), title };
    case 404:
      // A command that misses keeps the person, and the cart, where they are.
      return call === 'query' ? { kind: 'notFound' } : { kind: 'toast', message: sentenceOf(error) };
    case 500:
      return { kind: 'serverError', problem: error.problem };
    default:
      // A list that failed says so in its own place, with a way to retry.
      return call === 'query' ? { kind: 'nothing' } : { kind: 'toast', message: sentenceOf(error) };
  }
}
