import { roleSchema, type Role } from '#contracts/accounts/account-views.js';
import { DomainError } from '#contracts/domain-error.js';
import type { Connection } from '#platform/database/database.js';
import { LOCKS } from '#platform/database/locks.js';
import { CHANNELS } from '#platform/database/notifications.js';
import type { Statements } from '#platform/jobs/outbox.js';
import { READER_COLUMNS, type ReaderRow } from './reader-view.js';
import { noSuchAccount } from './readers.queries.js';

/** Stands in the record of roles for whoever has the command line, and with it may do anything. */
export const COMMAND_LINE = '00000000-0000-0000-0000-000000000000';

export interface RolesChange {
  accountId: string;
  /** The roles that it has from now on, of those that it has; everybody stays a reader. */
  wanted: (present: readonly Role[]) => readonly Role[];
  /** An admin, or `COMMAND_LINE`. */
  by: string;
  at: Date;
}

/**
 * Changes an account's roles and records who did it; told to every process on commit.
 * @returns the account as it is then
 * @throws DomainError `NotFound`; `NotAllowed` when who does it has just lost the role himself; `LastAdmin` when
 * nobody would be left who may give roles
 */
export async function changeRoles(transaction: Connection, change: RolesChange): Promise<ReaderRow> {
  const { accountId, by, at } = change;
  // One after the other: two admins who remove each other would otherwise both see the other one remain.
  await transaction.query('select pg_advisory_xact_lock($1)', [LOCKS.roles]);
  const { rows } = await transaction.query<ReaderRow>(
    `select ${READER_COLUMNS} from account where id = $1 for update`,
    [accountId],
  );
  const [account] = rows;
  if (!account) throw noSuchAccount();
  const asked = change.wanted(account.roles);
  const wanted = roleSchema.options.filter((role) => role === 'Reader' || asked.includes(role));
  const given = wanted.filter((role) => !account.roles.includes(role));
  const taken = account.roles.filter((role) => !wanted.includes(role));
  if (taken.includes('Admin')) await refuseTheLast(transaction, accountId);
  if (by !== COMMAND_LINE) await refuseWhoIsNoAdmin(transaction, by);
  if (given.length + taken.length === 0) return account;
  await recordRoles(transaction, { accountId, by, given, taken, at });
  const saved = await transaction.query<ReaderRow>(
    `update account set roles = $2, version = version + 1 where id = $1 returning ${READER_COLUMNS}`,
    [accountId, wanted],
  );
  await transaction.query('select pg_notify($1, $2)', [CHANNELS.accounts, accountId]);
  return saved.rows[0] ?? account;
}

/** Records for good which roles an account was given and lost. */
export async function recordRoles(
  transaction: Statements,
  change: { accountId: string; by: string; given: readonly Role[]; taken: readonly Role[]; at: Date },
): Promise<void> {
  await transaction.query(
    'insert into role_change (account_id, changed_by, given, taken, at) values ($1, $2, $3, $4, $5)',
    [change.accountId, change.by, change.given, change.taken, change.at],
  );
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
