import * as m from '#words/messages.js';
import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { MAX_SETS } from '#contracts/accounts/account-views.js';
import type { PermissionSet, PermissionSetFields } from '#contracts/accounts/permission-sets.js';
import type { Rights } from '#contracts/permissions.js';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import { inTransaction, type Connection, type Database } from '#platform/database/database.js';
import { LOCKS } from '#platform/database/locks.js';
import { CHANNELS } from '#platform/database/notifications.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { RequestInvalid } from '../../http/validation.js';
import { SessionCache } from '../sessions/session-cache.js';
import { refuseWithout, rightsRow } from '../rights.js';

const setRow = z.object({
  id: z.string(),
  name: z.string(),
  ...rightsRow.shape,
  version: z.int(),
  holders: z.int(),
});

/** Of a set as it is recorded: each permission, that to waive with its limit. */
const recorded = ({ permissions, waiverLimit }: Rights) =>
  permissions.map((each) => (each === 'waive' ? `waive:${waiverLimit ?? ''}` : each));

const NOTHING: Rights = { permissions: [], waiverLimit: 0 };

/** The sets that are not built in. Whatever changes in one holds at once for all who have it. */
@Injectable()
export class PermissionSets {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly clock: Clock,
    private readonly cache: SessionCache,
  ) {}

  all(): Promise<PermissionSet[]> {
    return this.read(this.database);
  }

  /**
   * @param by who does it
   * @throws DomainError `NotAllowed` where it has what they have not got; `NameTaken`
   * @throws RequestInvalid where there are as many as there may be
   */
  add(fields: PermissionSetFields, by: string): Promise<PermissionSet> {
    return this.change(async (connection) => {
      await refuseWithout(connection, by, [fields]);
      const present = await this.read(connection);
      if (present.length >= MAX_SETS)
        throw new RequestInvalid({ name: [m.sets_too_many({ most: MAX_SETS })] });
      const id = randomUUID();
      await this.write(connection, id, fields, present);
      await this.record(connection, id, by, NOTHING, fields);
      return this.one(connection, id);
    });
  }

  /** @throws DomainError `NotFound`, `EditedMeanwhile`, `NameTaken`; `NotAllowed` where it has, or had, what they have not got */
  edit(
    id: string,
    { version, ...fields }: PermissionSetFields & { version: number },
    by: string,
  ): Promise<PermissionSet> {
    return this.change(async (connection) => {
      const before = await this.one(connection, id);
      if (before.version !== version) throw new DomainError('EditedMeanwhile', m.sets_edited_meanwhile());
      await refuseWithout(connection, by, [before, fields]);
      const others = (await this.read(connection)).filter((each) => each.id !== id);
      await this.write(connection, id, fields, others);
      await this.record(connection, id, by, before, fields);
      await connection.query('select pg_notify($2, id::text) from account where $1 = any(roles)', [
        id,
        CHANNELS.accounts,
      ]);
      return this.one(connection, id);
    });
  }

  /** Takes it from all who have it, each recorded. @throws DomainError `NotFound`, `NotAllowed` */
  remove(id: string, by: string): Promise<void> {
    return this.change(async (connection) => {
      const before = await this.one(connection, id);
      await refuseWithout(connection, by, [before]);
      const now = this.clock.now();
      await connection.query('update permission_set set removed_at = $2 where id = $1', [id, now]);
      await this.record(connection, id, by, before, NOTHING);
      await connection.query(
        `with lost as (
           update account set roles = array_remove(roles, $1), version = version + 1
           where $1 = any(roles) returning id
         ), recorded as (
           insert into role_change (account_id, changed_by, given, taken, at)
           select id, $2, '{}', array[$1], $3 from lost
         )
         select pg_notify($4, id::text) from lost`,
        [id, by, now, CHANNELS.accounts],
      );
    });
  }

  /** One change at a time, as of roles: what the giver has, and what a set has, stays so meanwhile. */
  private async change<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const result = await inTransaction(this.database, async (connection) => {
      await connection.query('select pg_advisory_xact_lock($1)', [LOCKS.roles]);
      return work(connection);
    });
    // This process does not wait for its own word.
    this.cache.clear();
    return result;
  }

  private read(connection: Pick<Connection, 'query'>): Promise<PermissionSet[]> {
    return queryRows(
      connection,
      setRow,
      `select id, name, permissions, waiver_limit as "waiverLimit", version,
         (select count(*)::integer from account where permission_set.id::text = any(roles)) as holders
       from permission_set where removed_at is null order by name collate "pl-x-icu", id`,
    );
  }

  private async one(connection: Connection, id: string): Promise<PermissionSet> {
    const found = (await this.read(connection)).find((each) => each.id === id);
    if (!found) throw new DomainError('NotFound', m.users_set_unknown());
    return found;
  }

  /** @param others that have their names already */
  private async write(
    connection: Connection,
    id: string,
    { name, permissions, waiverLimit }: PermissionSetFields,
    others: readonly PermissionSet[],
  ): Promise<void> {
    const isTaken = others.some((each) => each.name.toLowerCase() === name.toLowerCase());
    if (isTaken) throw new DomainError('NameTaken', m.sets_name_taken({ name }));
    await queryRow(
      connection,
      z.object({ id: z.string() }),
      `insert into permission_set (id, name, permissions, waiver_limit) values ($1, $2, $3, $4)
       on conflict (id) do update set name = excluded.name, permissions = excluded.permissions,
         waiver_limit = excluded.waiver_limit, version = permission_set.version + 1
       returning id`,
      [id, name, permissions, permissions.includes('waive') ? waiverLimit : 0],
    );
  }

  /** Beside the roles that were given and taken, and for good as those. */
  private async record(
    connection: Connection,
    id: string,
    by: string,
    before: Rights,
    after: Rights,
  ): Promise<void> {
    const [had, has] = [recorded(before), recorded(after)];
    const given = has.filter((each) => !had.includes(each));
    const taken = had.filter((each) => !has.includes(each));
    if (given.length + taken.length === 0) return;
    await connection.query(
      'insert into role_change (account_id, changed_by, given, taken, at) values ($1, $2, $3, $4, $5)',
      [id, by, given, taken, this.clock.now()],
    );
  }
}
