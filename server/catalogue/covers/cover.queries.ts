import * as m from '#words/messages.js';
import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { QueryWith } from '../../messages.js';

const coverRow = z.object({
  hash: z.string(),
  /** Null if the caller already has it. */
  bytes: z.instanceof(Buffer).nullable(),
});
export type FoundCover = z.output<typeof coverRow>;

/** The cover of a book. */
export class GetCover extends QueryWith<
  FoundCover,
  {
    bookId: number;
    /** Hashes of cached pictures; their bytes are not read again */
    had: readonly string[];
  }
> {}

@QueryHandler(GetCover)
export class GetCoverHandler implements IQueryHandler<GetCover> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** @throws DomainError NotFound if there is no such book, or it has no cover */
  async execute({ bookId, had }: GetCover): Promise<FoundCover> {
    const cover = await queryRow(this.database, coverRow, {
      name: 'cover',
      text: `select hash, case when hash <> all($2::text[]) then bytes end as bytes
             from book_cover where book_id = $1::bigint`,
      values: [bookId, had],
    });
    if (!cover) throw new DomainError('NotFound', m.catalogue_no_cover());
    return cover;
  }
}
