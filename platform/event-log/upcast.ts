import {
  BORROW_EVENT_VERSIONS,
  borrowEventSchemas,
  type BorrowEvent,
  type BorrowEventType,
} from '#contracts/borrowing/borrow-events.js';

/** Turns the data of one version of an event into the data of the next. */
type Upcaster = (data: Record<string, unknown>) => Record<string, unknown>;

/**
 * By event type, the steps from version 1 on: the first entry makes version 2 of version 1, and so on. Old
 * events stay readable for ever; `samples/` holds a recorded event of every version that was ever written.
 */
export const UPCASTERS: Partial<Record<BorrowEventType, Upcaster[]>> = {};

/** Where an event lies in the log, and what it calls itself. */
export interface EventPlace {
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  readonly revision: bigint;
  readonly position: { readonly commit: bigint; readonly prepare: bigint };
}

/** An event that this version of the product cannot read: the log is newer, or was written by something else. */
export class UnreadableEvent extends Error {
  /** Where it lies; unknown to who reads data alone. */
  place: EventPlace | undefined;

  constructor(type: string, version: number | undefined, reason: string) {
    super(
      `The event ${type}${version === undefined ? '' : `, version ${version},`} cannot be read: ${reason}`,
    );
    this.name = 'UnreadableEvent';
  }
}

export function isBorrowEventType(type: string): type is BorrowEventType {
  return type in borrowEventSchemas;
}

/**
 * Reads stored data as the current version of its event.
 * @param version the schema version in the event's metadata
 * @throws UnreadableEvent when type, version or data are not ours
 */
export function upcast(
  type: string,
  version: number,
  data: unknown,
  upcasters: Partial<Record<BorrowEventType, Upcaster[]>> = UPCASTERS,
  versions: Record<BorrowEventType, number> = BORROW_EVENT_VERSIONS,
): BorrowEvent {
  if (!isBorrowEventType(type)) throw new UnreadableEvent(type, version, 'its type is unknown');
  const current = versions[type];
  if (version > current)
    throw new UnreadableEvent(type, version, `this release knows versions up to ${current}`);
  let upcasted = data as Record<string, unknown>;
  for (let from = version; from < current; from += 1) {
    const step = upcasters[type]?.[from - 1];
    if (!step) throw new UnreadableEvent(type, version, `there is no step from version ${from}`);
    upcasted = step(upcasted);
  }
  const parsed = borrowEventSchemas[type].safeParse(upcasted);
  if (!parsed.success) {
    const fields = parsed.error.issues.map((issue) => issue.path.join('.')).join(', ');
    throw new UnreadableEvent(type, version, `these fields do not hold: ${fields}`);
  }
  return { type, data: parsed.data } as BorrowEvent;
}
