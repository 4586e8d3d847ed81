import { FORWARDS, START } from '@eventstore/db-client';
import { BORROW_STREAM_PREFIX, type BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import type { EventMetadata } from '#contracts/event-entry.js';
import type { Database } from '#platform/database/database.js';
import { READ_MODEL } from '#platform/database/read-model.js';
import { ANY_LOG } from '#platform/event-log/log-proof.js';
import { eventStoreClient } from '#platform/event-log/open-event-store.js';
import { EventLog } from '#platform/event-log/event-log.js';
import { verify } from '../../projections/verify.js';
import { waitFor } from '../../test-support/wait-for.js';
import type { SentCommand } from './sent-command.js';

/** A borrow event as the official client reads it. */
export interface LoggedEvent {
  id: string;
  event: BorrowEvent;
  commandId: string;
  actor: string;
  /** The reader's pseudonym, and its place in their stream. */
  reader: string;
  revision: number;
  position: string;
}

const STORED_BY = {
  RentBooks: 'BooksRented',
  IssueBooks: 'BooksIssued',
  RenewBorrow: 'BorrowRenewed',
  ReturnBooks: 'BooksReturned',
} as const;

/** Every borrow event there is, in the order of the log. */
export async function readLog(eventStoreUrl: string): Promise<LoggedEvent[]> {
  const client = eventStoreClient(eventStoreUrl, ANY_LOG);
  const events: LoggedEvent[] = [];
  try {
    for await (const { event } of client.readAll({ direction: FORWARDS, fromPosition: START })) {
      if (!event?.streamId.startsWith(BORROW_STREAM_PREFIX)) continue;
      const { commandId, actor } = event.metadata as EventMetadata;
      events.push({
        id: event.id,
        event: { type: event.type, data: event.data } as BorrowEvent,
        commandId,
        actor,
        reader: event.streamId.slice(BORROW_STREAM_PREFIX.length),
        revision: Number(event.revision),
        position: String(event.position?.commit),
      });
    }
  } finally {
    await client.dispose();
  }
  return events;
}

/** Waits until no rent is under way and the rows have the whole log, and gives that. */
export async function settledLog(database: Database, eventStoreUrl: string): Promise<LoggedEvent[]> {
  const isTrue = (statement: string, parameters: string[] = []) =>
    waitFor(async () => (await database.query(statement, parameters)).rowCount === 1);
  await isTrue("select where not exists (select from copy_allocation where state = 'pending')");
  const log = await readLog(eventStoreUrl);
  const end = log.at(-1)?.position ?? '-1';
  await isTrue(`select from ${READ_MODEL}.checkpoint where commit_position = $1`, [end]);
  return log;
}

/** What `verify` finds on a database and the event store that belongs to it. */
export async function verifyRows({
  databaseUrl,
  eventStoreUrl,
}: {
  databaseUrl: string;
  eventStoreUrl: string;
}): ReturnType<typeof verify> {
  const client = eventStoreClient(eventStoreUrl, ANY_LOG);
  try {
    return await verify(databaseUrl, new EventLog(client));
  } finally {
    await client.dispose();
  }
}

/**
 * Holds what the clients were told against the log.
 * @returns every difference, as a sentence
 */
export function compareAnswers(commands: readonly SentCommand[], log: readonly LoggedEvent[]): string[] {
  const byCommand = new Map<string, LoggedEvent[]>();
  for (const event of log) byCommand.set(event.commandId, [...(byCommand.get(event.commandId) ?? []), event]);
  const byPosition = new Map(log.map((event) => [event.position, event]));
  const differences: string[] = [];
  for (const command of commands) {
    const stored = byCommand.get(command.commandId) ?? [];
    byCommand.delete(command.commandId);
    const told = (what: string) => differences.push(`${command.type} ${command.key}: ${what}`);
    if (stored.length > 1) told(`${stored.length} events for one key`);
    const [first] = stored;
    if (first && first.event.type !== STORED_BY[command.type]) told(`stored as ${first.event.type}`);
    const different = new Set(command.answers.map((answer) => JSON.stringify(answer)));
    if (different.size > 1) told(`different answers: ${[...different].join(' and ')}`);
    for (const answer of command.answers) {
      if ('refused' in answer) {
        if (first) told(`refused (${answer.refused}) and stored`);
      } else if (!first && command.type === 'RenewBorrow') {
        // Another one has extended this date: it has that one's answer.
        const event = byPosition.get(answer.position)?.event;
        if (event?.type !== 'BorrowRenewed' || event.data.borrowId !== answer.borrowId) {
          told(`acknowledged at ${answer.position}, where the log has no such renewal`);
        }
      } else if (!first) told('acknowledged, and not in the log');
      else if (first.event.data.borrowId !== answer.borrowId || first.position !== answer.position) {
        told(`acknowledged at ${answer.position}, stored at ${first.position}`);
      }
    }
  }
  for (const [commandId, [event]] of byCommand) {
    if (event && event.actor !== 'hold-reconciler') {
      differences.push(`${event.event.type} by command ${commandId}, which nobody sent`);
    }
  }
  return differences;
}

/**
 * The most borrows that had a copy of each book at one moment of the log, and how many have one at its end.
 */
export function holdersOf(log: readonly LoggedEvent[]): Map<number, { most: number; now: number }> {
  const holders = new Map<number, { most: number; now: number }>();
  const open = new Map<string, number[]>();
  for (const { event } of log) {
    if (event.type === 'BooksRented') {
      const books = event.data.books.map(({ bookId }) => bookId);
      open.set(event.data.borrowId, books);
      for (const bookId of books) {
        const { most, now } = holders.get(bookId) ?? { most: 0, now: 0 };
        holders.set(bookId, { most: Math.max(most, now + 1), now: now + 1 });
      }
    } else if (event.type === 'BooksReturned' || event.type === 'BorrowExpired') {
      const { borrowId, bookIds: back } = event.data;
      for (const bookId of back) {
        const { most = 0, now = 0 } = holders.get(bookId) ?? {};
        holders.set(bookId, { most, now: now - 1 });
      }
      open.set(
        borrowId,
        (open.get(borrowId) ?? []).filter((bookId) => !back.includes(bookId)),
      );
    }
  }
  return holders;
}
