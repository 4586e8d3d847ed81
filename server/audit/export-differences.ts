import * as m from '#words/messages.js';
import type { ExportEvent } from '#contracts/audit/history-export.js';
import { canonicalJson } from './history-chain.js';

/** The first difference between an export and the log. */
export interface Fault {
  kind: 'changed' | 'removed' | 'reordered' | 'added' | 'truncated';
  /** A sentence that describes it. */
  what: string;
  /** The event it is about. */
  revision?: number;
  /** The changed field, for instance `data.amount`. */
  field?: string;
}

type LoggedEvent = Omit<ExportEvent, 'hash'>;

/** What follows on either side, which distinguishes the kinds of difference. */
export interface Further {
  /** The events of the file after the differing one. */
  restOfFile(): AsyncIterable<ExportEvent>;
  /** The events of the log after the expected one. */
  restOfLog(): AsyncIterable<{ id: string }>;
}

/**
 * Compares an event of the file with the log's event in this place.
 * @param wanted `undefined` after the end of the log
 * @returns nothing if they are equal
 */
export async function compareWithLog(
  found: ExportEvent,
  wanted: LoggedEvent | undefined,
  further: Further,
): Promise<Fault | undefined> {
  if (!wanted) return added(found);
  if (found.id === wanted.id) {
    const field = fieldThatDiffers(found, wanted);
    return field && changed(wanted, field);
  }
  if (await has(further.restOfFile(), wanted.id)) {
    // The expected one comes later: this one was moved before it, or inserted.
    const isOfLog = await has(further.restOfLog(), found.id);
    return isOfLog && !(await has(further.restOfFile(), found.id)) ? reordered(found, wanted) : added(found);
  }
  if (found.revision > wanted.revision || (await has(further.restOfLog(), found.id))) return removed(wanted);
  if (found.revision < wanted.revision) return added(found);
  return changed(wanted, { path: 'id', found: found.id, wanted: wanted.id });
}

interface FieldDifference {
  path: string;
  found: unknown;
  wanted: unknown;
}

/** The first differing field, by name. */
function fieldThatDiffers(found: ExportEvent, wanted: LoggedEvent): FieldDifference | undefined {
  const { hash: _hash, ...content } = found;
  return difference('', content, wanted);
}

function difference(path: string, found: unknown, wanted: unknown): FieldDifference | undefined {
  if (isObject(found) && isObject(wanted) && Array.isArray(found) === Array.isArray(wanted)) {
    const [a, b] = [found as Record<string, unknown>, wanted as Record<string, unknown>];
    for (const key of [...new Set([...Object.keys(b), ...Object.keys(a)])].sort()) {
      const inner = difference(path === '' ? key : `${path}.${key}`, a[key], b[key]);
      if (inner) return inner;
    }
    return undefined;
  }
  return text(found) === text(wanted) ? undefined : { path, found, wanted };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function text(value: unknown): string {
  return value === undefined ? 'nothing' : canonicalJson(value);
}

async function has(events: AsyncIterable<{ id: string }>, id: string): Promise<boolean> {
  for await (const event of events) if (event.id === id) return true;
  return false;
}

function changed({ revision, type }: LoggedEvent, { path, found, wanted }: FieldDifference): Fault {
  return {
    kind: 'changed',
    revision,
    field: path,
    what: m.cli_fault_event_changed({
      ...{ revision, type, field: path, found: text(found), wanted: text(wanted) },
    }),
  };
}

function removed({ revision, type }: LoggedEvent): Fault {
  return {
    kind: 'removed',
    revision,
    what: m.cli_fault_event_missing({ revision, type }),
  };
}

function reordered(found: ExportEvent, wanted: LoggedEvent): Fault {
  return {
    kind: 'reordered',
    revision: found.revision,
    what: m.cli_fault_event_reordered({
      ...{ revision: found.revision, type: found.type },
      ...{ otherRevision: wanted.revision, otherType: wanted.type },
    }),
  };
}

function added({ revision, type, id }: ExportEvent): Fault {
  return {
    kind: 'added',
    revision,
    what: m.cli_fault_event_added({ revision, type, id }),
  };
}
