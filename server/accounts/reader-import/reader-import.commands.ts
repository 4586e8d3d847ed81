import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { inviteReaders, ReaderImport, SettledReader } from '#contracts/accounts/reader-import.js';
import { localDay } from '#contracts/local-day.js';
import { requestAccountLetter } from '#letters/notification-request.js';
import { Clock } from '#platform/clock.js';
import { inTransaction, type Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import { DATABASE } from '#platform/tokens.js';
import type { Asked } from '../../http/serves.js';
import { busy } from '../../imports/staged-imports.js';
import { settle } from './matched-rows.js';
import { beginInviting, READER_IMPORTS, UNINVITED } from './reader-imports.js';

/** What an admin does with a file of readers that was read. */
@Injectable()
export class ReaderImportCommands {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly clock: Clock,
    private readonly timeZone: LibraryTimeZone,
  ) {}

  /**
   * Says whose an unsure row is.
   * @throws DomainError ImportNotFound, ImportBusy
   */
  settle(id: string, place: number, accountId: SettledReader): Promise<ReaderImport> {
    const today = localDay(this.clock.now().getTime(), this.timeZone.name);
    return READER_IMPORTS.change(this.database, id, (connection) =>
      settle(connection, id, place, accountId, today),
    );
  }

  /** @throws DomainError ImportNotFound; ImportBusy before it is done */
  async invite(
    id: string,
    { state, perHour, from }: Asked<typeof inviteReaders>['body'],
  ): Promise<ReaderImport> {
    const { invitations } = await READER_IMPORTS.read(this.database, id);
    const begins = from ?? invitations.from;
    const at = begins === null ? this.clock.now() : new Date(begins);
    if (!(await beginInviting(this.database, id, perHour, at, state))) throw busy();
    return READER_IMPORTS.read(this.database, id);
  }
}

const invitingRow = z.object({ id: z.string(), per_hour: z.int() });
const accountRow = z.object({ account_id: z.string() });

/** Looks a minute, in which an hour's letters go out evenly. */
export const ROUNDS_AN_HOUR = 60;

/**
 * Asks for the next letters of every import whose readers are invited: together with saying so, so that none is asked for twice,
 * whoever dies.
 * @returns how many
 */
export async function inviteNext(database: Database, now: Date): Promise<number> {
  const inviting = await queryRows(
    database,
    invitingRow,
    `select id, per_hour from reader_import where invitations = 'running' and invite_from <= $1`,
    [now],
  );
  let invited = 0;
  for (const { id, per_hour } of inviting) {
    invited += await inTransaction(database, async (connection) => {
      // Of two processes the second waits, and counts what the first has asked for.
      const since = new Date(now.getTime() - 3_600_000);
      await connection.query('select from reader_import where id = $1 for update', [id]);
      const accounts = await queryRows(
        connection,
        accountRow,
        `update reader_invitation set asked_at = $2 where account_id in (
           select v.account_id from reader_invitation v join account a on a.id = v.account_id
           where v.import_id = $1 and ${UNINVITED} order by v.account_id
           limit greatest(0, least($4, $5 - (
             select count(*) from reader_invitation where import_id = $1 and asked_at > $3)))
           for update of v) returning account_id`,
        [id, now, since, Math.ceil(per_hour / ROUNDS_AN_HOUR), per_hour],
      );
      for (const { account_id: accountId } of accounts)
        await requestAccountLetter(
          connection,
          'invitation',
          { accountId },
          id,
          `invitation ${id} ${accountId}`,
        );
      return accounts.length;
    });
  }
  return invited;
}
