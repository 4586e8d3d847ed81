import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { readerEditSchema, type ReaderEdit } from '#contracts/accounts/account-requests.js';
import type { Reader } from '#contracts/accounts/account-views.js';
import { DomainError } from '#contracts/domain-error.js';
import { inTransaction, type Database } from '#platform/database/database.js';
import { CHANNELS } from '#platform/database/notifications.js';
import { DATABASE } from '#platform/tokens.js';
import { checkedPersonFields } from './person-rules.js';
import { READER_COLUMNS, readerView, type ReaderRow } from './reader-view.js';
import { noSuchAccount } from './readers.queries.js';

/** A change of a reader's eight fields as the server takes it, by the rules that hold at registration. */
export const checkedReaderEditSchema = readerEditSchema.extend(checkedPersonFields);

/** Changes a reader's personal details and address. Gives the reader as saved. */
export class EditReader extends Command<Reader> {
  constructor(
    readonly accountId: string,
    readonly edit: ReaderEdit,
  ) {
    super();
  }
}

@CommandHandler(EditReader)
export class EditReaderHandler implements ICommandHandler<EditReader> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** @throws DomainError `NotFound`; `EditedMeanwhile` when the account is no longer at the version that was edited */
  async execute({ accountId, edit }: EditReader): Promise<Reader> {
    return inTransaction(this.database, async (transaction) => {
      const before = await transaction.query<{ fullname: string; version: number }>(
        'select fullname, version from account where id = $1 for update',
        [accountId],
      );
      const [found] = before.rows;
      if (!found) throw noSuchAccount();
      if (edit.version !== undefined && edit.version !== found.version) {
        throw new DomainError(
          'EditedMeanwhile',
          'This reader was changed in the meantime. Please look at the present details and change them again.',
        );
      }
      const saved = await transaction.query<ReaderRow>(
        `update account set firstname = $2, lastname = $3, date_of_birth = $4, gender = $5, country = $6,
           city = $7, adress = $8, postal_code = $9, version = version + 1
         where id = $1 returning ${READER_COLUMNS}`,
        [
          accountId,
          edit.firstname,
          edit.lastname,
          edit.dateOfBirth,
          edit.gender,
          edit.country,
          edit.city,
          edit.adress,
          edit.postalCode,
        ],
      );
      const [account] = saved.rows;
      if (!account) throw noSuchAccount();
      // The borrows' lists show the name. Told on commit, as all notifications are.
      if (account.fullname !== found.fullname) {
        await transaction.query('select pg_notify($1, $2)', [CHANNELS.readers, accountId]);
      }
      return readerView(account);
    });
  }
}
