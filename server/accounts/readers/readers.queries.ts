import * as m from '#words/messages.js';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type {
  ReaderListQuery,
  ReaderSort,
  RoleChange,
  RoleChangesQuery,
} from '#contracts/accounts/readers.js';
import type { Reader } from '#contracts/accounts/account-views.js';
import { DomainError } from '#contracts/domain-error.js';
import type { Paged } from '#contracts/paging.js';
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
  ) {}

  /** A page of all accounts. */
  async listReaders(query: ReaderListQuery): Promise<Paged<Reader>> {
    const found = accountSearch(this.accounts, query.SearchTerm);
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
   * Which roles an account gained and lost, when, and by whom; latest first.
   * @throws DomainError `NotFound` for an id without an account and without changes
   */
  async roleChanges(query: RoleChangesQuery): Promise<RoleChange[]> {
    const { id: accountId, pageNumber, pageSize } = query;
    const changes = await this.changes.find({
      where: { accountId },
      relations: { changedBy: true },
      order: { id: 'DESC' },
      take: pageSize,
      skip: (pageNumber - 1) * pageSize,
    });
    if (changes.length === 0 && !(await this.accounts.existsBy({ id: accountId }))) throw accountNotFound();
    return changes.map(({ at, changedById, changedBy, given, taken }) => ({
      at: at.toISOString(),
      by: { id: changedById, fullname: changedBy?.fullname ?? nameOfNobody(changedById) },
      given,
      taken,
    }));
  }
}

function nameOfNobody(id: string): string {
  if (id === SIGN_ON) return m.sign_on_actor();
  return id === COMMAND_LINE ? m.account_command_line() : m.account_removed();
}
