import type { EventEntry } from '#contracts/event-entry.js';

/** The place of an event in the log, and its type. */
export interface EventPlace {
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  readonly revision: bigint;
  readonly position: { readonly commit: bigint; readonly prepare: bigint };
}

/** An event that this release cannot read: the log is newer, or was written by something else. */
export class UnreadableEvent extends Error {
  /** Its place; unknown if only its data was parsed. */
  place: EventPlace | undefined;

  constructor(type: string, version: number | undefined, reason: string) {
    super(
      `The event ${type}${version === undefined ? '' : `, version ${version},`} cannot be read: ${reason}`,
    );
    this.name = 'UnreadableEvent';
  }
}

/**
 * Upcasts stored data to the current version of its event.
 * @param version the schema version in the event's metadata
 * @param registry of the events allowed in its stream
 * @throws UnreadableEvent for an unknown type or version, or invalid data. Old events stay readable for ever: `samples.json`
 *   holds the first version of each
 */
export function upcast(
  type: string,
  version: number,
  data: unknown,
  registry: Readonly<Record<string, EventEntry>>,
): unknown {
  const entry = Object.hasOwn(registry, type) ? registry[type] : undefined;
  if (!entry) throw new UnreadableEvent(type, version, 'its type is unknown');
  const { version: current, upcasters = [] } = entry;
  if (version > current)
    throw new UnreadableEvent(type, version, `this release knows versions up to ${current}`);
  let upcasted = data as Record<string, unknown>;
  for (let from = version; from < current; from += 1) {
    const step = upcasters[from - 1];
    if (!step) throw new UnreadableEvent(type, version, `there is no step from version ${from}`);
    upcasted = step(upcasted);
  }
  const parsed = entry.data.safeParse(upcasted);
  if (!parsed.success) {
    const fields = parsed.error.issues.map((issue) => issue.path.join('.')).join(', ');
    throw new UnreadableEvent(type, version, `these fields do not hold: ${fields}`);
  }
  return parsed.data;
}
