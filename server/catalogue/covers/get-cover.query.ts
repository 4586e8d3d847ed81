import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DomainError } from '#contracts/domain-error.js';
import type { Database } from '#platform/database/database.js';
import { DATABASE } from '#platform/tokens.js';

export interface FoundCover {
  hash: string;
  /** Null where it is one of those that the caller has. */
  bytes: Buffer | null;
}

/** The cover of a book. */
export class GetCover extends Query<FoundCover> {
  /** @param had hashes of pictures that the caller has; their bytes are not read again */
  constructor(
    readonly bookId: number,
    readonly had: readonly string[],
  ) {
    super();
  }
}

@QueryHandler(GetCover)
export class GetCoverHandler implements IQueryHandler<GetCover> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** @throws DomainError NotFound where there is no such book, or it has no cover */
  async execute({ bookId, had }: GetCover): Promise<FoundCover> {
    const { rows } = await this.database.query<FoundCover>({
      name: 'cover',
      text: `select hash, case when hash <> all($2::text[]) then bytes end as bytes
             from book_cover where book_id = $1::bigint`,
      values: [bookId, had],
    });
    const [cover] = rows;
    if (!cover) throw new DomainError('NotFound', 'This book has no cover.');
    return cover;
  }
}
