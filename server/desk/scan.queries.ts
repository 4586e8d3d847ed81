import { Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { looksLikeCardNumber } from '#contracts/accounts/card-number.js';
import { queueSearch } from '#contracts/borrowing/queue-search.js';
import type { Scanned } from '#contracts/desk/scan.js';
import type { Database } from '#platform/database/database.js';
import { DATABASE } from '#platform/tokens.js';
import { cardOfScan, FindReaders } from '../accounts/readers/card.queries.js';
import { copiesOfLabels, copyNotFound } from '../catalogue/copies/copy-codes.queries.js';
import { FindScannedBook } from '../catalogue/copies/scanned-book.queries.js';

/** Numbers with hyphens between them in the manner of a label: right or wrong, it is no name. */
const LIKE_A_LABEL = /^\s*\d+\s*-\s*\d+\s*-\s*\d\s*$/;

@Injectable()
export class ScanQueries {
  constructor(
    private readonly queries: QueryBus,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  /**
   * Says what was scanned or typed at the desk.
   * @param readerId The account of the reader who stands there
   * @throws DomainError CopyNotFound, BookNotFound, CardUnknown, CardReplaced
   */
  async find(scan: string, readerId?: string): Promise<Scanned> {
    if (!looksLikeCardNumber(scan)) {
      const [named] = (await copiesOfLabels(this.database, [scan.trim()])).values();
      if (named) return this.queries.execute(new FindScannedBook({ named, readerId }));
      const search = queueSearch(scan);
      if (LIKE_A_LABEL.test(scan) && search.kind !== 'isbn') throw copyNotFound(scan);
      // Cards of an earlier system may have numbers that are ISBNs by chance.
      if (search.kind === 'isbn' && !(await cardOfScan(this.database, scan)))
        return this.queries.execute(new FindScannedBook({ named: { isbn: search.isbn }, readerId }));
    }
    return { kind: 'reader', ...(await this.queries.execute(new FindReaders({ scan }))) };
  }
}
