import type pg from 'pg';
import { z } from 'zod';
import type { LogPosition } from '#platform/event-log/event-log.js';
import { queryRows } from '#platform/database/query-rows.js';
import type { Agreement } from './walk-logs.js';

/** Every column outside the read model, which is made anew, that has a position of the log. */
const KEPT = [
  { table: 'letters.checkpoint', commit: 'commit_position', prepare: 'prepare_position' },
  { table: 'payment_transaction', commit: 'log_position' },
  { table: 'follower_state', commit: 'position' },
  { table: 'webhook', commit: 'commit_position', prepare: 'prepare_position' },
  { table: 'webhook_delivery', commit: 'after_commit', prepare: 'after_prepare' },
] as const;

/**
 * The positions that are kept in the database, translated to those of another log: each becomes the place of the last event
 * that it has behind it. So what follows from a position on follows the same events, none lost and none twice.
 */
export class StoredPositions {
  /** How many events each position has behind it, as far as that is known. */
  private readonly behind: number[] = [];
  private readonly translated: (LogPosition | undefined)[] = [];
  /** The place in the new log of the event before. */
  private last: LogPosition | undefined;

  private constructor(private readonly positions: readonly bigint[]) {}

  static async load(connection: pg.Client): Promise<StoredPositions> {
    const each = KEPT.map(({ table, commit }) => `select ${commit} as position from ${table}`);
    const rows = await queryRows(
      connection,
      z.object({ position: z.coerce.bigint() }),
      `select position from (${each.join(' union ')}) kept where position >= 0 order by position`,
    );
    return new StoredPositions(rows.map(({ position }) => position));
  }

  /** Takes note of where an event is in the old log, the new one or both; of each log in order. Twice does no harm. */
  see({ events, source, target }: Agreement): void {
    while (source && this.isBefore(source)) this.behind.push(events - 1);
    if (!target) return;
    if (events === 1) this.last = undefined;
    for (;;) {
      const behind = this.behind[this.translated.length];
      if (behind === undefined || behind >= events) break;
      this.translated.push(this.last);
    }
    this.last = target;
  }

  /**
   * Part of the caller's transaction.
   * @param last the place of the last event in the new log
   */
  async write(connection: pg.Client, last: LogPosition | undefined): Promise<void> {
    // What is behind the last event.
    while (this.translated.length < this.positions.length) this.translated.push(last);
    const values = [
      this.positions.map(String),
      this.translated.map((place) => (place?.commit ?? -1n).toString()),
      this.translated.map((place) => (place?.prepare ?? -1n).toString()),
    ];
    for (const { table, commit, ...and } of KEPT) {
      const prepare = 'prepare' in and ? `, ${and.prepare} = moved.prepare` : '';
      await connection.query(
        `update ${table} kept set ${commit} = moved.commit ${prepare}
         from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as moved(source, commit, prepare)
         where kept.${commit} = moved.source`,
        values,
      );
    }
  }

  private isBefore({ commit }: LogPosition): boolean {
    const next = this.positions[this.behind.length];
    return next !== undefined && next < commit;
  }
}
