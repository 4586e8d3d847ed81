import { z } from 'zod';
import {
  levelSchema,
  partFactsSchema,
  partSchema,
  reasonSchema,
  type Part,
} from '#contracts/dashboard/system-status.js';
import type { Queryable } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import type { PartState } from './part-state.js';

const time = z.date().transform((date) => date.getTime());

const tidingsSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('red'), since: z.number() }),
  z.object({
    kind: z.literal('well'),
    since: z.number(),
    until: z.number(),
    reason: reasonSchema.nullable(),
  }),
]);

const partRow = z.object({
  part: z.string(),
  level: levelSchema,
  // Of a newer release, perhaps.
  reason: reasonSchema.nullable().catch(null),
  facts: partFactsSchema,
  since: time,
  seen: time,
  incident: z
    .object({
      since: z.number(),
      countsFrom: z.number(),
      wellSince: z.number().nullable(),
      told: z.boolean(),
      reason: reasonSchema.nullable().catch(null),
    })
    .nullable(),
  owed: tidingsSchema.nullable(),
  told: z.array(time),
});

/** How each part was when it was last looked at. */
export async function storedParts(database: Queryable): Promise<Map<Part, PartState>> {
  const rows = await queryRows(
    database,
    partRow,
    'select part, level, reason, facts, since, seen, incident, owed, told from part_state',
  );
  return new Map(
    rows.flatMap(({ part, ...state }) => {
      const known = partSchema.safeParse(part);
      return known.success ? [[known.data, state] as const] : [];
    }),
  );
}

/** Stores how the parts are, in place of what was stored; parts that are not among them are gone. */
export async function storeParts(transaction: Queryable, parts: ReadonlyMap<Part, PartState>): Promise<void> {
  await transaction.query('delete from part_state where not part = any($1)', [[...parts.keys()]]);
  for (const [part, { level, reason, facts, since, seen, incident, owed, told }] of parts) {
    await transaction.query(
      `insert into part_state (part, level, reason, facts, since, seen, incident, owed, told)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       on conflict (part) do update set (level, reason, facts, since, seen, incident, owed, told) =
         row(excluded.level, excluded.reason, excluded.facts, excluded.since, excluded.seen, excluded.incident,
           excluded.owed, excluded.told)`,
      [
        ...[part, level, reason, JSON.stringify(facts), new Date(since), new Date(seen)],
        ...[incident && JSON.stringify(incident), owed && JSON.stringify(owed)],
        told.map((each) => new Date(each)),
      ],
    );
  }
}
