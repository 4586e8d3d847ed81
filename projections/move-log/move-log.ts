import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { BACKWARDS, END } from '@eventstore/db-client';
import type pg from 'pg';
import { z } from 'zod';
import * as m from '#words/messages.js';
import { migrate } from '#platform/database/migrate.js';
import { queryRow } from '#platform/database/query-rows.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { EventLog, type LogPosition } from '#platform/event-log/event-log.js';
import { LogIdentity } from '#platform/event-log/log-identity.js';
import { LOG_STREAM, LogRecord, type LogSelf } from '#platform/event-log/log-record.js';
import { EMBEDDED } from '#platform/event-log/log-proof.js';
import { lockLogExclusively } from '#platform/event-log/log-lock.js';
import type { ResilientEventStoreClient } from '#platform/event-log/resilient-event-store-client.js';
import { collect, retryWithDeadline } from '#platform/event-log/retry-with-deadline.js';
import { UnreadableEvent } from '#platform/event-log/upcast.js';
import { EventNotApplied } from '../borrowing/borrow-batch.js';
import { rebuild, type RebuildReport } from '../rebuild.js';
import { verify, type VerifyReport } from '../verify.js';
import { copyLog } from './copy-log.js';
import { StoredPositions } from './stored-positions.js';
import { readLog } from './read-log.js';
import { eventName, type VerbatimEvent } from './verbatim-event.js';
import { LogsDiffer, NOTHING_YET, readBack, walkLogs, type Agreement } from './walk-logs.js';

/** Where a move is. */
export type Stage = 'compared' | 'copied' | 'read back' | 'put into the lists' | 'verified';

/** For a person: where a log is that is said to be there. */
export const placeName = (place: string): string => (place === EMBEDDED ? m.cli_embedded_store() : place);

export interface Move {
  databaseUrl: string;
  source: ResilientEventStoreClient;
  target: ResilientEventStoreClient;
  /** What the old log says of where it went: never credentials. */
  to: string;
  /** Milliseconds for which processes that lost their share in the log may still append to it. */
  grace: number;
  /** Called when events were copied, before they are read back. */
  onCopied?: () => Promise<void>;
  /** @param part of the whole, from 0 to 1 */
  progress: (stage: Stage, events: number, part: number) => void;
  signal: AbortSignal;
}

export interface MoveReport {
  /** Whether an earlier run had finished it. */
  wasDone: boolean;
  events: number;
  /** Of them by this run. */
  copied: number;
  /** Over all of them, in hexadecimal digits. */
  chain: string;
  logId: string;
  rebuilt?: RebuildReport;
  verified?: VerifyReport;
}

/**
 * Moves the event log to another event store: copies every event, proves that nothing differs, makes the lists from the
 * copy, translates the positions that are kept, and closes the old log. Until then the old log is the one in use, and a run
 * that was interrupted anywhere is continued by the next one.
 * @throws LogsDiffer; an Error with a sentence for the operator
 */
export async function moveLog(move: Move): Promise<MoveReport> {
  await migrate(move.databaseUrl);
  const lost = new AbortController();
  const alone = await lockLogExclusively(move.databaseUrl, (reason) => lost.abort(reason));
  const signal = AbortSignal.any([move.signal, lost.signal]);
  try {
    return await new LogMove({ ...move, signal }, alone).run();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof UnreadableEvent || error instanceof EventNotApplied) {
      throw new Error(m.cli_move_not_applied({ reason: error.message }), { cause: error });
    }
    throw error;
  } finally {
    await alone.end();
  }
}

class LogMove {
  private readonly began = performance.now();
  private readonly sourceRecord: LogRecord;
  private readonly targetRecord: LogRecord;

  constructor(
    private readonly move: Move,
    private readonly alone: pg.Client,
  ) {
    this.sourceRecord = new LogRecord(move.source);
    this.targetRecord = new LogRecord(move.target);
  }

  async run(): Promise<MoveReport> {
    const { databaseUrl, target, progress, grace, signal } = this.move;
    const stamp = await this.stamp();
    const self = await this.ofSource(stamp);
    const theirs = await this.targetRecord.read();
    const goesOn = theirs?.continued?.from === self.logId ? theirs.continued : undefined;
    if (self.moved && self.moved.logId !== goesOn?.logId) {
      throw new Error(m.cli_move_elsewhere({ place: placeName(self.moved.to), at: self.moved.at }));
    }
    if (goesOn && stamp === goesOn.logId) {
      return { wasDone: true, ...goesOn, copied: 0 };
    }
    const kept = await StoredPositions.load(this.alone);
    const { agreed, copied } = await this.copy(self, kept);
    const wait = grace - (performance.now() - this.began);
    if (wait > 0) await sleep(wait, undefined, { signal });

    const logId = goesOn?.logId ?? randomUUID();
    const log = new EventLog(target);
    const rebuilt = await rebuild(
      databaseUrl,
      log,
      (done) => progress('put into the lists', done, done / agreed.events),
      {
        adopted: {
          logId,
          beforeSwap: () => this.close(self, logId, agreed),
          settle: (connection) => kept.write(connection, agreed.target),
        },
      },
    );
    const verified = await verify(databaseUrl, log, (done) =>
      progress('verified', done, done / agreed.events),
    );
    return {
      ...{ wasDone: false, events: agreed.events, copied, chain: agreed.chain.toString('hex'), logId },
      ...{ rebuilt, verified },
    };
  }

  /** The identity of the old log, which has to be the one that the lists were made of. */
  private async ofSource(stamp: string | null): Promise<LogSelf> {
    const self = await this.sourceRecord.read();
    // Closed by an earlier run, or in use.
    if (self?.moved && (stamp === self.logId || stamp === self.moved.logId)) return self;
    await new LogIdentity(this.alone).prove(this.move.source, undefined);
    const admitted = await this.sourceRecord.read();
    if (!admitted) throw new Error(m.cli_move_old_lost_identity());
    return admitted;
  }

  private async stamp(): Promise<string | null> {
    const schema = await new ReadModelSchema(this.alone).present();
    const row = await queryRow(
      this.alone,
      z.object({ log_id: z.string().nullable() }),
      `select log_id from ${schema}.checkpoint`,
    );
    return row?.log_id ?? null;
  }

  /** Copies what the new log does not have yet, and compares all of it. */
  private async copy(self: LogSelf, kept: StoredPositions): Promise<{ agreed: Agreement; copied: number }> {
    const { target, progress, signal } = this.move;
    const end = await this.endOfSource();
    const part = ({ source }: Agreement) => Number(source?.commit ?? 0n) / Number(end);
    const look = (from: Agreement) =>
      walkLogs(from, this.old(self, from.source), this.copies(self, from.target), (agreed) => {
        kept.see(agreed);
        progress('compared', agreed.events, part(agreed));
      });
    const there = await look(NOTHING_YET).catch((error: unknown) => {
      if (!(error instanceof LogsDiffer)) throw error;
      throw new LogsDiffer(m.cli_move_target_differs({ difference: error.message }));
    });
    const stored = await copyLog(there, {
      ...{ read: ({ source }) => this.old(self, source), target, look, signal },
      onRead: (read) => kept.see(read),
      onStored: (now) => progress('copied', now.events, part(now)),
    });
    const copied = stored.events - there.events;
    if (copied === 0) return { agreed: there, copied };
    await this.move.onCopied?.();
    const agreed = await readBack(this.copies(self, undefined), (read) => {
      kept.see(read);
      progress('read back', read.events, read.events / stored.events);
    });
    if (agreed.events === stored.events && agreed.chain.equals(stored.chain)) {
      return { agreed: { ...agreed, source: stored.source }, copied };
    }
    // Names the first difference.
    await walkLogs(NOTHING_YET, this.old(self, undefined), this.copies(self, undefined));
    throw new LogsDiffer(
      m.cli_move_chain_differs({
        ...{ found: agreed.events, foundChain: agreed.chain.toString('hex') },
        ...{ wanted: stored.events, wantedChain: stored.chain.toString('hex') },
      }),
    );
  }

  /** The last steps before the lists of the new log take the place of the present ones. From here on the old log is closed. */
  private async close(self: LogSelf, logId: string, agreed: Agreement): Promise<void> {
    const { to } = this.move;
    await this.refuseLater(self, agreed);
    const at = new Date().toISOString();
    const theirs = await this.targetRecord.read();
    if (!theirs) throw new Error(m.cli_move_new_lost_identity());
    const chain = agreed.chain.toString('hex');
    if (theirs.continued?.logId !== logId || theirs.continued.chain !== chain) {
      const goesOn = { logId, from: self.logId, events: agreed.events, chain, at };
      const now = await this.targetRecord.continue(goesOn, theirs);
      if (now.continued?.logId !== logId) throw new Error(m.cli_move_new_written());
    }
    const closed = self.moved ? self : await this.sourceRecord.close({ logId, to, at }, self);
    if (closed.moved?.logId !== logId) throw new Error(m.cli_move_old_written());
    await this.refuseLater(closed, agreed);
  }

  /** Nothing came into the old log since it was copied. */
  private async refuseLater(self: LogSelf, { source }: Agreement): Promise<void> {
    for await (const event of this.old(self, source)) {
      throw new Error(m.cli_move_still_running({ event: eventName(event) }));
    }
  }

  /** The old log, without the event that closes it. */
  private async *old(self: LogSelf, after: LogPosition | undefined): AsyncGenerator<VerbatimEvent> {
    for await (const event of readLog(this.move.source, after, this.move.signal)) {
      if (event.id !== self.movedBy) yield event;
    }
  }

  /** The new log, without what it says of itself. */
  private async *copies(self: LogSelf, after: LogPosition | undefined): AsyncGenerator<VerbatimEvent> {
    for await (const event of readLog(this.move.target, after, this.move.signal)) {
      if (!isAbout(event, self)) yield event;
    }
  }

  private async endOfSource(): Promise<bigint> {
    const newest = { direction: BACKWARDS, fromPosition: END, maxCount: 1, requiresLeader: true } as const;
    const [last] = await retryWithDeadline(this.move.source, (waiting) =>
      collect(this.move.source.readAll(newest), waiting),
    );
    return last?.position?.commit ?? 1n;
  }
}

const continues = z.object({ from: z.string() });

/** Whether a log says with this event that it is the copy of another one. */
function isAbout({ stream, type, data }: VerbatimEvent, { logId }: LogSelf): boolean {
  if (stream !== LOG_STREAM || type !== 'LogContinued') return false;
  return continues.safeParse(JSON.parse(data.toString())).data?.from === logId;
}
