import { Inject, Injectable } from '@nestjs/common';
import type { MarcImport, MarcImportState, MarcRow, MarcWinner } from '#contracts/catalogue/marc-import.js';
import { DomainError } from '#contracts/domain-error.js';
import { inTransaction, type Connection, type Database } from '#platform/database/database.js';
import { writeToOutbox } from '#platform/jobs/outbox.js';
import { DATABASE } from '#platform/tokens.js';
import * as m from '#words/messages.js';
import { correlationId } from '../../http/correlation.js';
import { bookOfMarc } from '../marc/book-fields.js';
import { readKept } from '../marc/read-marc.js';
import { withFreeLabels } from './holdings.js';
import { differencesOf, readStoredBooks } from './marc-books.js';
import { importOf, keptRow, moveImport, notifyImportChanged, rowAt } from './marc-imports.js';

/** In these states nobody works on an import, and what it is to do can be chosen. */
const AT_REST: readonly MarcImportState[] = ['staged', 'done'];

const WORK = {
  run: { from: AT_REST, during: 'running' },
  undo: { from: ['done'], during: 'undoing' },
} as const satisfies Record<string, { from: readonly MarcImportState[]; during: MarcImportState }>;

/** What a librarian does with an import that was read. */
@Injectable()
export class MarcImportCommands {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** @throws DomainError MarcImportNotFound */
  async read(id: string, database: Database | Connection = this.database): Promise<MarcImport> {
    const found = await importOf(database, id);
    if (!found) throw new DomainError('MarcImportNotFound', m.marc_import_gone());
    return found;
  }

  /**
   * Has what is chosen done, or what was done undone, by a job.
   * @throws DomainError MarcImportNotFound, MarcImportBusy
   */
  async begin(id: string, work: keyof typeof WORK): Promise<MarcImport> {
    const { from, during } = WORK[work];
    return inTransaction(this.database, async (connection) => {
      await this.read(id, connection);
      if (!(await moveImport(connection, id, from, during))) throw busy();
      await writeToOutbox(connection, 'imports', work, { importId: id }, correlationId());
      return this.read(id, connection);
    });
  }

  /** @throws DomainError MarcImportNotFound, MarcImportBusy */
  chooseWinners(id: string, wins: readonly MarcWinner[]): Promise<MarcImport> {
    return this.change(id, (connection) =>
      connection.query('update marc_import set wins = $2 where id = $1', [id, wins]),
    );
  }

  /** Rows of these places, or all of an outcome. @throws DomainError MarcImportNotFound, MarcImportBusy */
  chooseRows(
    id: string,
    chosen: boolean,
    { outcome, places }: { outcome?: string | undefined; places?: readonly number[] | undefined },
  ): Promise<MarcImport> {
    return this.change(id, (connection) =>
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
   * @throws DomainError MarcImportNotFound, MarcImportBusy
   */
  async settle(id: string, place: number, bookId: number | null): Promise<MarcRow> {
    await this.change(id, async (connection) => {
      const kept = await keptRow(connection, id, place);
      if (!kept || (bookId !== null && !kept.candidates.includes(bookId))) throw notFound();
      const [there] = await readStoredBooks(connection, 'b.id = $1', [bookId ?? 0]);
      if (bookId !== null && !there) throw notFound();
      const [entry] = await withFreeLabels(connection, [{ there, book: bookOfMarc(readKept(kept)) }]);
      const differs = there && entry ? differencesOf(there.book, entry.book) : {};
      await connection.query(
        `update marc_row set outcome = $3, book_id = $4, chosen = true, differs = $5, reason = $6
         where import_id = $1 and place = $2`,
        [id, place, there ? 'changed' : 'new', bookId, JSON.stringify(differs), JSON.stringify(entry?.told)],
      );
    });
    const row = await rowAt(this.database, id, place);
    if (!row) throw notFound();
    return row;
  }

  /** @throws DomainError MarcImportNotFound, MarcImportBusy */
  async forget(id: string): Promise<void> {
    const { rowCount } = await this.database.query(
      `delete from marc_import where id = $1
         and (state in ('staged', 'done', 'undone', 'failed') or touched_at < now() - interval '2 minutes')`,
      [id],
    );
    if (rowCount === 1) return;
    await this.read(id);
    throw busy();
  }

  private change(id: string, work: (connection: Connection) => Promise<unknown>): Promise<MarcImport> {
    return inTransaction(this.database, async (connection) => {
      await connection.query('select from marc_import where id = $1 for update', [id]);
      if (!AT_REST.includes((await this.read(id, connection)).state)) throw busy();
      await work(connection);
      await notifyImportChanged(connection, id);
      return this.read(id, connection);
    });
  }
}

const busy = () => new DomainError('MarcImportBusy', m.marc_import_busy());
const notFound = () => new DomainError('MarcImportNotFound', m.marc_row_gone());
