import { ArrayContains, Not, type EntityManager } from 'typeorm';
import { roleSchema, type Role } from '#contracts/accounts/account-views.js';
import { DomainError } from '#contracts/domain-error.js';
import { AccountEntity, RoleChangeEntity } from '#platform/database/entities/account.entity.js';
import { LOCKS } from '#platform/database/locks.js';
import { CHANNELS, notify } from '#platform/database/notifications.js';
import { noSuchAccount } from './reader-view.js';

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
export async function changeRoles(manager: EntityManager, change: RolesChange): Promise<AccountEntity> {
  const { accountId, by, at } = change;
  // One after the other: two admins who remove each other would otherwise both see the other one remain.
  await manager.query('select pg_advisory_xact_lock($1)', [LOCKS.roles]);
  const account = await manager.findOne(AccountEntity, {
    where: { id: accountId },
    lock: { mode: 'pessimistic_write' },
  });
  if (!account) throw noSuchAccount();
  const asked = change.wanted(account.roles);
  const wanted = roleSchema.options.filter((role) => role === 'Reader' || asked.includes(role));
  const given = wanted.filter((role) => !account.roles.includes(role));
  const taken = account.roles.filter((role) => !wanted.includes(role));
  if (taken.includes('Admin')) await refuseTheLast(manager, accountId);
  if (by !== COMMAND_LINE) await refuseWhoIsNoAdmin(manager, by);
  if (given.length + taken.length === 0) return account;
  await recordRoles(manager, { accountId, by, given, taken, at });
  account.roles = wanted;
  const saved = await manager.save(account);
  await notify(manager, CHANNELS.accounts, accountId);
  return saved;
}

/** Records for good which roles an account was given and lost. */
export async function recordRoles(
  manager: EntityManager,
  { by, ...change }: { accountId: string; by: string; given: Role[]; taken: Role[]; at: Date },
): Promise<void> {
  await manager.insert(RoleChangeEntity, { ...change, changedById: by });
}

/** Who has not confirmed his address cannot sign in, and is no admin to count on. */
async function refuseTheLast(manager: EntityManager, accountId: string): Promise<void> {
  const another = { roles: ArrayContains<Role>(['Admin']), emailConfirmed: true, id: Not(accountId) };
  if (!(await manager.existsBy(AccountEntity, another))) {
    throw new DomainError(
      'LastAdmin',
      'This is the last admin. Please give somebody else the role first, or nobody could give it any more.',
    );
  }
}

async function refuseWhoIsNoAdmin(manager: EntityManager, by: string): Promise<void> {
  const isAdmin = await manager.existsBy(AccountEntity, { id: by, roles: ArrayContains<Role>(['Admin']) });
  if (!isAdmin) throw new DomainError('NotAllowed', 'Your account may not do this.');
}
