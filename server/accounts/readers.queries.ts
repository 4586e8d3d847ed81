import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Reader, ReaderListQuery, ReaderSort } from '#contracts/accounts/account-views.js';
import { DomainError } from '#contracts/domain-error.js';
import type { Paged } from '#contracts/paging.js';
import type { Database } from '#platform/database/database.js';
import { DATABASE } from '#platform/tokens.js';
import { READER_COLUMNS, readerView, type ReaderRow } from './reader-view.js';

/** A page of all who have an account. */
export class ListReaders extends Query<Paged<Reader>> {
  constructor(readonly query: ReaderListQuery) {
    super();
  }
}

/** One of them. */
export class GetReader extends Query<Reader> {
  constructor(readonly accountId: string) {
    super();
  }
}

/** Each has its index. Names are sorted as they are shown, first name first. */
const ORDERS: Record<ReaderSort, string> = {
  Username: 'username collate "pl-x-icu", id',
  Name: 'fullname collate "pl-x-icu", id',
};

@QueryHandler(ListReaders)
export class ListReadersHandler implements IQueryHandler<ListReaders> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ query }: ListReaders): Promise<Paged<Reader>> {
    const { where, values } = conditions(query.SearchTerm);
    const limit = values.length + 1;
    const [page, total] = await Promise.all([
      this.database.query<ReaderRow>(
        `select ${READER_COLUMNS} from account ${where} order by ${ORDERS[query.SortBy]}
         limit $${limit} offset $${limit + 1}`,
        [...values, query.pageSize, (query.pageNumber - 1) * query.pageSize],
      ),
      this.database.query<{ total: number }>(
        `select count(*)::integer as total from account ${where}`,
        values,
      ),
    ]);
    return { items: page.rows.map(readerView), totalCount: total.rows[0]?.total ?? 0 };
  }
}

/** Every word that was typed has to be in the name, the username or the e-mail address, in whatever order. */
function conditions(searchTerm: string): { where: string; values: string[] } {
  const words = [...new Set(searchTerm.trim().split(/\s+/))].filter((word) => word !== '');
  const values = words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
  const parts = values.map((_, index) => `search_text like search_folded($${index + 1})`);
  return { where: parts.length === 0 ? '' : `where ${parts.join(' and ')}`, values };
}

@QueryHandler(GetReader)
export class GetReaderHandler implements IQueryHandler<GetReader> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** @throws DomainError `NotFound` */
  async execute({ accountId }: GetReader): Promise<Reader> {
    const { rows } = await this.database.query<ReaderRow>(
      `select ${READER_COLUMNS} from account where id = $1`,
      [accountId],
    );
    const [account] = rows;
    if (!account) throw noSuchAccount();
    return readerView(account);
  }
}

export function noSuchAccount(): DomainError {
  return new DomainError('NotFound', 'There is no such account.');
}
