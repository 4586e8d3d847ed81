import { QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { looksLikeCardNumber } from '#contracts/accounts/card-number.js';
import { queueSearch } from '#contracts/borrowing/queue-search.js';
import { readCopyCode } from '#contracts/catalogue/copy-code.js';
import type { Scanned } from '#contracts/desk/scan.js';
import { QueryWith } from '../messages.js';
import { FindReaders } from '../accounts/readers/card.queries.js';
import { copyOfCode } from '../catalogue/copies/copy.queries.js';
import { FindScannedBook } from '../catalogue/copies/scanned-book.queries.js';

/** Says what was scanned or typed at the desk. */
export class IdentifyScan extends QueryWith<
  Scanned,
  {
    scan: string;
    /** The account of the reader who stands there */
    readerId?: string | undefined;
  }
> {}

/** Numbers with hyphens between them in the manner of a label: right or wrong, it is no name. */
const LIKE_A_LABEL = /^\s*\d+\s*-\s*\d+\s*-\s*\d\s*$/;

@QueryHandler(IdentifyScan)
export class IdentifyScanHandler implements IQueryHandler<IdentifyScan> {
  constructor(private readonly queries: QueryBus) {}

  /** @throws DomainError CopyNotFound, BookNotFound, CardUnknown, CardReplaced */
  async execute({ scan, readerId }: IdentifyScan): Promise<Scanned> {
    if (!looksLikeCardNumber(scan)) {
      const search = queueSearch(scan);
      if (readCopyCode(scan) || (LIKE_A_LABEL.test(scan) && search.kind !== 'isbn'))
        return this.queries.execute(new FindScannedBook({ named: copyOfCode(scan), readerId }));
      if (search.kind === 'isbn')
        return this.queries.execute(new FindScannedBook({ named: { isbn: search.isbn }, readerId }));
    }
    return { kind: 'reader', ...(await this.queries.execute(new FindReaders({ scan }))) };
  }
}
