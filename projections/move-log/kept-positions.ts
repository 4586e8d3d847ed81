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
] as const;

/**
 * The positions that are kept in the database, translated to those of another log: each becomes the place of the last event
 * that it has behind it. So what follows from a position on follows the same events, none lost and none twice.
 */
export class KeptPositions {
  private next = 0;
  private last: LogPosition | undefined;
  private readonly translated: (LogPosition | undefined)[] = [];

  private constructor(private readonly positions: readonly bigint[]) {}

  static async load(connection: pg.Client): Promise<KeptPositions> {
    const each = KEPT.map(({ table, commit }) => `select ${commit} as position from ${table}`);
    const rows = await queryRows(
      connection,
      z.object({ position: z.coerce.bigint() }),
      `select position from (${each.join(' union ')}) kept where position >= 0 order by position`,
    );
    return new KeptPositions(rows.map(({ position }) => position));
  }

  /** Starts over, for another walk through both logs. */
  begin(): void {
    this.next = 0;
    this.last = undefined;
  }

  /** Takes note of where the next event is in both logs. */
  see({ source, target }: Agreement): void {
    if (!source) return;
    this.passUntil(source.commit);
    this.last = target;
  }

  /** Part of the caller's transaction. */
  async write(connection: pg.Client): Promise<void> {
    this.passUntil(undefined);
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

  private passUntil(position: bigint | undefined): void {
    for (; this.next < this.positions.length; this.next += 1) {
      const kept = this.positions[this.next];
      if (kept === undefined || (position !== undefined && kept >= position)) return;
      this.translated[this.next] = this.last;
    }
  }
}
