import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
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
import { QueryWith } from '../../messages.js';
import { COMMAND_LINE } from './readers.commands.js';
import { accountNotFound, readerView } from '../reader-view.js';

/** A page of all accounts. */
export class ListReaders extends QueryWith<Paged<Reader>, { query: ReaderListQuery }> {}

/** Each has an index. Names are sorted as displayed, first name first. */
const ORDERS: Record<ReaderSort, string> = {
  Username: 'account.username collate "pl-x-icu"',
  Name: 'account.fullname collate "pl-x-icu"',
};

@QueryHandler(ListReaders)
export class ListReadersHandler implements IQueryHandler<ListReaders> {
  constructor(@InjectRepository(AccountEntity) private readonly accounts: Repository<AccountEntity>) {}

  async execute({ query }: ListReaders): Promise<Paged<Reader>> {
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
}

/** One account. */
export class GetReader extends QueryWith<Reader, { accountId: string }> {}

@QueryHandler(GetReader)
export class GetReaderHandler implements IQueryHandler<GetReader> {
  constructor(@InjectRepository(AccountEntity) private readonly accounts: Repository<AccountEntity>) {}

  /** @throws DomainError `NotFound` */
  async execute({ accountId }: GetReader): Promise<Reader> {
    const account = await this.accounts.findOneBy({ id: accountId });
    if (!account) throw accountNotFound();
    return readerView(account);
  }
}

/** The caller's own profile. */
export class GetProfile extends QueryWith<Reader, { accountId: string }> {}

@QueryHandler(GetProfile)
export class GetProfileHandler implements IQueryHandler<GetProfile> {
  constructor(@InjectRepository(AccountEntity) private readonly accounts: Repository<AccountEntity>) {}

  /** @throws DomainError `NotFound` */
  async execute({ accountId }: GetProfile): Promise<Reader> {
    const account = await this.accounts.findOneBy({ id: accountId });
    if (!account) throw new DomainError('NotFound', 'Your account no longer exists.');
    return readerView(account);
  }
}

/** Which roles an account gained and lost, when, and by whom; latest first. */
export class RoleChanges extends QueryWith<RoleChange[], { query: RoleChangesQuery }> {}

@QueryHandler(RoleChanges)
export class RoleChangesHandler implements IQueryHandler<RoleChanges> {
  constructor(
    @InjectRepository(AccountEntity) private readonly accounts: Repository<AccountEntity>,
    @InjectRepository(RoleChangeEntity) private readonly changes: Repository<RoleChangeEntity>,
  ) {}

  /** @throws DomainError `NotFound` for an id without an account and without changes */
  async execute({ query }: RoleChanges): Promise<RoleChange[]> {
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
  return id === COMMAND_LINE ? '(command line)' : '(account removed)';
}
