import { SEARCH_RETENTION_DAYS } from '#contracts/catalogue/search-report.js';
import type { Queryable } from '#platform/database/database.js';

/** Texts that are kept: of more, those that were searched for least and longest ago go. */
export const MAX_KEPT = 20_000;
const DAY = 24 * 3_600_000;

/** Deletes what was not searched for in a long time, and the least of too many. @returns how many */
export async function forgetSearches(database: Queryable, now: Date): Promise<number> {
  const { rowCount } = await database.query(
    `delete from search_without_result where last_at < $1 or digest in (
       select digest from search_without_result order by times desc, last_at desc, digest offset $2)`,
    [new Date(now.getTime() - SEARCH_RETENTION_DAYS * DAY), MAX_KEPT],
  );
  return rowCount ?? 0;
}
