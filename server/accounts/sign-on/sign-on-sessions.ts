import { z } from 'zod';
import type { Queryable } from '#platform/database/database.js';
import { CHANNELS } from '#platform/database/notifications.js';
import { queryRows } from '#platform/database/query-rows.js';

const endedRow = z.object({ accountId: z.string() });

/**
 * Ends sessions that were begun at providers, with those that still want their second factor; all processes are notified on
 * commit.
 * @param which of them, in SQL; its first parameter is `$2`
 * @returns whose they were
 */
export async function endSignOnSessions(
  connection: Queryable,
  which: string,
  values: readonly unknown[],
): Promise<string[]> {
  const ended = await queryRows(
    connection,
    endedRow,
    `with unfinished as (delete from ticket where ${which}),
       ended as (delete from session where ${which} returning account_id)
     select account_id as "accountId", pg_notify($1, account_id::text)
     from (select distinct account_id from ended)`,
    [CHANNELS.accounts, ...values],
  );
  return ended.map(({ accountId }) => accountId);
}
