import * as m from '#words/messages.js';
import type { LogPosition } from '#platform/event-log/event-log.js';
import {
  areEqual,
  chainHash,
  differingPart,
  eventName,
  NO_EVENTS,
  type VerbatimEvent,
} from './verbatim-event.js';

/** How far two logs have been found to be the same. */
export interface Agreement {
  events: number;
  /** Over these events. */
  chain: Buffer;
  /** The place of the last one in each log. */
  source: LogPosition | undefined;
  target: LogPosition | undefined;
}

export const NOTHING_YET: Agreement = { events: 0, chain: NO_EVENTS, source: undefined, target: undefined };

/** The two logs are not the same; the message names the first event that differs. */
export class LogsDiffer extends Error {
  override readonly name = 'LogsDiffer';
}

/**
 * Compares two logs from a place on, to the end of the second: its events have to be those of the first, in their order.
 * @param onEvent called with the places of each event in both
 * @throws LogsDiffer
 */
export async function walkLogs(
  from: Agreement,
  source: AsyncIterable<VerbatimEvent>,
  target: AsyncIterable<VerbatimEvent>,
  onEvent: (agreed: Agreement) => void = () => undefined,
): Promise<Agreement> {
  const wanted = source[Symbol.asyncIterator]();
  let agreed = from;
  try {
    for await (const found of target) {
      const next = await wanted.next();
      if (next.done === true) throw new LogsDiffer(m.cli_move_extra_event({ event: eventName(found) }));
      if (!areEqual(next.value, found)) throw new LogsDiffer(difference(next.value, found));
      if (isItself(next.value, found)) throw new LogsDiffer(m.cli_move_itself());
      agreed = {
        events: agreed.events + 1,
        chain: chainHash(agreed.chain, found),
        source: next.value.position,
        target: found.position,
      };
      onEvent(agreed);
    }
    return agreed;
  } finally {
    await wanted.return?.();
  }
}

/** Reads a log from its beginning, without looking at the other one. */
export async function readBack(
  target: AsyncIterable<VerbatimEvent>,
  onEvent: (read: Agreement) => void,
): Promise<Agreement> {
  let read = NOTHING_YET;
  for await (const event of target) {
    read = {
      events: read.events + 1,
      chain: chainHash(read.chain, event),
      source: undefined,
      target: event.position,
    };
    onEvent(read);
  }
  return read;
}

/** A copy is recorded later than what it is a copy of. */
function isItself(one: VerbatimEvent, other: VerbatimEvent): boolean {
  return one.position.commit === other.position.commit && one.created.getTime() === other.created.getTime();
}

function difference(wanted: VerbatimEvent, found: VerbatimEvent): string {
  return wanted.id === found.id
    ? m.cli_move_part_differs({ part: differingPart(wanted, found), event: eventName(wanted), id: wanted.id })
    : m.cli_move_other_event({
        ...{ found: eventName(found), foundId: found.id },
        ...{ wanted: eventName(wanted), wantedId: wanted.id },
      });
}
