import { z } from 'zod';
import { outcomeSchema, type Harvest, type SourceOutcome } from '#contracts/catalogue/book-sources.js';
import type { Queryable } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import type { AnsweredRecord } from './xml-answer.js';

const harvestRow = z.object({
  source_id: z.uuid(),
  since: z.string().nullable(),
  began_at: z.date(),
  ended_at: z.date().nullable(),
  outcome: outcomeSchema.nullable(),
  detail: z.string(),
  records: z.int(),
  deleted: z.int(),
  import_id: z.uuid().nullable(),
});
type HarvestRow = z.output<typeof harvestRow>;

/** How each set was followed last. */
export const harvestsNow = (database: Queryable): Promise<HarvestRow[]> =>
  queryRows(
    database,
    harvestRow,
    'select source_id, since, began_at, ended_at, outcome, detail, records, deleted, import_id from harvest',
  );

export const viewOfHarvest = (row: HarvestRow): Harvest => ({
  ...{ sourceId: row.source_id, outcome: row.outcome, detail: row.detail, importId: row.import_id },
  ...{ beganAt: row.began_at.toISOString(), endedAt: row.ended_at?.toISOString() ?? null },
  ...{ records: row.records, deleted: row.deleted },
});

/** @returns whether nobody follows it already. Where its process was killed, it comes no further. */
export async function beginHarvest(database: Queryable, sourceId: string, now: Date): Promise<boolean> {
  const { rowCount } = await database.query(
    `insert into harvest as h (source_id, began_at, touched_at, detail, records, deleted) values ($1, $2, now(), '', 0, 0)
     on conflict (source_id) do update set began_at = excluded.began_at, touched_at = now(), ended_at = null, outcome = null,
       detail = '', records = 0, deleted = 0, import_id = null
     where h.ended_at is not null or h.touched_at < now() - interval '20 minutes'`,
    [sourceId, now],
  );
  return rowCount === 1;
}

export async function noteHarvested(
  database: Queryable,
  sourceId: string,
  records: readonly AnsweredRecord[],
): Promise<void> {
  await database.query(
    'update harvest set records = records + $2, deleted = deleted + $3, touched_at = now() where source_id = $1',
    [sourceId, records.length, records.filter(({ isDeleted }) => isDeleted).length],
  );
}

/** What came of it. Only one that went well says from which day on is asked next. */
export async function endHarvest(
  database: Queryable,
  sourceId: string,
  now: Date,
  end: { since: string; importId: string | null } | { outcome: SourceOutcome; detail: string },
): Promise<void> {
  const { since, importId, outcome, detail } = {
    since: null,
    importId: null,
    outcome: null,
    detail: '',
    ...end,
  };
  await database.query(
    `update harvest set ended_at = $2, since = coalesce($3, since), import_id = $4, outcome = $5, detail = $6
     where source_id = $1`,
    [sourceId, now, since, importId, outcome, detail],
  );
}
