import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { z } from 'zod';
import { BORROW_EVENTS, borrowStream } from '#contracts/borrowing/borrow-events.js';
import { queryRow } from '#platform/database/query-rows.js';
import { ANY_LOG } from '#platform/event-log/log-proof.js';
import { eventStoreClient } from '#platform/event-log/open-event-store.js';
import { lettersDue } from '#letters/due-letter.js';
import { VISIT_LETTER } from '#letters/notification-request.js';
import { appendHistory, closedHistory } from './borrow-histories.js';
import type { Person } from './library-people.js';
import type { ProductProcess } from './product-process.js';
import { READ_MODEL } from '#platform/database/read-model.js';

const LOOK_EVERY_MS = 100;

async function places(database: pg.Pool): Promise<{ rows: bigint; letters: bigint }> {
  const row = await queryRow(
    database,
    z.object({ rows: z.coerce.bigint(), letters: z.coerce.bigint() }),
    `select r.commit_position as rows, l.commit_position as letters
     from ${READ_MODEL}.checkpoint r, letters.checkpoint l`,
  );
  if (!row) throw new Error('There are no checkpoints.');
  return row;
}

/** How many letters have been sent. */
export async function lettersSent(database: pg.Pool): Promise<number> {
  const row = await queryRow(
    database,
    z.object({ sent: z.int() }),
    `select count(*)::integer as sent from letters.letter where state = 'sent'`,
  );
  return row?.sent ?? 0;
}

/** Waits until every event has its letter, and every letter is sent. @returns the seconds that it took */
export async function lettersDone(database: pg.Pool): Promise<number> {
  const began = performance.now();
  for (;;) {
    const { rows, letters } = await places(database);
    if (letters >= rows && (await lettersDue(database)).due === 0) return (performance.now() - began) / 1000;
    await sleep(LOOK_EVERY_MS);
  }
}

/**
 * Gives a reader a history, as if its letters had been sent long ago.
 * @returns how many events it has
 */
export async function giveHistory(
  product: ProductProcess,
  database: pg.Pool,
  { pseudonym }: Person,
  count: number,
  books: readonly number[],
): Promise<number> {
  const events = closedHistory(pseudonym, count, books);
  const about = events.flatMap(({ id, type, data }) => {
    // Each of its visits may begin with any event of theirs.
    const kind = BORROW_EVENTS[type as keyof typeof BORROW_EVENTS].letter ?? VISIT_LETTER;
    return [{ cause: id, kind, borrow_id: (data as { borrowId: string }).borrowId }];
  });
  await database.query(
    `insert into letters.letter (cause, queue, kind, account_id, borrow_id, caused_at, state, settled_at, data)
     select cause, 'letters', kind, $2, borrow_id, now(), 'sent', now(),
       case kind when '${VISIT_LETTER}' then jsonb_build_object('until', $3::integer) end
     from jsonb_to_recordset($1::jsonb) as t (cause text, kind text, borrow_id uuid)`,
    [JSON.stringify(about), pseudonym, events.length - 1],
  );
  const client = eventStoreClient(product.eventStoreUrl, ANY_LOG, { batched: true });
  try {
    await appendHistory(client, pseudonym, events);
    const { rows } = await database.query<{ end: string }>(
      `select max(position) as end from eventstore.event where stream = $1`,
      [borrowStream(pseudonym)],
    );
    while ((await places(database)).rows < BigInt(rows[0]?.end ?? 0)) await sleep(LOOK_EVERY_MS);
    return events.length;
  } finally {
    await client.dispose();
  }
}
