import { Inject, Injectable } from '@nestjs/common';
import type { MarcImport, MarcRow, MarcWinner } from '#contracts/catalogue/marc-import.js';
import type { Database } from '#platform/database/database.js';
import { DATABASE } from '#platform/tokens.js';
import { rowNotFound } from '../../imports/staged-imports.js';
import { bookOfMarc } from '../marc/book-fields.js';
import { readKept } from '../marc/read-marc.js';
import { withFreeLabels } from './holdings.js';
import { differencesOf, readStoredBooks } from './marc-books.js';
import { keptRow, MARC_IMPORTS, rowAt } from './marc-imports.js';

/** What a librarian does with an import that was read. */
@Injectable()
export class MarcImportCommands {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** @throws DomainError ImportNotFound, ImportBusy */
  chooseWinners(id: string, wins: readonly MarcWinner[]): Promise<MarcImport> {
    return MARC_IMPORTS.change(this.database, id, (connection) =>
      connection.query('update marc_import set wins = $2 where id = $1', [id, wins]),
    );
  }

  /** Rows of these places, or all of an outcome. @throws DomainError ImportNotFound, ImportBusy */
  chooseRows(
    id: string,
    chosen: boolean,
    { outcome, places }: { outcome?: string | undefined; places?: readonly number[] | undefined },
  ): Promise<MarcImport> {
    return MARC_IMPORTS.change(this.database, id, (connection) =>
      connection.query(
        `update marc_row set chosen = $2 where import_id = $1 and outcome in ('new', 'changed') and done is null
           and chosen <> $2 and ($3::text is null or outcome = $3) and ($4::integer[] is null or place = any($4))`,
        [id, chosen, outcome ?? null, places ?? null],
      ),
    );
  }

  /**
   * Says of which book a row is that may be of several: it is then to be done as one of that book, or as a new one.
   * @param bookId one of its candidates; null: none of them
   * @throws DomainError ImportNotFound, ImportBusy
   */
  async settle(id: string, place: number, bookId: number | null): Promise<MarcRow> {
    await MARC_IMPORTS.change(this.database, id, async (connection) => {
      const kept = await keptRow(connection, id, place);
      if (!kept || (bookId !== null && !kept.candidates.includes(bookId))) throw rowNotFound();
      const [there] = await readStoredBooks(connection, 'b.id = $1', [bookId ?? 0]);
      if (bookId !== null && !there) throw rowNotFound();
      const [entry] = await withFreeLabels(connection, [{ there, book: bookOfMarc(readKept(kept)) }]);
      const differs = there && entry ? differencesOf(there.book, entry.book) : {};
      await connection.query(
        `update marc_row set outcome = $3, book_id = $4, chosen = true, differs = $5, reason = $6
         where import_id = $1 and place = $2`,
        [id, place, there ? 'changed' : 'new', bookId, JSON.stringify(differs), JSON.stringify(entry?.told)],
      );
    });
    const row = await rowAt(this.database, id, place);
    if (!row) throw rowNotFound();
    return row;
  }
}
