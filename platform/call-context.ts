import { AsyncLocalStorage } from 'node:async_hooks';

/** When somebody who waits has to have an answer. Whatever asks a database, the event log or a service keeps to it. */
export interface Deadline {
  /** Milliseconds from now; 0 or less when the time is over. */
  left(): number;
}

/** What belongs to a call, wherever its work gets. */
interface CallContext {
  readonly deadline?: Deadline;
  readonly correlationId?: string;
}

/** One for all of it: Node hands on each storage of this kind with each promise that is made, whoever makes it. */
const current = new AsyncLocalStorage<CallContext>();

/** Of the present call; nothing outside of one. */
export function callContext(): CallContext | undefined {
  return current.getStore();
}

/** Does the work, and whatever it starts, with this too. */
export function inContext<Result>(further: CallContext, work: () => Result): Result {
  return current.run({ ...current.getStore(), ...further }, work);
}
