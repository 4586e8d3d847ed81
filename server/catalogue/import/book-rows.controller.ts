import { Controller, Inject } from '@nestjs/common';
import { takeRows, type RowsTaken } from '#contracts/catalogue/book-rows.js';
import type { Database } from '#platform/database/database.js';
import { DATABASE } from '#platform/tokens.js';
import { Serves, type Asked } from '../../http/serves.js';
import { RequestInvalid } from '../../http/validation.js';
import { InvalidHeader } from '../../imports/columns.js';
import { importBooks } from './import-books.js';

/** A CSV file of books, from a browser. */
@Controller()
export class BookRowsController {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  @Serves(takeRows)
  async take({ body: { text, line: firstLine } }: Asked<typeof takeRows>): Promise<RowsTaken> {
    const told: Pick<RowsTaken, 'refused' | 'repaired'> = { refused: [], repaired: [] };
    const onRow = (line: number, what: keyof typeof told, reason: string) =>
      void told[what].push({ line, reason });
    try {
      const { added, alreadyThere } = await importBooks(this.database, whole(text), {
        copies: undefined,
        firstLine,
        onRow,
      });
      return { added, alreadyThere, ...told };
    } catch (error) {
      if (!(error instanceof InvalidHeader)) throw error;
      throw new RequestInvalid({ text: [error.message] });
    }
  }
}

async function* whole(text: string): AsyncGenerator<string> {
  yield text;
}
