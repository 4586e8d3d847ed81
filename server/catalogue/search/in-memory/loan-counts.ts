import { Inject, Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { inTransaction, type Database } from '#platform/database/database.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { Jobs } from '#platform/jobs/jobs.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';

const HOUR = 3_600_000;

const checkpointRow = z.object({ position: z.string() });
const changedRow = z.object({ book_id: z.int() });

/** Writes the counts that changed. Books that are no more have none. */
const COUNT = (schema: string) => `
  with loan as materialized (
    select coalesce(m.kept_id, l.book_id) as book_id, sum(l.loans)::integer as loans
    from (
      select (k ->> 'bookId')::integer as book_id, count(*) as loans
      from ${schema}.borrow b cross join lateral jsonb_array_elements(b.books) k
      where k ->> 'issuedAt' is not null group by 1) l
    left join merged_book m on m.id = l.book_id group by 1
  ), counted as (
    select book_id, loans from loan where exists (select from book where id = loan.book_id)
    union all
    select r.book_id, 0 from book_reading r
    where r.loans > 0 and not exists (select from loan where loan.book_id = r.book_id)
  )
  insert into book_reading as present (book_id, loans) select book_id, loans from counted order by book_id
  on conflict (book_id) do update set loans = excluded.loans where present.loans <> excluded.loans
  returning book_id`;

/**
 * Counts, every hour, how often each book was handed over, from the rows of borrows: what was undone does not count. What is
 * read more comes first among what a search finds equally well.
 */
@Injectable()
class LoanCounts implements OnModuleInit {
  private countedAt: string | undefined;

  constructor(
    private readonly jobs: Jobs,
    @Inject(DATABASE) private readonly database: Database,
    private readonly readModel: ReadModelSchema,
  ) {}

  onModuleInit(): void {
    this.jobs.repeat('upkeep', 'count-loans', HOUR, () => this.count());
  }

  /** @returns how many books have another count than before */
  async count(): Promise<{ changed: number }> {
    const schema = await this.readModel.toRead();
    const checkpoint = await queryRow(
      this.database,
      checkpointRow,
      `select commit_position::text as position from ${schema}.checkpoint`,
    );
    const at = `${schema} ${checkpoint?.position}`;
    if (at === this.countedAt) return { changed: 0 };
    const changed = await inTransaction(this.database, async (connection) => {
      // The planner takes the books of all borrows for one, and would go through the catalogue for each.
      await connection.query('set local enable_nestloop = off');
      return queryRows(connection, changedRow, COUNT(schema));
    });
    this.countedAt = at;
    return { changed: changed.length };
  }
}

/** The job that counts loans, by itself: a worker does it, which has no catalogue. */
@Module({ providers: [LoanCounts] })
export class LoanCountsModule {}
