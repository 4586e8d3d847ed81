import type { EventStoreDBClient } from '@eventstore/db-client';
import type { Database } from '#platform/database/database.js';
import { LogIdentity } from '#platform/event-log/log-identity.js';
import { BorrowLog, type LogPosition, type StoredBorrowEvent } from '#platform/event-log/borrow-log.js';

/** A log that others have written to before: for whoever asks for all of it, it begins here. */
export class LogFromHere extends BorrowLog {
  constructor(
    client: EventStoreDBClient,
    private readonly here: LogPosition | undefined,
  ) {
    super(client);
  }

  override follow(
    after: LogPosition | undefined,
    ...rest: [signal: AbortSignal, onOpen?: () => void]
  ): AsyncGenerator<StoredBorrowEvent> {
    return super.follow(after ?? this.here, ...rest);
  }
}

/** Lets the lists of a new database begin where the log ends now. */
export async function beginHere(
  client: EventStoreDBClient,
  database: Database,
): Promise<LogPosition | undefined> {
  await new LogIdentity(client, database).admit();
  const here = await new BorrowLog(client).end();
  if (here) {
    await database.query('update read_model.checkpoint set commit_position = $1, prepare_position = $2', [
      here.commit.toString(),
      here.prepare.toString(),
    ]);
  }
  return here;
}
