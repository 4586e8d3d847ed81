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

/** What a person says in words of an event. */
export interface EventNote {
  eventId: string;
  note: string;
  /** Whose event it is, and whose words they are, by their pseudonyms: the note goes with either account. */
  about: string;
  writtenBy: string;
}

/** @returns false, and changes nothing, if the event has a note already */
export async function addEventNote(
  database: Queryable,
  { eventId, note, about, writtenBy }: EventNote,
): Promise<boolean> {
  const { rowCount } = await database.query(
    `insert into event_note (event_id, note, about, written_by)
     values ($1, $2, (select pseudonym from account where pseudonym = $3), $4)
     on conflict (event_id) do nothing`,
    [eventId, note, about, writtenBy],
  );
  return rowCount === 1;
}

export async function removeEventNote(database: Queryable, eventId: string): Promise<void> {
  await database.query('delete from event_note where event_id = $1', [eventId]);
}
