import type { CategoryName } from '#contracts/event-log/categories.js';
import type { Database } from '#platform/database/database.js';
import { EventLog, type LogPosition, type LoggedEvent } from '#platform/event-log/event-log.js';
import { LogIdentity } from '#platform/event-log/log-identity.js';
import type { ResilientEventStoreClient } from '#platform/event-log/resilient-event-store-client.js';
import { READ_MODEL } from '#platform/database/read-model.js';

/** A log that others have written to before: for whoever asks for all of it, it begins here. */
export class LogFromHere extends EventLog {
  constructor(
    client: ResilientEventStoreClient,
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
  client: ResilientEventStoreClient,
  database: Database,
): Promise<LogPosition | undefined> {
  await new LogIdentity(database).prove(client, undefined);
  const here = await new EventLog(client).end();
  if (here) {
    await database.query(`update ${READ_MODEL}.checkpoint set commit_position = $1, prepare_position = $2`, [
      here.commit.toString(),
      here.prepare.toString(),
    ]);
  }
  return here;
}
