import { randomUUID } from 'node:crypto';
import { decide } from '#circulation/borrow/borrow.decider.js';
import { borrowRules } from '#circulation/rules/borrow.policy.js';
import type { Database } from '#platform/database/database.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import { EventLog } from '#platform/event-log/event-log.js';
import { ANY_LOG } from '#platform/event-log/log-proof.js';
import { eventStoreClient } from '#platform/event-log/open-event-store.js';
import { ReaderStreams } from '../../server/borrowing/streams/reader-streams.js';
import { makeBook } from '../../test-support/product/make-book.js';
import { makeAccount, type Site, type TestAccount } from '../../test-support/product/product.js';

/** A product with a past: what lies behind it is written to directly. */
export interface SiteWithPast extends Site {
  eventStoreUrl: string;
  database: Database;
}

const DAY = 24 * 3_600_000;

/** Gives work the streams of a product, whose tests write what has happened before they began. */
export async function withStreams<Result>(
  { eventStoreUrl }: SiteWithPast,
  work: (streams: ReaderStreams) => Promise<Result>,
): Promise<Result> {
  const client = eventStoreClient(eventStoreUrl, ANY_LOG);
  try {
    return await work(new ReaderStreams(new EventLog(client)));
  } finally {
    await client.dispose();
  }
}

/** Lends a book of their own to somebody, at an instant that has passed. @returns the borrow */
export async function lendAt(
  { database }: SiteWithPast,
  streams: ReaderStreams,
  person: TestAccount,
  title: string,
  at: number,
): Promise<string> {
  const bookIds = [await makeBook(database, 1, title)];
  const rented = await person.post('Borrow/rent-books', { bookIds });
  const { borrowId } = rented.body as { borrowId: string };
  const issue = {
    type: 'IssueBooks' as const,
    ...{ borrowId, bookIds, librarianId: randomUUID() },
    at: new Date(at).toISOString(),
  };
  const context = { actor: issue.librarianId, correlationId: randomUUID() };
  const identity = commandIdentity(randomUUID(), context.actor, issue.type, issue);
  await streams.execute(person.pseudonym, { ...context, ...identity }, (state) =>
    decide(state, issue, borrowRules('UTC')),
  );
  return borrowId;
}

/** Readers with loans of some days ago: to renew one of them gains days. */
export function borrowersSince(
  site: SiteWithPast,
  { readers, loans, days }: { readers: number; loans: number; days: number },
): Promise<TestAccount[]> {
  return withStreams(site, (streams) =>
    Promise.all(
      Array.from({ length: readers }, async (_, number) => {
        const person = await makeAccount(site);
        for (let loan = 0; loan < loans; loan += 1)
          await lendAt(site, streams, person, `Loan ${number}-${loan}`, Date.now() - days * DAY);
        return person;
      }),
    ),
  );
}
