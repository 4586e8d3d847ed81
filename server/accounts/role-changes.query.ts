import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ACCOUNT_REMOVED, type Role, type RoleChange } from '#contracts/accounts/account-views.js';
import type { Database } from '#platform/database/database.js';
import { DATABASE } from '#platform/tokens.js';
import { COMMAND_LINE } from './change-roles.js';
import { noSuchAccount } from './readers.queries.js';

/** Which roles an account was given and lost, when, and by whom; the latest first. */
export class RoleChanges extends Query<RoleChange[]> {
  constructor(readonly accountId: string) {
    super();
  }
}

interface RoleChangeRow {
  at: Date;
  changed_by: string;
  fullname: string | null;
  given: Role[];
  taken: Role[];
}

@QueryHandler(RoleChanges)
export class RoleChangesHandler implements IQueryHandler<RoleChanges> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** @throws DomainError `NotFound` for an id that nobody has and that no change names */
  async execute({ accountId }: RoleChanges): Promise<RoleChange[]> {
    const { rows } = await this.database.query<RoleChangeRow>(
      `select c.at, c.changed_by, a.fullname, c.given, c.taken
       from role_change c left join account a on a.id = c.changed_by where c.account_id = $1 order by c.id desc`,
      [accountId],
    );
    if (rows.length === 0) await this.assureAccount(accountId);
    return rows.map((row) => ({
      at: row.at.toISOString(),
      by: { id: row.changed_by, fullname: row.fullname ?? nameOfNobody(row.changed_by) },
      given: row.given,
      taken: row.taken,
    }));
  }

  private async assureAccount(accountId: string): Promise<void> {
    const { rowCount } = await this.database.query('select 1 from account where id = $1', [accountId]);
    if (rowCount === 0) throw noSuchAccount();
  }
}

function nameOfNobody(id: string): string {
  return id === COMMAND_LINE ? '(command line)' : ACCOUNT_REMOVED;
}
