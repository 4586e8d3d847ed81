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
        what: `the file has events up to ${to}, the log has ${last < 0 ? 'none' : `none after ${last}`}`,
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
        throw changed('the header', 'from', header.from, found.revision);
      }
      const computed = hashOfEvent(hash, found);
      if (found.hash !== computed) throw changed(`event ${found.revision}`, 'hash', found.hash, computed);
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

/** The file, a line at a time. */
class ExportFile {
  private readonly iterator: AsyncIterator<string>;
  private number = 0;

  constructor(private readonly lines: () => AsyncIterable<string>) {
    this.iterator = lines()[Symbol.asyncIterator]();
  }

  async header(): Promise<ExportHeader> {
    const text = await this.line();
    if (text === undefined) throw truncated('the file is empty');
    const parsed = exportHeaderSchema.safeParse(json(text));
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new Difference({
        kind: 'changed',
        what: `the first line is no header of an export of this version: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`,
      });
    }
    const header = parsed.data;
    const computed = hashOfHeader(header);
    if (header.firstHash !== computed) {
      throw new Difference({
        kind: 'changed',
        what: `the header was changed: firstHash is ${header.firstHash}, its fields give ${computed}`,
      });
    }
    if (header.stream !== borrowStream(header.readerId)) {
      throw changed('the header', 'stream', header.stream, borrowStream(header.readerId));
    }
    return header;
  }

  /** The next event, or the footer. */
  async next(): Promise<ExportEvent | ExportFooter> {
    const text = await this.line();
    if (text === undefined) throw truncated(`the file ends after line ${this.number}, without a footer`);
    const { number } = this;
    const value = json(text);
    const event = exportEventSchema.safeParse(value);
    if (event.success) return event.data;
    const footer = exportFooterSchema.safeParse(value);
    if (footer.success) return footer.data;
    if (value === undefined && (await this.line()) === undefined) {
      throw truncated(`the file ends in the middle of line ${number}`);
    }
    const kind = (value as { kind?: unknown } | undefined)?.kind;
    const [issue] = (kind === 'footer' ? footer : event).error?.issues ?? [];
    throw new Difference({
      kind: 'changed',
      what: `line ${number} was changed: ${value === undefined ? 'it is no JSON' : `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim()}`,
    });
  }

  /** @throws Difference if anything follows the footer */
  async end(): Promise<void> {
    const text = await this.line();
    if (text !== undefined) {
      throw new Difference({ kind: 'added', what: `line ${this.number} comes after the footer` });
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
  if (count !== counted) throw changed('the footer', 'count', count, counted);
  if (finalHash !== hash) throw changed('the footer', 'finalHash', finalHash, hash);
}

function missing(recorded: LoggedEvent): Difference {
  return new Difference({
    kind: 'removed',
    revision: Number(recorded.revision),
    what: `event ${recorded.revision} (${recorded.type}) is in the log and not in the file`,
  });
}

function truncated(what: string): Difference {
  return new Difference({ kind: 'truncated', what });
}

function changed(where: string, field: string, found: unknown, wanted: unknown): Difference {
  return new Difference({
    kind: 'changed',
    field,
    what: `${where} was changed: ${field} is ${JSON.stringify(found)} in the file and has to be ${JSON.stringify(wanted)}`,
  });
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
