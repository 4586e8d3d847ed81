import type { Language } from '#contracts/languages.js';
import type { OwnWords } from '#contracts/library/own-words.js';
import { withTimeout } from './with-timeout.js';
import { AsyncLocalStorage } from 'node:async_hooks';

/** When somebody who waits has to have an answer. Whatever asks a database, the event log or a service keeps to it. */
export interface Deadline {
  /** Milliseconds from now; 0 or less when the time is over. */
  left(): number;
}

/** What was said by a message that a library may say in its own words. */
export interface Said {
  key: string;
  inputs: Record<string, string | number>;
  text: string;
}

/** What belongs to a call, wherever its work gets. */
interface CallContext {
  readonly deadline?: Deadline;
  readonly correlationId?: string;
  /** Of the person that texts are made for. */
  readonly language?: Language;
  /** The library's own words that are tried out, in place of those that it keeps. */
  readonly tried?: OwnWords;
  /** Is told what is said meanwhile of what may be said in own words. */
  readonly onSaid?: (said: Said) => void;
  /** The last position in the log of what was stored for the call, now or when it was made before. */
  readonly stored?: { position?: bigint };
}

/**
 * One for all of it: Node hands on each storage of this kind with each promise that is made, whoever makes it. The process's own,
 * as a command line's work is in a bundle, which has this module once more.
 */
const KEY = Symbol.for('lectern.call');
const ofProcess = globalThis as { [KEY]?: AsyncLocalStorage<CallContext> };
const current = (ofProcess[KEY] ??= new AsyncLocalStorage<CallContext>());

/** Of the present call; nothing outside of one. */
export function callContext(): CallContext | undefined {
  return current.getStore();
}

/** Does the work, and whatever it starts, with this too. */
export function inContext<Result>(further: CallContext, work: () => Result): Result {
  return current.run({ ...current.getStore(), ...further }, work);
}

/** Takes note of a position in the log: the caller is told of it, and reads at least that. */
export function noteStored(position: bigint): void {
  const stored = callContext()?.stored;
  if (stored && position > (stored.position ?? -1n)) stored.position = position;
}

/** Milliseconds for what the present call still asks of others; `Infinity` for work that nobody waits for. */
export function millisecondsLeft(): number {
  return callContext()?.deadline?.left() ?? Infinity;
}

/** Does the work, and whatever it starts, under a deadline. */
export function withDeadline<Result>(deadline: Deadline, work: () => Result): Result {
  return inContext({ deadline }, work);
}

/**
 * Does the work under a deadline, and gives up waiting for it.
 * @param message what the error says
 * @throws TimeoutError with this message when the time is over, else what the work throws
 */
export function withDeadlineTimeout<Result>(
  milliseconds: number,
  work: () => Promise<Result>,
  message: string,
): Promise<Result> {
  const until = performance.now() + milliseconds;
  return withTimeout(milliseconds, withDeadline({ left: () => until - performance.now() }, work), message);
}
