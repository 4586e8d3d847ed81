import pg from 'pg';
import { createTestDatabase } from '../../test-support/database/database.js';
import { StoredPositions } from './stored-positions.js';
import { NO_EVENTS } from './verbatim-event.js';

const at = (commit: bigint | undefined) =>
  commit === undefined ? undefined : { commit, prepare: commit - 1n };

describe('the positions that are kept', () => {
  // Five events, at 10, 20, … 50 in the old log and at 1000, 2000, … 5000 in the new one.
  const seen = (events: number, source: boolean, target: boolean) => ({
    ...{ events, chain: NO_EVENTS },
    source: at(source ? BigInt(events * 10) : undefined),
    target: at(target ? BigInt(events * 1000) : undefined),
  });
  const EVENTS = [1, 2, 3, 4, 5];
  const WANTED = [
    [3n, -1n],
    [10n, 1000n],
    [25n, 2000n],
    [30n, 3000n],
    [50n, 5000n],
    [77n, 5000n],
  ] as const;

  it.each([
    [
      'in one walk through both logs',
      (kept: StoredPositions) => EVENTS.forEach((n) => kept.see(seen(n, true, true))),
    ],
    [
      'from the old log first, twice in part, and then from the new one',
      (kept: StoredPositions) => {
        EVENTS.slice(0, 2).forEach((n) => kept.see(seen(n, true, true)));
        [3, 4, 3, 4, 5].forEach((n) => kept.see(seen(n, true, false)));
        EVENTS.forEach((n) => kept.see(seen(n, false, true)));
      },
    ],
  ])('become the place of the last event behind them, learned %s', async (_how, learn) => {
    const database = await createTestDatabase('migrated');
    const connection = new pg.Client({ connectionString: database.url });
    await connection.connect();
    try {
      await connection.query(
        'insert into letters.checkpoint (commit_position, prepare_position, events) values (25, 25, 9)',
      );
      for (const [old] of WANTED) {
        await connection.query(
          `insert into follower_state (name, state, since, reason, position) values ($1, 'retrying', now(), 'x', $2)`,
          [`at ${old}`, old.toString()],
        );
      }
      const kept = await StoredPositions.load(connection);
      learn(kept);
      await kept.write(connection, at(5000n));
      const { rows } = await connection.query(
        'select name, position::text from follower_state order by name',
      );
      expect(rows).toEqual(
        WANTED.map(([old, now]) => ({ name: `at ${old}`, position: now.toString() })).toSorted((a, b) =>
          a.name < b.name ? -1 : 1,
        ),
      );
      const letters = await connection.query(
        'select commit_position::text as at, prepare_position::text as prepared, events::text from letters.checkpoint',
      );
      expect(letters.rows).toEqual([{ at: '2000', prepared: '1999', events: '9' }]);
    } finally {
      await connection.end();
      await database.drop();
    }
  });
});
