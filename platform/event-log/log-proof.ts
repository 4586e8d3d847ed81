import type { EventStoreDBClient } from '@eventstore/db-client';
import { StartupError } from '../startup-error.js';

/** The place of an event, and its id where that is known. As strings: it is also sent to other processes. */
export interface LogPlace {
  commit: string;
  prepare: string;
  event: string | null;
}

/** What a log must be to be the right one. */
export interface ExpectedLog {
  logId: string;
  /** Places that were reached in it. It ends at none of them or later, and has the same events there. */
  reached: readonly LogPlace[];
}

/** How far a process knows a log to reach, as its own appends were acknowledged. */
export interface Acknowledged extends LogPlace {
  logId: string;
}

/**
 * Proves that the right log is behind a connection, before anything else is asked over it.
 * @param store asks over this connection alone
 * @returns the identity of the log; nothing where any log is right
 * @throws WrongLog; the error of the log or the database when it is unavailable
 */
export type LogProof = (
  store: EventStoreDBClient,
  acknowledged: Acknowledged | undefined,
) => Promise<string | undefined>;

/** For whoever looks at a log, moves one or takes one up, whichever it is. */
export const ANY_LOG: LogProof = async () => undefined;

/** The read model was made of another log, the log has lost its end since then, or it was moved away. */
export class WrongLog extends StartupError {
  constructor(
    readonly kind: 'another' | 'shorter' | 'diverged' | 'moved',
    message: string,
  ) {
    super(`${message}, or make the lists from this one: npm run rebuild -- --adopt-log`);
    this.name = 'WrongLog';
  }
}

export function otherLog(ofLog: string | undefined, ofRows: string | undefined): WrongLog {
  const theirs = ofRows === undefined ? 'another event log' : `the event log ${ofRows}`;
  return new WrongLog(
    'another',
    `This is another event log: the lists were made of ${theirs}, and EVENTSTORE_URL leads to ${ofLog ?? 'one without a name'}. Set the EVENTSTORE_URL of theirs`,
  );
}

export function truncatedLog(end: bigint, reached: bigint): WrongLog {
  return new WrongLog(
    'shorter',
    `The event log is shorter than what was seen of it, as an older backup is: it ends at position ${end}, and ${reached} was reached. Restore the newer log`,
  );
}

export function divergedLog(at: bigint): WrongLog {
  return new WrongLog(
    'diverged',
    `This is an older copy of the event log that others have written to: at position ${at} it has another event than the lists were made of. Set the EVENTSTORE_URL of theirs`,
  );
}

/** What a closed log says of where it went, if that is the embedded event store. */
export const EMBEDDED = 'the embedded event store';

export function movedLog({ to, at }: { to: string; at: string }): WrongLog {
  const next = to === EMBEDDED ? 'Unset EVENTSTORE_URL' : 'Set EVENTSTORE_URL to that one';
  const when = `${at.slice(0, 10)} at ${at.slice(11, 16)} UTC`;
  return new WrongLog('moved', `This event log was moved to ${to} on ${when} and is closed. ${next}`);
}

export function unfinishedMove(): WrongLog {
  return new WrongLog(
    'another',
    'The event log is being moved here, and that is not finished: run npm run move-log again with the settings of before',
  );
}
