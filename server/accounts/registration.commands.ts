import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RegisterBody } from '#contracts/accounts/account-requests.js';
import { Clock } from '#platform/clock.js';
import { inTransaction, type Database } from '#platform/database/database.js';
import { writeToOutbox } from '#platform/jobs/outbox.js';
import { DATABASE } from '#platform/tokens.js';
import { correlationId } from '../http/correlation.js';
import { createAccount } from './create-account.js';
import { useLinkToken } from './one-time-links.js';
import { hashPassword } from './passwords.js';

/** Opens an account for a reader, who then confirms his e-mail address. Gives the account's id. */
export class RegisterReader extends Command<string> {
  constructor(readonly registration: RegisterBody) {
    super();
  }
}

@CommandHandler(RegisterReader)
export class RegisterReaderHandler implements ICommandHandler<RegisterReader> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError `UsernameTaken` or `EmailTaken` */
  async execute({ registration }: RegisterReader): Promise<string> {
    const { password, confirmPassword: _confirmed, ...person } = registration;
    const passwordHash = await hashPassword(password);
    return inTransaction(this.database, async (transaction) => {
      const accountId = await createAccount(
        transaction,
        { ...person, passwordHash, roles: ['Reader'], emailConfirmed: false },
        this.clock.now(),
      );
      await writeToOutbox(transaction, 'mail', 'confirm-email', { accountId }, correlationId());
      return accountId;
    });
  }
}

/** Confirms an account's e-mail address by the link that was mailed to it. */
export class ConfirmEmail extends Command<void> {
  constructor(
    readonly accountId: string,
    readonly token: string,
  ) {
    super();
  }
}

@CommandHandler(ConfirmEmail)
export class ConfirmEmailHandler implements ICommandHandler<ConfirmEmail> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError `LinkInvalid` */
  async execute({ accountId, token }: ConfirmEmail): Promise<void> {
    await inTransaction(this.database, async (transaction) => {
      const link = await useLinkToken(transaction, accountId, 'confirm-email', token, this.clock.now());
      if (link === 'used before') return;
      await transaction.query(
        'update account set email_confirmed = true, version = version + 1 where id = $1 and not email_confirmed',
        [accountId],
      );
    });
  }
}

/** Mails the link again, where that name's account still waits for it; otherwise does nothing. */
export class ResendConfirmation extends Command<void> {
  constructor(readonly username: string) {
    super();
  }
}

@CommandHandler(ResendConfirmation)
export class ResendConfirmationHandler implements ICommandHandler<ResendConfirmation> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ username }: ResendConfirmation): Promise<void> {
    await inTransaction(this.database, async (transaction) => {
      const { rows } = await transaction.query<{ id: string }>(
        'select id from account where lower(username) = lower($1) and not email_confirmed',
        [username],
      );
      const [account] = rows;
      if (!account) return;
      await writeToOutbox(transaction, 'mail', 'confirm-email', { accountId: account.id }, correlationId());
    });
  }
}
