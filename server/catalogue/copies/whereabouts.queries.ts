import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { MAX_WHEREABOUTS, whereaboutsStateSchema, type Whereabouts } from '#contracts/copies/copy-views.js';
import { DomainError } from '#contracts/domain-error.js';
import type { Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { DATABASE } from '#platform/tokens.js';
import { COPIES_OF_BOOK, isIssued } from './copy-rows.js';

/** Null where the book has no copy that can be borrowed. */
const whereaboutsRow = z.object({
  copy: z.int().nullable(),
  state: whereaboutsStateSchema.nullable(),
  shelfMark: z.string().nullable(),
  dueDate: z
    .date()
    .transform((at) => at.toISOString())
    .nullable(),
});

/** @param schema of the read model */
const WHEREABOUTS = (schema: string) => `
  select w.copy, w.state, w."shelfMark", w."dueDate" from book left join lateral (
    select n.copy, c.shelf_mark as "shelfMark",
      case when a.borrow_id is null then 'on-shelf' when ${isIssued('r', 'b.id')} then 'lent' else 'kept' end as state,
      case when ${isIssued('r', 'b.id')} then r.due_date end as "dueDate"
    from book b ${COPIES_OF_BOOK}
    left join ${schema}.borrow r on r.borrow_id = a.borrow_id
    where b.id = book.id and coalesce(c.condition, 'present') = 'present') w on true
  where book.id = $1::bigint
  order by w.state <> 'on-shelf', w.state <> 'kept', w."dueDate", w.copy limit ${MAX_WHEREABOUTS}`;

@Injectable()
export class WhereaboutsQueries {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly readModel: ReadModelSchema,
  ) {}

  /**
   * `GET Book/:id/whereabouts`
   * @throws DomainError BookNotFound
   */
  async find(bookId: number): Promise<Whereabouts> {
    const schema = await this.readModel.toRead();
    const rows = await queryRows(this.database, whereaboutsRow, {
      name: `whereabouts-${schema}`,
      text: WHEREABOUTS(schema),
      values: [bookId],
    });
    if (rows.length === 0) throw new DomainError('BookNotFound', m.catalogue_book_not_there());
    return rows.flatMap(({ copy, state, ...where }) =>
      copy === null || state === null ? [] : [{ copy, state, ...where }],
    );
  }
}
