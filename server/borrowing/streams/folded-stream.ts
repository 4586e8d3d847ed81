import * as m from '#words/messages.js';
import { withoutSkipped } from '#contracts/event-log/skipped-events.js';
import type { ReaderEvent } from '#contracts/holds/hold-events.js';
import { readAsCurrent, type LoggedEvent, type LogPosition } from '#platform/event-log/event-log.js';
import { mapInTimeSlices } from '#platform/time-slices.js';
import { readerEventsIn } from '#platform/event-log/reader-events-in.js';
import { fold, NO_BORROWS, type ReaderBorrows, EventWithoutRent } from '#circulation/borrow/borrow-state.js';
import { PersistentMap } from '#circulation/persistent-map.js';
import { keyReused, type CommandIdentity } from '../../idempotency/refused-commands.js';
import { DomainError } from '#contracts/domain-error.js';
import { UnreadableEvent } from '#platform/event-log/upcast.js';
import { EventWithoutHold } from '#circulation/borrow/hold-state.js';

/** The result of a command. */
export interface CommandOutcome {
  /** Log position of its last event. */
  position: bigint;
  state: ReaderBorrows;
  /** The events stored now; none if the command had been done before. */
  events: readonly ReaderEvent[];
  renewedAt: RenewalPositions;
}

/** The log positions of each borrow's renewals, in their order. */
type RenewalPositions = PersistentMap<string, readonly bigint[]>;

/** Where a command's last event is, and what was asked with it. */
interface CommandPlace {
  digest: string;
  position: bigint;
}

/** A reader's stream as far as it was read. */
export interface FoldedStream {
  state: ReaderBorrows;
  /** Revision of the last event, -1 where there is none. */
  revision: bigint;
  position: bigint;
  commands: PersistentMap<string, CommandPlace>;
  renewedAt: RenewalPositions;
}

export const EMPTY_STREAM: FoldedStream = {
  state: NO_BORROWS,
  revision: -1n,
  position: -1n,
  commands: PersistentMap.of<string, CommandPlace>([]),
  renewedAt: PersistentMap.of<string, readonly bigint[]>([]),
};

export function outcomeOf(
  { state, renewedAt }: FoldedStream,
  position: bigint,
  events: readonly ReaderEvent[] = [],
): CommandOutcome {
  return { position, state, events, renewedAt };
}

function withRenewals(
  known: RenewalPositions,
  events: readonly { event: ReaderEvent; position: LogPosition }[],
): RenewalPositions {
  const further = new Map<string, readonly bigint[]>();
  for (const { event, position } of events) {
    if (event.type !== 'BorrowRenewed') continue;
    const { borrowId } = event.data;
    further.set(borrowId, [...(further.get(borrowId) ?? known.get(borrowId) ?? []), position.commit]);
  }
  return known.with(further);
}

/** The stream with events that were read after it. */
export async function extended(known: FoldedStream, recorded: readonly LoggedEvent[]): Promise<FoldedStream> {
  const commands = new Map<string, CommandPlace>();
  // A first look may have thousands: others go on meanwhile.
  const events = await mapInTimeSlices(withoutSkipped(recorded), readAsCurrent);
  for (const { metadata, position } of events) {
    commands.set(metadata.commandId, { digest: metadata.commandDigest, position: position.commit });
  }
  const last = recorded.at(-1);
  const readerEvents = readerEventsIn(events);
  return {
    state: fold(
      readerEvents.map(({ event }) => event),
      known.state,
      (index) => Number(readerEvents[index]?.revision),
    ),
    renewedAt: withRenewals(known.renewedAt, readerEvents),
    revision: last?.revision ?? known.revision,
    position: last?.position.commit ?? known.position,
    commands: known.commands.with(commands),
  };
}

/** The stream with the events that a command has just stored. */
export function extendedBy(
  known: FoldedStream,
  { commandId, commandDigest }: CommandIdentity,
  events: readonly ReaderEvent[],
  { revision, position }: { revision: bigint; position: LogPosition },
): FoldedStream {
  const first = Number(revision) - events.length + 1;
  return {
    state: fold(events, known.state, (index) => first + index),
    revision,
    position: position.commit,
    commands: known.commands.with(
      new Map([[commandId, { digest: commandDigest, position: position.commit }]]),
    ),
    renewedAt: withRenewals(
      known.renewedAt,
      events.map((event) => ({ event, position })),
    ),
  };
}

/** Commands, and borrows that are over, of which a reader's state knows more than that there were some. */
const REMEMBERED = 100;
/** So many more are gathered before they are forgotten together. */
const GATHERED = 200;

/**
 * The same for memory: of a long history, what is over and long ago is forgotten but for fingerprints. So the next commands
 * of a reader cost the same however long their history is. Whoever asks for what is forgotten is told so (`Forgotten`).
 */
export function compacted(folded: FoldedStream): FoldedStream {
  const { state, commands, renewedAt } = folded;
  if (Math.max(commands.size, state.borrows.size - state.unsettled.size) <= REMEMBERED + GATHERED)
    return folded;
  const over = [...state.borrows.kept()].map(([id]) => id).filter((id) => !state.unsettled.has(id));
  const forgotten = new Set(over.slice(0, -REMEMBERED));
  const oldCommands = [...commands.kept()].map(([id]) => id).slice(0, -REMEMBERED);
  return {
    ...folded,
    state: {
      ...state,
      borrows: state.borrows.forgetting(forgotten),
      renewals: state.renewals.forgetting(forgotten),
      waivers: state.waivers.forgetting(forgotten),
    },
    commands: commands.forgetting(new Set(oldCommands)),
    renewedAt: renewedAt.forgetting(forgotten),
  };
}

/** The whole stream, or what of it is left in memory. */
export function isComplete({ state, commands }: FoldedStream): boolean {
  return state.borrows.forgotten === 0 && commands.forgotten === 0;
}

/** Entries in memory; of those that are forgotten, thirty fingerprints count as one. */
export function weightOf({ state, commands }: FoldedStream): number {
  const forgotten = state.borrows.forgotten + commands.forgotten;
  return state.borrows.size + commands.size + Math.ceil(forgotten / 30) + 1;
}

/**
 * The result of an earlier execution of the command.
 * @throws DomainError IdempotencyKeyReused when the key came with another request
 */
export function previousOutcome(folded: FoldedStream, context: CommandIdentity): CommandOutcome | undefined {
  const before = folded.commands.get(context.commandId);
  if (!before) return undefined;
  if (before.digest !== context.commandDigest) throw keyReused();
  return outcomeOf(folded, before.position);
}

const UNREADABLE = [UnreadableEvent, EventWithoutRent, EventWithoutHold];

/**
 * Reads and folds a reader's events.
 * @throws DomainError HistoryUnreadable, naming the event that cannot be read or applied: without a complete state,
 *   nothing is decided or shown
 */
export async function readable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!UNREADABLE.some((kind) => error instanceof kind)) throw error;
    const refusal = new DomainError(
      'HistoryUnreadable',
      m.borrow_history_unreadable({ reason: (error as Error).message }),
    );
    refusal.cause = error;
    throw refusal;
  }
}
