import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { readerEditSchema, type ReaderEdit } from '#contracts/accounts/account-requests.js';
import type { Reader } from '#contracts/accounts/account-views.js';
import { DomainError } from '#contracts/domain-error.js';
import { inTransaction } from '#platform/database/database.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { CHANNELS, notify } from '#platform/database/notifications.js';
import { checkedPersonFields } from '../person-rules.js';
import { noSuchAccount, readerView } from '../reader-view.js';

/** A change of a reader's eight fields, validated as at registration. */
export const checkedReaderEditSchema = readerEditSchema.extend(checkedPersonFields);

/** Changes a reader's personal details and address. Returns the reader as saved. */
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
  constructor(private readonly dataSource: DataSource) {}

  /** @throws DomainError `NotFound`; `EditedMeanwhile` if the account is no longer at the edited version */
  async execute({ accountId, edit }: EditReader): Promise<Reader> {
    return inTransaction(this.dataSource, async (manager) => {
      const account = await manager.findOne(AccountEntity, {
        where: { id: accountId },
        lock: { mode: 'pessimistic_write' },
      });
      if (!account) throw noSuchAccount();
      const { version, ...details } = edit;
      if (version !== undefined && version !== account.version) {
        throw new DomainError(
          'EditedMeanwhile',
          'This reader was changed in the meantime. Please look at the present details and change them again.',
        );
      }
      const { fullname } = account;
      Object.assign(account, details);
      await manager.createQueryBuilder().update(AccountEntity).set(details).whereEntity(account).execute();
      // Lists of borrows show the name. Sent on commit, as all notifications are.
      if (account.fullname !== fullname) await notify(manager, CHANNELS.readers, accountId);
      return readerView(account);
    });
  }
}
