import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { DeskBorrow } from '#contracts/desk/scan.js';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { LibraryRules } from '#platform/library-rules.js';
import { DATABASE } from '#platform/tokens.js';
import { BORROW_VIEW_COLUMNS, borrowViewRow, toBorrowView } from './borrow-view.js';
import { ISO_TIMES } from './iso-times.js';

/** A borrow, and which of its books each thing that can be undone is about. */
export class DeskBorrowOf extends Query<DeskBorrow> {
  constructor(readonly borrowId: string) {
    super();
  }
}

@QueryHandler(DeskBorrowOf)
export class DeskBorrowOfHandler implements IQueryHandler<DeskBorrowOf> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly readModel: ReadModelSchema,
    private readonly clock: Clock,
    private readonly rules: LibraryRules,
  ) {}

  /** @throws DomainError BorrowNotFound */
  async execute({ borrowId }: DeskBorrowOf): Promise<DeskBorrow> {
    const schema = await this.readModel.toRead();
    const row = await queryRow(this.database, borrowViewRow, {
      name: `desk-borrow-${schema}`,
      text: `select ${BORROW_VIEW_COLUMNS} from ${schema}.borrow b left join account a on a.pseudonym = b.reader_id
        where b.borrow_id = $1`,
      values: [borrowId],
      types: ISO_TIMES,
    });
    if (!row) throw new DomainError('BorrowNotFound', 'There is no such borrow.');
    const now = this.clock.now().toISOString();
    const borrow = toBorrowView(row, now, this.rules.shownAt(now));
    const booksOf = new Map(row.recent.map(({ revision, bookIds }) => [revision, bookIds ?? []]));
    return {
      borrow,
      undoes: borrow.undo.map(({ revision }) => ({ revision, bookIds: [...(booksOf.get(revision) ?? [])] })),
    };
  }
}
