import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { borrowStatusSchema } from '#contracts/borrowing/borrow-status.js';
import { copyCode, type CopyOfBook } from '#contracts/catalogue/copy-code.js';
import { COPY_CONDITIONS, copyEventTime, isCopyEventType } from '#contracts/copies/copy-events.js';
import {
  COPY_EVENTS_SHOWN,
  copyStateSchema,
  type Copy,
  type CopyListQuery,
  type CopyPage,
  type CopyState,
  type CopyView,
} from '#contracts/copies/copy-views.js';
import { DomainError } from '#contracts/domain-error.js';
import { withoutSkipped } from '#contracts/event-log/skipped-events.js';
import type { Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { EventLog, readAsCurrent } from '#platform/event-log/event-log.js';
import { DATABASE } from '#platform/tokens.js';
import { BookCards } from '../book-cards.js';
import { borrowsOfCopy } from './copy-borrows.js';
import { copyGone } from './copy-codes.queries.js';
import { COPIES_OF_BOOK, isIssued } from './copy-rows.js';

const time = z.date().transform((at) => at.toISOString());
const viewRow = z.object({
  copy: z.int(),
  condition: z.enum(COPY_CONDITIONS),
  shelf_mark: z.string().nullable(),
  note: z.string().nullable(),
  label: z.string().nullable(),
  borrow_id: z.string().nullable(),
  scanned: z.boolean().nullable(),
  status: borrowStatusSchema.nullable(),
  issued: z.boolean(),
  due_date: time.nullable(),
  reader_id: z.string().nullable(),
  fullname: z.string().nullable(),
});

/** @param schema of the read model */
const views = (schema: string) => `
  select n.copy, coalesce(c.condition, 'present') as condition, c.shelf_mark, c.note, c.label, a.borrow_id, a.scanned,
    r.status, ${isIssued('r', 'b.id')} as issued,
    case when ${isIssued('r', 'b.id')} then r.due_date end as due_date, coalesce(p.id, a.reader_id) as reader_id, p.fullname
  from book b ${COPIES_OF_BOOK}
  left join ${schema}.borrow r on r.borrow_id = a.borrow_id
  left join account p on p.pseudonym = a.reader_id
  where b.id = $1::bigint`;

const stateRow = z.object({ state: copyStateSchema, copies: z.int() });
const NO_COPIES: CopyPage['states'] = {
  ...{ 'on-shelf': 0, rented: 0, lent: 0, lost: 0, damaged: 0, withdrawn: 0 },
};

/** How many copies are where, as `stateOf` says it of one. @param schema of the read model */
const statesOfCopies = (schema: string) => `
  select case when c.condition <> 'present' then c.condition when a.borrow_id is null then 'on-shelf'
      when ${isIssued('r', 'b.id')} then 'lent' else 'rented' end as state, count(*)::integer as copies
  from book b ${COPIES_OF_BOOK}
  left join ${schema}.borrow r on r.borrow_id = a.borrow_id
  where b.id = $1::bigint group by 1`;

function viewOf(bookId: number, row: z.output<typeof viewRow>): CopyView {
  const { copy, borrow_id, reader_id, fullname } = row;
  return {
    code: copyCode({ bookId, copy }),
    bookId,
    copy,
    state: stateOf(row),
    shelfMark: row.shelf_mark,
    note: row.note,
    label: row.label,
    borrow:
      borrow_id === null || reader_id === null
        ? null
        : {
            id: borrow_id,
            user: { id: reader_id, fullname: fullname ?? m.account_removed() },
            status: row.status,
            dueDate: row.due_date,
            isScanned: row.scanned === true,
          },
  };
}

function stateOf({ condition, borrow_id, issued }: z.output<typeof viewRow>): CopyState {
  if (condition !== 'present') return condition;
  if (borrow_id === null) return 'on-shelf';
  return issued ? 'lent' : 'rented';
}

@Injectable()
export class CopyQueries {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly readModel: ReadModelSchema,
    private readonly log: EventLog,
    private readonly cards: BookCards,
  ) {}

  /**
   * `GET Book/{id}/copies`
   * @throws DomainError BookNotFound
   */
  async copiesOfBook(bookId: number, { pageNumber, pageSize }: CopyListQuery): Promise<CopyPage> {
    const schema = await this.readModel.toRead();
    const [rows, counts] = await Promise.all([
      queryRows(this.database, viewRow, `${views(schema)} order by n.copy limit $2 offset $3`, [
        bookId,
        pageSize,
        (pageNumber - 1) * pageSize,
      ]),
      queryRows(this.database, stateRow, statesOfCopies(schema), [bookId]),
    ]);
    if (counts.length === 0) await this.requireBook(bookId);
    const states = { ...NO_COPIES };
    for (const { state, copies } of counts) states[state] = copies;
    const totalCount = counts.reduce((sum, { copies }) => sum + copies, 0);
    return { items: rows.map((row) => viewOf(bookId, row)), totalCount, states };
  }

  private async requireBook(bookId: number): Promise<void> {
    const { rowCount } = await this.database.query('select from book where id = $1::bigint', [bookId]);
    if (rowCount !== 1) throw new DomainError('BookNotFound', m.catalogue_book_not_there());
  }

  /**
   * `GET Copy/{id}`
   * @throws DomainError CopyNotFound
   */
  async getCopy(id: CopyOfBook): Promise<Copy> {
    const { bookId, copy } = id;
    const schema = await this.readModel.toRead();
    const [row, [book], history, borrows] = await Promise.all([
      queryRow(this.database, viewRow, `${views(schema)} and n.copy = $2`, [bookId, copy]),
      this.cards.read([bookId]),
      this.history(copyCode(id)),
      borrowsOfCopy(this.database, schema, id),
    ]);
    if (!row || !book) throw await copyGone(this.database, id);
    const { isbn, title, authors, photo } = book;
    return { ...viewOf(bookId, row), book: { id: bookId, isbn, title, authors, photo }, history, borrows };
  }

  private async history(code: string): Promise<Copy['history']> {
    const last = await this.log.lastRevision('copies', code);
    const before = last - BigInt(COPY_EVENTS_SHOWN);
    const recorded = await this.log.readRecorded('copies', code, before < 0n ? 0n : before + 1n);
    const stored = withoutSkipped(recorded).map((event) => readAsCurrent(event));
    const names = await this.namesOf(stored.map(({ metadata }) => metadata.actor));
    return stored.flatMap(({ event, metadata }) => {
      if (!isCopyEventType(event.type)) return [];
      return [
        {
          type: event.type,
          at: copyEventTime(event as Parameters<typeof copyEventTime>[0]),
          by: names.get(metadata.actor) ?? null,
          shelfMark: 'shelfMark' in event.data ? event.data.shelfMark : null,
        },
      ];
    });
  }

  private async namesOf(pseudonyms: readonly string[]): Promise<Map<string, string>> {
    if (pseudonyms.length === 0) return new Map();
    const rows = await queryRows(
      this.database,
      z.object({ pseudonym: z.string(), fullname: z.string() }),
      'select pseudonym, fullname from account where pseudonym::text = any($1::text[])',
      [[...new Set(pseudonyms)]],
    );
    return new Map(rows.map(({ pseudonym, fullname }) => [pseudonym, fullname]));
  }
}
