import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { QueueListQuery, TitleQueue } from '#contracts/holds/hold-views.js';
import type { Paged } from '#contracts/paging.js';
import { BOOK_KINDS } from '#contracts/rules/kinds.js';
import type { Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { wordPatterns } from '#platform/database/entities/account-names.js';
import { HoldViews, QUEUED, QUEUED_STATES } from './hold.queries.js';

const queueRow = z.object({
  bookId: z.int(),
  title: z.string(),
  kind: z.enum(BOOK_KINDS),
  copies: z.int(),
  waiting: z.int(),
  since: z.date().transform((at) => at.toISOString()),
  userId: z.string(),
  fullname: z.string().nullable(),
});

/** Each state by itself: it has an index, which leaves out all that is over. */
const WAITING = QUEUED_STATES.map(
  (state) => `select book_id, placed_at, reader_id from hold where state = '${state}'`,
).join(' union all ');

const PARTS: Record<QueueListQuery['Only'], string> = {
  All: '',
  MoreThanCopies: 'and b.copies_total > 0 and w.waiting > b.copies_total',
  NoCopy: 'and b.copies_total = 0',
};

const ORDERS: Record<QueueListQuery['SortBy'], string> = {
  Waiting: 'waiting desc, since',
  Since: 'since',
  Title: 'title collate "pl-x-icu"',
};

/** A word is in the title, or in the name of somebody who waits. */
const matched = (pattern: string) => `and (search_folded(b.title) like search_folded(${pattern}) or exists (
  select from waits o join account p on p.pseudonym = o.reader_id
  where o.book_id = b.id and p.search_text like search_folded(${pattern})))`;

@Injectable()
export class HoldQueuesQueries {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly holds: HoldViews,
  ) {}

  /** The titles for which somebody waits. */
  async find(query: QueueListQuery): Promise<Paged<TitleQueue>> {
    const { SearchTerm, Only, SortBy, pageNumber, pageSize } = query;
    const words = wordPatterns(SearchTerm);
    const found = `
      with waits as materialized (${WAITING}),
      queue as (select book_id, count(*)::integer as waiting, min(placed_at) as since from waits group by book_id),
      found as (
        select b.id, b.title, b.kind, b.copies_total as copies, w.waiting, w.since from queue w join book b on b.id = w.book_id
        where true ${PARTS[Only]} ${words.map((_word, at) => matched(`$${at + 1}`)).join(' ')})`;
    const [all, rows] = await Promise.all([
      queryRow(this.database, z.object({ total: z.int() }), {
        text: `${found} select count(*)::integer as total from found`,
        values: words,
      }),
      queryRows(this.database, queueRow, {
        text: `${found}
          select f.id as "bookId", f.title, f.kind, f.copies, f.waiting, f.since, coalesce(a.id, n.reader_id) as "userId", a.fullname
          from found f
          cross join lateral (
            select o.reader_id from hold o where o.book_id = f.id and o.state in ${QUEUED}
            order by o.state = 'paused', o.rank limit 1) n
          left join account a on a.pseudonym = n.reader_id
          order by ${ORDERS[SortBy]}, f.id limit $${words.length + 1} offset $${words.length + 2}`,
        values: [...words, pageSize, (pageNumber - 1) * pageSize],
      }),
    ]);
    const out = await this.holds.copiesOut(rows.map(({ bookId }) => bookId));
    const items = rows.map(({ userId, fullname, kind, ...row }) => ({
      ...row,
      first: { id: userId, fullname: fullname ?? m.account_removed() },
      estimateDays: this.holds.estimate(out.get(row.bookId) ?? [], 0, kind),
    }));
    return { items, totalCount: all?.total ?? 0 };
  }
}
