import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { Merge, MergeListQuery } from '#contracts/catalogue/merge.js';
import type { Paged } from '#contracts/paging.js';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { mergesOf } from './merge-rows.js';

const countRow = z.object({ count: z.int() });

@Injectable()
export class MergeQueries {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** `GET Merge`: what was merged, the latest first. */
  async find({ pageNumber, pageSize }: MergeListQuery): Promise<Paged<Merge>> {
    const [items, counted] = await Promise.all([
      mergesOf(this.database, pageSize, (pageNumber - 1) * pageSize),
      queryRow(this.database, countRow, 'select count(*)::integer as count from catalogue_merge'),
    ]);
    return { items, totalCount: counted?.count ?? 0 };
  }
}
