import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import type { Reader } from '#contracts/accounts/account-views.js';
import type { ReaderEdit } from '#contracts/accounts/readers.js';
import { DomainError } from '#contracts/domain-error.js';
import { inTransaction } from '#platform/database/database.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { CHANNELS, Notifications, notify } from '#platform/database/notifications.js';
import { RequestInvalid } from '../../http/validation.js';
import { accountNotFound, readerView } from '../reader-view.js';

/** Changes a reader's personal details and address, and by an admin their kind. Returns the reader as saved. */
export class EditReader extends Command<Reader> {
  constructor(
    readonly accountId: string,
    readonly edit: ReaderEdit,
    readonly byAdmin: boolean,
  ) {
    super();
  }
}

@CommandHandler(EditReader)
export class EditReaderHandler implements ICommandHandler<EditReader> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly notifications: Notifications,
  ) {}

  /**
   * @throws DomainError `NotFound`; `EditedMeanwhile` if the account is no longer at the edited version
   * @throws RequestInvalid where somebody who is no admin chooses another kind of reader
   */
  async execute({ accountId, edit, byAdmin }: EditReader): Promise<Reader> {
    const { reader, ofOtherKind } = await this.save(accountId, edit, byAdmin);
    // This process does not wait for its own word: what comes next here is decided for the kind that they are now.
    if (ofOtherKind !== undefined) this.notifications.emit('readerKinds', ofOtherKind);
    return reader;
  }

  private save(
    accountId: string,
    edit: ReaderEdit,
    byAdmin: boolean,
  ): Promise<{ reader: Reader; ofOtherKind: string | undefined }> {
    return inTransaction(this.dataSource, async (manager) => {
      const account = await manager.findOne(AccountEntity, {
        where: { id: accountId },
        lock: { mode: 'pessimistic_write' },
      });
      if (!account) throw accountNotFound();
      const { version, kind = account.kind, ...person } = edit;
      if (version !== undefined && version !== account.version) {
        throw new DomainError(
          'EditedMeanwhile',
          'This reader was changed in the meantime. Please look at the present details and change them again.',
        );
      }
      const isOfOtherKind = kind !== account.kind;
      if (isOfOtherKind && !byAdmin) {
        throw new RequestInvalid({ kind: ['What kind of reader somebody is, the library decides.'] });
      }
      const details = { ...person, kind };
      const { fullname, pseudonym } = account;
      Object.assign(account, details);
      await manager.createQueryBuilder().update(AccountEntity).set(details).whereEntity(account).execute();
      // Lists of borrows show the name. Sent on commit, as all notifications are.
      if (account.fullname !== fullname) await notify(manager, CHANNELS.readers, accountId);
      if (isOfOtherKind) await notify(manager, CHANNELS.readerKinds, pseudonym);
      return { reader: readerView(account), ofOtherKind: isOfOtherKind ? pseudonym : undefined };
    });
  }
}
