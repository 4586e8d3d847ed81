import type { EventStoreDBClient } from '@eventstore/db-client';
import type { CategoryName } from '#contracts/event-log/categories.js';
import type { Database } from '#platform/database/database.js';
import { EventLog, type LogPosition, type LoggedEvent } from '#platform/event-log/event-log.js';
import { LogIdentity } from '#platform/event-log/log-identity.js';
import { READ_MODEL } from '#platform/database/read-model.js';

/** A log that others have written to before: for whoever asks for all of it, it begins here. */
export class LogFromHere extends EventLog {
  constructor(
    client: EventStoreDBClient,
    private readonly here: LogPosition | undefined,
  ) {
    super(client);
  }

  override followRecorded(
    categories: readonly CategoryName[],
    after: LogPosition | undefined,
    ...rest: [signal: AbortSignal, onOpen?: () => void]
  ): AsyncGenerator<LoggedEvent[]> {
    return super.followRecorded(categories, after ?? this.here, ...rest);
  }
}

/** Lets the lists of a new database begin where the log ends now. */
export async function beginHere(
  client: EventStoreDBClient,
  database: Database,
): Promise<LogPosition | undefined> {
  await new LogIdentity(client, database).admit();
  const here = await new EventLog(client).end();
  if (here) {
    await database.query(`update ${READ_MODEL}.checkpoint set commit_position = $1, prepare_position = $2`, [
      here.commit.toString(),
      here.prepare.toString(),
    ]);
  }
  return here;
}
