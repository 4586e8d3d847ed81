import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { decide } from '#borrowing/borrow.decider.js';
import { BORROW_POLICY, borrowRules } from '#borrowing/borrow.policy.js';
import { SystemClock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import { EventLog } from '#platform/event-log/event-log.js';
import { eventStoreClient } from '#platform/event-log/open-event-store.js';
import { ReaderStreams } from '../../server/borrowing/reader-streams.js';
import { caller, makeAccount, makeBook } from '../../test-support/product.js';
import { FeePayer } from './fee-payer.js';
import type { Random } from './random.js';

/** Where a product is open, and what lies behind it. */
export interface Site {
  url: string;
  secret: string;
  eventStoreUrl: string;
  database: Database;
}

/**
 * Readers with a book that is late, which nobody has charged yet.
 * @param lateBy milliseconds since the book had been out for as long as it may
 */
export async function latePayers(
  { url, secret, eventStoreUrl, database }: Site,
  count: number,
  lateBy: number,
  random: Random,
): Promise<FeePayer[]> {
  const client = eventStoreClient(eventStoreUrl);
  const streams = new ReaderStreams(new EventLog(client));
  const payers: FeePayer[] = [];
  try {
    for (let number = 0; number < count; number += 1) {
      const person = await makeAccount(url, secret, database, new SystemClock(), ['Reader']);
      const bookIds = [await makeBook(database, 1, `Book ${number}`)];
      const rented = await caller(url, person.token).post('Borrow/rent-books', { bookIds });
      const { borrowId } = rented.body as { borrowId: string };
      const issue = {
        type: 'IssueBooks' as const,
        borrowId,
        bookIds,
        librarianId: randomUUID(),
        at: new Date(Date.now() - BORROW_POLICY.loanDays * 24 * 3_600_000 - lateBy).toISOString(),
      };
      const context = { actor: issue.librarianId, correlationId: randomUUID() };
      const identity = commandIdentity(randomUUID(), context.actor, issue.type, issue);
      await streams.execute(person.pseudonym, { ...context, ...identity }, (state) =>
        decide(state, issue, borrowRules('UTC')),
      );
      const account = await queryRow(
        database,
        z.object({ email: z.string() }),
        'select email from account where id = $1',
        [person.id],
      );
      payers.push(new FeePayer(person, borrowId, account?.email ?? '', random));
    }
    return payers;
  } finally {
    await client.dispose();
  }
}
