import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { roleSchema, type Reader, type Role } from '#contracts/accounts/account-views.js';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import { inTransaction, type Connection, type Database } from '#platform/database/database.js';
import { LOCKS } from '#platform/database/locks.js';
import { CHANNELS } from '#platform/database/notifications.js';
import { DATABASE } from '#platform/tokens.js';
import { AccountCache } from './account-cache.js';
import { READER_COLUMNS, readerView, type ReaderRow } from './reader-view.js';
import { noSuchAccount } from './readers.queries.js';

/**
 * Gives an account these roles and no others, but everybody stays a reader. They hold from its next call, also in
 * sessions already begun, and who gave and took them is recorded. Gives the account as it is then.
 */
export class SetRoles extends Command<Reader> {
  /** @param by the admin who does it */
  constructor(
    readonly accountId: string,
    readonly roles: Role[],
    readonly by: string,
  ) {
    super();
  }
}

@CommandHandler(SetRoles)
export class SetRolesHandler implements ICommandHandler<SetRoles> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly clock: Clock,
    private readonly cache: AccountCache,
  ) {}

  /**
   * @throws DomainError `NotFound`; `NotAllowed` when who does it has just lost the role himself; `LastAdmin` when
   * nobody would be left who may give roles
   */
  async execute({ accountId, roles, by }: SetRoles): Promise<Reader> {
    const wanted = roleSchema.options.filter((role) => role === 'Reader' || roles.includes(role));
    const reader = await inTransaction(this.database, async (transaction) => {
      // One after the other: two admins who remove each other would otherwise both see the other one remain.
      await transaction.query('select pg_advisory_xact_lock($1)', [LOCKS.roles]);
      const { rows } = await transaction.query<ReaderRow>(
        `select ${READER_COLUMNS} from account where id = $1 for update`,
        [accountId],
      );
      const [account] = rows;
      if (!account) throw noSuchAccount();
      const given = wanted.filter((role) => !account.roles.includes(role));
      const taken = account.roles.filter((role) => !wanted.includes(role));
      if (taken.includes('Admin')) await refuseTheLast(transaction, accountId);
      await refuseWhoIsNoAdmin(transaction, by);
      if (given.length + taken.length === 0) return readerView(account);
      await transaction.query(
        'insert into role_change (account_id, changed_by, given, taken, at) values ($1, $2, $3, $4, $5)',
        [accountId, by, given, taken, this.clock.now()],
      );
      const saved = await transaction.query<ReaderRow>(
        `update account set roles = $2, version = version + 1 where id = $1 returning ${READER_COLUMNS}`,
        [accountId, wanted],
      );
      await transaction.query('select pg_notify($1, $2)', [CHANNELS.accounts, accountId]);
      return readerView(saved.rows[0] ?? account);
    });
    this.cache.forget(accountId);
    return reader;
  }
}

/** Who has not confirmed his address cannot sign in, and is no admin to count on. */
async function refuseTheLast(transaction: Connection, accountId: string): Promise<void> {
  const { rowCount } = await transaction.query(
    `select 1 from account where 'Admin' = any(roles) and email_confirmed and id <> $1 limit 1`,
    [accountId],
  );
  if (rowCount === 0) {
    throw new DomainError(
      'LastAdmin',
      'This is the last admin. Please give somebody else the role first, or nobody could give it any more.',
    );
  }
}

async function refuseWhoIsNoAdmin(transaction: Connection, by: string): Promise<void> {
  const { rowCount } = await transaction.query(
    `select 1 from account where id = $1 and 'Admin' = any(roles)`,
    [by],
  );
  if (rowCount === 0) throw new DomainError('NotAllowed', 'Your account may not do this.');
}
