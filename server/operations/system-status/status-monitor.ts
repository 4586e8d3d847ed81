import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { Part } from '#contracts/dashboard/system-status.js';
import { Clock } from '#platform/clock.js';
import { inTransaction, type Connection, type Database } from '#platform/database/database.js';
import { LOCKS } from '#platform/database/locks.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { whoMay } from '#platform/database/who-may.js';
import type { Logger } from '#platform/logging.js';
import { processReports } from '#platform/operations/heartbeat.js';
import { DATABASE, LOGGER } from '#platform/tokens.js';
import { withTimeout } from '#platform/with-timeout.js';
import { observeBackups, observeParts } from './observe-parts.js';
import { nextPartState, afterOutage, type Observation, type PartState } from './part-state.js';
import { storedParts, storeParts } from './part-rows.js';
import { randomUUID } from 'node:crypto';
import { requestAccountLetter } from '#letters/notification-request.js';

/** Milliseconds for one round. */
const TIMEOUT = 5_000;

const AWAY: Observation = { level: 'bad', reason: 'away', facts: {} };

/**
 * Looks at how all parts do, after each heartbeat: one process at a time, and what it finds is stored for all of them
 * and over restarts. Letters about a part are written in the same transaction, so once.
 */
@Injectable()
export class StatusMonitor {
  /** From when to when this process could not write to the database, until that is stored. */
  private away: { since: number; until?: number } | undefined;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Since when the database is away, as far as this process knows. */
  get awaySince(): Date | undefined {
    return this.away && new Date(this.away.since);
  }

  /** @param written whether the heartbeat of this process was, that came before */
  async look(written: boolean): Promise<void> {
    const now = this.clock.now().getTime();
    if (!written) {
      this.isAway(now);
      return;
    }
    const { away } = this;
    try {
      const round = inTransaction(this.database, (transaction) => this.round(transaction, now, away));
      // A silent database must not hold the next heartbeat.
      const stored = await withTimeout(TIMEOUT, round, 'the database did not answer in time');
      // Where another process was about it, or a round of this one that had been given up, a later round tells.
      this.away = stored || !away ? undefined : { ...away, until: away.until ?? now };
    } catch (error) {
      this.isAway(now);
      this.logger.warn({ error }, 'the state of the parts could not be stored');
    }
  }

  private isAway(now: number): void {
    this.away = { since: this.away?.since ?? now };
  }

  /** @returns whether it was this process's turn to store what it saw */
  private async round(transaction: Connection, now: number, away: StatusMonitor['away']): Promise<boolean> {
    const lock = await queryRow(
      transaction,
      z.object({ taken: z.boolean() }),
      'select pg_try_advisory_xact_lock($1) as taken',
      [LOCKS.house],
    );
    if (!lock?.taken) return false;
    const reports = await processReports(transaction);
    const before = await storedParts(transaction);
    const seen = observeParts(reports);
    const backups = await observeBackups(transaction, reports, now);
    if (backups) seen.set('backup', backups);
    const after = new Map<Part, PartState>();
    for (const [part, observation] of seen) {
      const last =
        part === 'database' && away
          ? afterOutage(before.get(part), AWAY, away.since, away.until ?? now)
          : before.get(part);
      after.set(part, nextPartState(last, observation, now));
    }
    await storeParts(transaction, await notifyOperators(transaction, after));
    for (const [part, state] of after) this.log(part, before.get(part), state);
    return true;
  }

  private log(part: Part, before: PartState | undefined, { level, reason }: PartState): void {
    if (level === (before?.level ?? 'ok')) return;
    if (level === 'bad') this.logger.error({ part, reason }, 'a part of the library is not well');
    else if (level === 'warning') this.logger.warn({ part, reason }, 'a part of the library needs somebody');
    else this.logger.info({ part }, 'a part of the library is working again');
  }
}

/**
 * Asks for the letters that are due, one to each who may look after the system and whose email address is confirmed. While the mail server does not
 * take letters they stay owed: where a part is well again by then, one letter says all.
 * @returns the parts without what was asked for
 */
async function notifyOperators(
  transaction: Connection,
  parts: ReadonlyMap<Part, PartState>,
): Promise<Map<Part, PartState>> {
  const after = new Map(parts);
  const isOwed = [...parts.values()].some(({ owed }) => owed);
  if (!isOwed || parts.get('mailServer')?.level !== 'ok') return after;
  const operators = await queryRows(
    transaction,
    z.object({ id: z.string() }),
    `select id from account where ${whoMay('system')} and email_confirmed order by id`,
  );
  for (const [part, state] of parts) {
    const { owed, facts } = state;
    if (!owed) continue;
    const correlationId = randomUUID();
    for (const { id } of operators) {
      const about = { accountId: id, part, since: new Date(owed.since).toISOString() };
      if (owed.kind === 'red') {
        const why = { reason: state.reason ?? state.incident?.reason ?? null, facts };
        await requestAccountLetter(transaction, 'part-not-well', { ...about, ...why }, correlationId);
      } else {
        const until = new Date(owed.until).toISOString();
        await requestAccountLetter(transaction, 'part-well-again', { ...about, until }, correlationId);
      }
    }
    after.set(part, { ...state, owed: null });
  }
  return after;
}
