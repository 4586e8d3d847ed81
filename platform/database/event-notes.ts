import { z } from 'zod';
import type { Queryable } from './database.js';
import { queryRows } from './query-rows.js';

/** What persons said in words of events, by the events' ids, as far as it was not erased. */
export async function eventNotes(database: Queryable, eventIds: string[]): Promise<Map<string, string>> {
  const rows = await queryRows(
    database,
    z.object({ id: z.string(), note: z.string() }),
    'select event_id as id, note from event_note where event_id = any($1::uuid[])',
    [eventIds],
  );
  return new Map(rows.map(({ id, note }) => [id, note]));
}
