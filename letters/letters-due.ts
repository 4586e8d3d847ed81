import { z } from 'zod';
import type { Queryable } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';

const lettersDueSchema = z.object({
  /** How many there are. */
  due: z.int(),
  /** Age of the oldest one's cause, in whole seconds; 0 when there is none. */
  oldestSeconds: z.int(),
});
export type LettersDue = z.output<typeof lettersDueSchema>;

/** The letters that the ledger shows as due: requested, and neither sent nor dropped. */
export async function lettersDue(database: Queryable): Promise<LettersDue> {
  const row = await queryRow(
    database,
    lettersDueSchema,
    `select count(*)::integer as due,
       greatest(0, coalesce(extract(epoch from now() - min(caused_at)), 0))::integer as "oldestSeconds"
     from letters.letter where settled_at is null and state in ('waiting', 'sending')`,
  );
  return row ?? { due: 0, oldestSeconds: 0 };
}
