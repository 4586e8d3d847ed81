import type { z } from 'zod';
import * as m from '#words/messages.js';
import {
  exportEventSchema,
  exportFooterSchema,
  exportHeaderSchema,
  type ExportEvent,
  type ExportFooter,
  type ExportHeader,
} from '#contracts/audit/history-export.js';
import { borrowStream } from '#contracts/borrowing/borrow-events.js';
import type { LoggedEvent } from '#platform/event-log/event-log.js';
import { validationMessage } from '#platform/validation-messages.js';
import { compareWithLog, type Fault } from './export-differences.js';
import { exportedEvent, hashOfEvent, hashOfHeader } from './history-chain.js';

/** The result of checking an export. */
export type ExportCheck =
  | {
      ok: true;
      header: ExportHeader;
      events: number;
      /** Events in the log after those of the file. */ since: number;
    }
  | { ok: false; fault: Fault };

/** A reader's history as in the log. */
export interface LoggedHistory {
  /** The recorded events from one revision to another, inclusive. */
  events(readerId: string, from: number, to: number): AsyncIterable<LoggedEvent>;
  /** The revision of the last event, -1 if there is none. */
  lastRevision(readerId: string): Promise<number>;
}

/**
 * Checks an export: its chain of hashes, and every event against the log. Neither is held in memory.
 * @param lines the lines of the file without their line feeds; called again to look further ahead
 * @param log to compare with
 * @returns the first difference, or that there is none; later events in the log are no difference
 */
export async function checkExport(
  lines: () => AsyncIterable<string>,
  log: LoggedHistory,
): Promise<ExportCheck> {
  const file = new ExportFile(lines);
  let expected: AsyncIterator<LoggedEvent> | undefined;
  try {
    const header = await file.header();
    const { readerId, to } = header;
    const last = await log.lastRevision(readerId);
    if (to > last) {
      throw new Difference({
        kind: 'added',
        what:
          last < 0 ? m.cli_fault_log_empty({ last: to }) : m.cli_fault_log_shorter({ last: to, end: last }),
      });
    }
    expected = log.events(readerId, 0, to)[Symbol.asyncIterator]();
    let hash = header.firstHash;
    let count = 0;
    for (;;) {
      const found = await file.next();
      const step = await expected.next();
      const recorded = step.done === true ? undefined : step.value;
      if (found.kind === 'footer') {
        if (recorded) throw missing(recorded);
        await file.end();
        checkFooter(found, count, hash);
        return { ok: true, header, events: count, since: last - to };
      }
      const wanted = recorded && exportedEvent(recorded);
      const fault = await compareWithLog(found, wanted, {
        restOfFile: () => file.eventsAfter(found),
        restOfLog: () => log.events(readerId, (wanted?.revision ?? to) + 1, to),
      });
      if (fault) throw new Difference(fault);
      if (count === 0 && found.revision !== header.from) {
        throw changed(m.cli_fault_header_field, 'from', header.from, found.revision);
      }
      const computed = hashOfEvent(hash, found);
      if (found.hash !== computed) {
        const worded = (hashes: Differing) => m.cli_fault_event_hash({ revision: found.revision, ...hashes });
        throw changed(worded, 'hash', found.hash, computed);
      }
      hash = computed;
      count += 1;
    }
  } catch (error) {
    if (error instanceof Difference) return { ok: false, fault: error.fault };
    throw error;
  } finally {
    await file.close();
    await expected?.return?.();
  }
}

/** Ends the check at the first difference. */
class Difference extends Error {
  constructor(readonly fault: Fault) {
    super(fault.what);
  }
}

const IN_WORDS = { error: validationMessage };

/** Where it is, and what is wrong there. */
function firstFault(error: z.ZodError): string {
  const [issue] = error.issues;
  return [issue?.path.join('.'), issue?.message].filter(Boolean).join(' ');
}

/** The file, a line at a time. */
class ExportFile {
  private readonly iterator: AsyncIterator<string>;
  private number = 0;

  constructor(private readonly lines: () => AsyncIterable<string>) {
    this.iterator = lines()[Symbol.asyncIterator]();
  }

  async header(): Promise<ExportHeader> {
    const text = await this.line();
    if (text === undefined) throw truncated(m.cli_fault_file_empty());
    const parsed = exportHeaderSchema.safeParse(json(text), IN_WORDS);
    if (!parsed.success) {
      const reason = firstFault(parsed.error);
      throw new Difference({ kind: 'changed', what: m.cli_fault_no_header({ reason }) });
    }
    const header = parsed.data;
    const computed = hashOfHeader(header);
    if (header.firstHash !== computed) {
      throw new Difference({
        kind: 'changed',
        what: m.cli_fault_header_hash({ found: header.firstHash, wanted: computed }),
      });
    }
    if (header.stream !== borrowStream(header.readerId)) {
      throw changed(m.cli_fault_header_field, 'stream', header.stream, borrowStream(header.readerId));
    }
    return header;
  }

  /** The next event, or the footer. */
  async next(): Promise<ExportEvent | ExportFooter> {
    const text = await this.line();
    if (text === undefined) throw truncated(m.cli_fault_no_footer({ line: this.number }));
    const { number } = this;
    const value = json(text);
    const event = exportEventSchema.safeParse(value, IN_WORDS);
    if (event.success) return event.data;
    const footer = exportFooterSchema.safeParse(value, IN_WORDS);
    if (footer.success) return footer.data;
    if (value === undefined && (await this.line()) === undefined) {
      throw truncated(m.cli_fault_ends_in_line({ line: number }));
    }
    const kind = (value as { kind?: unknown } | undefined)?.kind;
    const reason = firstFault((kind === 'footer' ? footer : event).error);
    throw new Difference({
      kind: 'changed',
      what:
        value === undefined
          ? m.cli_fault_no_json({ line: number })
          : m.cli_fault_line_invalid({ line: number, reason }),
    });
  }

  /** @throws Difference if anything follows the footer */
  async end(): Promise<void> {
    const text = await this.line();
    if (text !== undefined) {
      throw new Difference({ kind: 'added', what: m.cli_fault_after_footer({ line: this.number }) });
    }
  }

  /** The events after the one read last: from a second reading, since this one continues. */
  async *eventsAfter(found: ExportEvent): AsyncGenerator<ExportEvent> {
    const from = this.number;
    let number = 0;
    for await (const text of this.lines()) {
      number += 1;
      const event = number > from ? exportEventSchema.safeParse(json(text)) : undefined;
      if (event?.success && event.data !== found) yield event.data;
    }
  }

  async close(): Promise<void> {
    await this.iterator.return?.();
  }

  private async line(): Promise<string | undefined> {
    const step = await this.iterator.next();
    if (step.done === true) return undefined;
    this.number += 1;
    return step.value;
  }
}

function checkFooter({ count, finalHash }: ExportFooter, counted: number, hash: string): void {
  if (count !== counted) throw changed(m.cli_fault_footer_field, 'count', count, counted);
  if (finalHash !== hash) throw changed(m.cli_fault_footer_field, 'finalHash', finalHash, hash);
}

function missing(recorded: LoggedEvent): Difference {
  return new Difference({
    kind: 'removed',
    revision: Number(recorded.revision),
    what: m.cli_fault_event_missing({ revision: String(recorded.revision), type: recorded.type }),
  });
}

function truncated(what: string): Difference {
  return new Difference({ kind: 'truncated', what });
}

/** A field, and what it is in the file and has to be. */
interface Differing {
  field: string;
  found: string;
  wanted: string;
}

/** @param worded says where the field is */
function changed(
  worded: (differing: Differing) => string,
  field: string,
  found: string | number,
  wanted: string | number,
): Difference {
  const differing = { field, found: JSON.stringify(found), wanted: JSON.stringify(wanted) };
  return new Difference({ kind: 'changed', field, what: worded(differing) });
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
