import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { z } from 'zod';
import type {
  ReaderListQuery,
  ReaderSort,
  RoleChange,
  RoleChangesQuery,
} from '#contracts/accounts/readers.js';
import type { Reader } from '#contracts/accounts/reader.js';
import { isRole } from '#contracts/permissions.js';
import { DomainError } from '#contracts/domain-error.js';
import type { Paged } from '#contracts/paging.js';
import type { Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { AccountEntity, RoleChangeEntity } from '#platform/database/entities/account.entity.js';
import { accountSearch } from '#platform/database/entities/account-names.js';
import { COMMAND_LINE, SIGN_ON } from './readers.commands.js';
import { accountNotFound, readerView } from '../reader-view.js';

/** Each has an index. Names are sorted as displayed, first name first. */
const ORDERS: Record<ReaderSort, string> = {
  Username: 'account.username collate "pl-x-icu"',
  Name: 'account.fullname collate "pl-x-icu"',
};

@Injectable()
export class ReadersQueries {
  constructor(
    @InjectRepository(AccountEntity) private readonly accounts: Repository<AccountEntity>,
    @InjectRepository(RoleChangeEntity) private readonly changes: Repository<RoleChangeEntity>,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  /** A page of all accounts. */
  async listReaders(query: ReaderListQuery): Promise<Paged<Reader>> {
    const found = accountSearch(this.accounts, query.SearchTerm);
    if (query.Set !== undefined) found.andWhere(':set = any(account.roles)', { set: query.Set });
    if (query.Kind !== undefined) found.andWhere('account.kind = :kind', { kind: query.Kind });
    const [items, totalCount] = await Promise.all([
      found
        .clone()
        .orderBy(ORDERS[query.SortBy])
        .addOrderBy('account.id')
        .limit(query.pageSize)
        .offset((query.pageNumber - 1) * query.pageSize)
        .getMany(),
      found.getCount(),
    ]);
    return { items: items.map(readerView), totalCount };
  }

  /**
   * One account.
   * @throws DomainError `NotFound`
   */
  async getReader(accountId: string): Promise<Reader> {
    const account = await this.accounts.findOneBy({ id: accountId });
    if (!account) throw accountNotFound();
    return readerView(account);
  }

  /**
   * The caller's own profile.
   * @throws DomainError `NotFound`
   */
  async getProfile(accountId: string): Promise<Reader> {
    const account = await this.accounts.findOneBy({ id: accountId });
    if (!account) throw new DomainError('NotFound', m.account_gone());
    return readerView(account);
  }

  /**
   * Which sets an account gained and lost, and how those that it has were changed, or how a set was; latest first.
   * @throws DomainError `NotFound` for an id without an account and without changes
   */
  async roleChanges({ id, pageNumber, pageSize }: RoleChangesQuery): Promise<RoleChange[]> {
    const account = await this.accounts.findOneBy({ id });
    const subjects = [id, ...(account?.roles.filter((key) => !isRole(key)) ?? [])];
    const changes = await this.changes.find({
      where: { accountId: In(subjects) },
      relations: { changedBy: true },
      order: { id: 'DESC' },
      take: pageSize,
      skip: (pageNumber - 1) * pageSize,
    });
    if (changes.length === 0 && !account) throw accountNotFound();
    const sets = await this.setNames(
      changes.flatMap((each) => [each.accountId, ...each.given, ...each.taken]),
    );
    const named = (keys: string[]) => keys.map((key) => sets.get(key) ?? key);
    return changes.map(({ accountId, at, changedById, changedBy, given, taken }) => ({
      at: at.toISOString(),
      by: { id: changedById, fullname: changedBy?.fullname ?? nameOfNobody(changedById) },
      set: sets.get(accountId) ?? null,
      given: named(given),
      taken: named(taken),
    }));
  }

  /** Of those of the keys that are sets, those removed too. */
  private async setNames(keys: readonly string[]): Promise<Map<string, string>> {
    const row = z.object({ id: z.string(), name: z.string() });
    const text = 'select id, name from permission_set where id::text = any($1)';
    const sets = await queryRows(this.database, row, text, [keys]);
    return new Map(sets.map(({ id, name }) => [id, name]));
  }
}

function nameOfNobody(id: string): string {
  if (id === SIGN_ON) return m.sign_on_actor();
  return id === COMMAND_LINE ? m.account_command_line() : m.account_removed();
}
