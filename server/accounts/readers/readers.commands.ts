import * as m from '#words/messages.js';
import { Injectable } from '@nestjs/common';
import { ArrayContains, DataSource, type EntityManager, Not } from 'typeorm';
import type { Reader } from '#contracts/accounts/reader.js';
import { isRole, ROLES } from '#contracts/permissions.js';
import type { ReaderEdit } from '#contracts/accounts/readers.js';
import { DomainError } from '#contracts/domain-error.js';
import { inTransaction, type Queryable } from '#platform/database/database.js';
import { AccountEntity, RoleChangeEntity } from '#platform/database/entities/account.entity.js';
import { CHANNELS, Notifications, notify } from '#platform/database/notifications.js';
import { RequestInvalid } from '../../http/validation.js';
import { accountNotFound, readerView } from '../reader-view.js';
import { Clock } from '#platform/clock.js';
import { SessionCache } from '../sessions/session-cache.js';
import { presentSets, refuseBeyond } from '../rights.js';
import { LOCKS } from '#platform/database/locks.js';

@Injectable()
export class ReadersCommands {
  constructor(
    private readonly dataSource: DataSource,
    private readonly notifications: Notifications,
    private readonly clock: Clock,
    private readonly cache: SessionCache,
  ) {}

  /**
   * Changes a reader's personal details and address, and by an admin their kind. Returns the reader as saved.
   * @throws DomainError `NotFound`; `EditedMeanwhile` if the account is no longer at the edited version
   * @throws RequestInvalid where somebody who is no admin chooses another kind of reader
   */
  async editReader(accountId: string, edit: ReaderEdit, byAdmin: boolean): Promise<Reader> {
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
      const { version, kind = account.kind, guardian, phone, ...person } = edit;
      if (version !== undefined && version !== account.version) {
        throw new DomainError('EditedMeanwhile', m.readers_edited_meanwhile());
      }
      const isOfOtherKind = kind !== account.kind;
      if (isOfOtherKind && !byAdmin) {
        throw new RequestInvalid({ kind: [m.readers_kind_by_library()] });
      }
      const details = {
        ...person,
        kind,
        ...(phone !== undefined && { phone }),
        ...(guardian !== undefined && byAdmin && { guardian }),
      };
      const { fullname, pseudonym } = account;
      Object.assign(account, details);
      await manager.createQueryBuilder().update(AccountEntity).set(details).whereEntity(account).execute();
      // Lists of borrows show the name. Sent on commit, as all notifications are.
      if (account.fullname !== fullname) await notify(manager, CHANNELS.readers, accountId);
      if (isOfOtherKind) await notify(manager, CHANNELS.readerKinds, pseudonym);
      return { reader: readerView(account), ofOtherKind: isOfOtherKind ? pseudonym : undefined };
    });
  }

  /**
   * Sets an account's roles; everybody stays a reader. They apply from its next call, also in open sessions, and the
   * change is recorded with its author. Returns the account afterwards.
   * @param by The admin who does it
   * @throws DomainError `NotFound`; `NotAllowed` if the actor, as they are now, may not give or take that; `LastAdmin` if
   * nobody would be left who may do everything
   */
  async setRoles(accountId: string, roles: string[], by: string): Promise<Reader> {
    const account = await inTransaction(this.dataSource, (manager, connection) =>
      changeRoles(manager, connection, { accountId, wanted: () => roles, by, at: this.clock.now() }),
    );
    this.cache.forgetAccount(accountId);
    return readerView(account);
  }
}

/** The actor in the log of roles when roles are changed by the command line. */
export const COMMAND_LINE = '00000000-0000-0000-0000-000000000000';
/** The same when they follow from somebody's groups at a provider. */
export const SIGN_ON = '00000000-0000-0000-0000-000000000001';
const NO_ACCOUNT = [COMMAND_LINE, SIGN_ON];

export interface RolesChange {
  accountId: string;
  /** The new roles, of those that can be assigned; everybody stays a reader. */
  wanted: (present: readonly string[]) => readonly string[];
  /** An admin, `COMMAND_LINE` or `SIGN_ON`. */
  by: string;
  at: Date;
}

/**
 * Changes an account's roles and records who did it; all processes are notified on commit.
 * @param connection that of the transaction
 * @returns the account afterwards
 * @throws DomainError `NotFound`; `NotAllowed` if the actor, as they are now, may not give or take that; `LastAdmin` if
 * nobody would be left who may do everything
 */
export async function changeRoles(
  manager: EntityManager,
  connection: Queryable,
  change: RolesChange,
): Promise<AccountEntity> {
  const { accountId, by, at } = change;
  // Serialized: otherwise two admins could remove each other, each seeing the other one remain.
  await manager.query('select pg_advisory_xact_lock($1)', [LOCKS.roles]);
  const account = await manager.findOne(AccountEntity, {
    where: { id: accountId },
    lock: { mode: 'pessimistic_write' },
  });
  if (!account) throw accountNotFound();
  const isByHand = !NO_ACCOUNT.includes(by);
  const named = change.wanted(account.roles);
  // A group may be mapped to a set that was removed since.
  const asked = isByHand ? named : await presentSets(connection, named);
  const wanted: string[] = [
    ...ROLES.filter((role) => role === 'Reader' || asked.includes(role)),
    ...new Set(asked.filter((key) => !isRole(key))),
  ];
  const given = wanted.filter((role) => !account.roles.includes(role));
  const taken = account.roles.filter((role) => !wanted.includes(role));
  if (taken.includes('Admin')) await refuseTheLast(manager, accountId);
  if (isByHand) await refuseBeyond(connection, by, [...given, ...taken]);
  if (given.length + taken.length === 0) return account;
  await recordRoles(manager, { accountId, by, given, taken, at });
  account.roles = wanted;
  const saved = await manager.save(account);
  await notify(manager, CHANNELS.accounts, accountId);
  return saved;
}

/** Records permanently which roles an account gained and lost. */
export async function recordRoles(
  manager: EntityManager,
  { by, ...change }: { accountId: string; by: string; given: string[]; taken: string[]; at: Date },
): Promise<void> {
  await manager.insert(RoleChangeEntity, { ...change, changedById: by });
}

/** An admin without a confirmed address cannot sign in, and does not count. */
async function refuseTheLast(manager: EntityManager, accountId: string): Promise<void> {
  const another = { roles: ArrayContains(['Admin']), emailConfirmed: true, id: Not(accountId) };
  if (!(await manager.existsBy(AccountEntity, another))) {
    throw new DomainError('LastAdmin', m.users_last_admin());
  }
}
