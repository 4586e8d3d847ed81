import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { z } from 'zod';
import type { Merge, MergeListQuery } from '#contracts/catalogue/merge.js';
import type { Paged } from '#contracts/paging.js';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { QueryWith } from '../../messages.js';
import { mergesOf } from './merge-rows.js';

/** `GET Merge`: what was merged, the latest first. */
export class PageMerges extends QueryWith<Paged<Merge>, { query: MergeListQuery }> {}

const countRow = z.object({ count: z.int() });

@QueryHandler(PageMerges)
export class PageMergesHandler implements IQueryHandler<PageMerges> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ query: { pageNumber, pageSize } }: PageMerges): Promise<Paged<Merge>> {
    const [items, counted] = await Promise.all([
      mergesOf(this.database, pageSize, (pageNumber - 1) * pageSize),
      queryRow(this.database, countRow, 'select count(*)::integer as count from catalogue_merge'),
    ]);
    return { items, totalCount: counted?.count ?? 0 };
  }
}
