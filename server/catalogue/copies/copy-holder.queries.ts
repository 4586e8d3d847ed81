import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { copyCode, type CopyOfBook } from '#contracts/catalogue/copy-code.js';
import type { CopyHolder, CopyView } from '#contracts/copies/copy-views.js';
import type { Database } from '#platform/database/database.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { DATABASE } from '#platform/tokens.js';
import { BookCards } from '../book-cards.js';
import { unscannedLoans } from './copy-borrows.js';
import { copyNotFound, viewOfCopy } from './copy.queries.js';

/** `GET Copy/holder`: whose loan a copy is of that is brought to the desk. */
export class HolderOfCopy extends Query<CopyHolder> {
  constructor(readonly id: CopyOfBook) {
    super();
  }
}

@QueryHandler(HolderOfCopy)
export class HolderOfCopyHandler implements IQueryHandler<HolderOfCopy> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly readModel: ReadModelSchema,
    private readonly cards: BookCards,
  ) {}

  /** @throws DomainError CopyNotFound */
  async execute({ id }: HolderOfCopy): Promise<CopyHolder> {
    const { bookId, copy } = id;
    const schema = await this.readModel.toRead();
    const [view, [book]] = await Promise.all([
      viewOfCopy(this.database, schema, id),
      this.cards.read([bookId]),
    ]);
    if (!view || !book) throw copyNotFound(copyCode(id));
    const holder = holderOf(view);
    const candidates = holder ? [] : await unscannedLoans(this.database, schema, id);
    const { code, state } = view;
    return { code, bookId, copy, state, title: book.title, holder, candidates };
  }
}

function holderOf({ state, borrow }: CopyView): CopyHolder['holder'] {
  if (state !== 'lent' || !borrow?.isScanned) return null;
  return { borrowId: borrow.id, user: borrow.user, dueDate: borrow.dueDate };
}
