import { Readable } from 'node:stream';
import { Controller, Inject, StreamableFile } from '@nestjs/common';
import { z } from 'zod';
import { EXPORT_FILES, exportCatalogue } from '#contracts/catalogue/book-export.js';
import { startOfDay } from '#contracts/local-day.js';
import type { Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import { DATABASE } from '#platform/tokens.js';
import { Serves, type Asked } from '../../http/serves.js';
import { listNotFound } from '../lists/owned-lists.js';
import { CatalogueSearch } from '../search/catalogue-search.js';
import { exportBooks } from './export-books.js';
import { exportMarc } from './export-marc.js';
import type { Selection } from './selection.js';

type Query = Asked<typeof exportCatalogue>['query'];

/** Books of a search that are looked up at once. */
const PAGE = 1000;

const listRow = z.object({ is_there: z.boolean() });
const bookRow = z.object({ book_id: z.int() });

/** The catalogue as a file, streamed. */
@Controller()
export class ExportController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly search: CatalogueSearch,
    private readonly timeZone: LibraryTimeZone,
  ) {}

  @Serves(exportCatalogue)
  async books({ query }: Asked<typeof exportCatalogue>): Promise<StreamableFile> {
    const { format } = query;
    const selection = await this.selectionOf(query);
    const pieces =
      format === 'csv' ? exportBooks(this.database, selection) : exportMarc(this.database, format, selection);
    const { name, type } = EXPORT_FILES[format];
    return new StreamableFile(Readable.from(pieces, { objectMode: false }), {
      type,
      disposition: `attachment; filename="${name}"`,
    });
  }

  private async selectionOf({ SearchTerm, list, since }: Query): Promise<Selection> {
    const bookIds = list === undefined ? await this.found(SearchTerm) : await this.listed(list);
    const changedSince = since === undefined ? undefined : new Date(startOfDay(since, this.timeZone.name));
    return { bookIds, changedSince };
  }

  /** All that a search finds; undefined where nothing is searched for. */
  private async found(term: string): Promise<number[] | undefined> {
    if (term.trim() === '') return undefined;
    const found: number[] = [];
    for (;;) {
      const { ids } = await this.search.find(term, 'none', { offset: found.length, limit: PAGE });
      found.push(...ids);
      if (ids.length < PAGE) return found;
    }
  }

  /** @throws DomainError ListNotFound unless it is a list of the library */
  private async listed(list: string): Promise<number[]> {
    const there = await queryRow(
      this.database,
      listRow,
      'select exists (select from reading_list where id = $1 and account_id is null) as is_there',
      [list],
    );
    if (!there?.is_there) throw listNotFound();
    const books = await queryRows(
      this.database,
      bookRow,
      'select book_id from reading_list_book where list_id = $1',
      [list],
    );
    return books.map(({ book_id }) => book_id);
  }
}
