import { Controller, UploadedFile } from '@nestjs/common';
import * as calls from '#contracts/catalogue/book-save.js';
import type { SavedBook } from '#contracts/catalogue/book-save.js';
import { Serves, type Asked } from '../../http/serves.js';
import { copyContext } from '../copies/copy-context.js';
import { ReadsBookForm } from './book-upload.js';
import { DeleteBooksCommand } from './delete-books.command.js';
import { SaveBookCommands } from './save-book.commands.js';

/** The file in memory. */
interface UploadedCover {
  buffer: Buffer;
}

/** Administration of books (specification, section 7, "Books"). */
@Controller()
export class BookAdminController {
  constructor(
    private readonly saveBookCommands: SaveBookCommands,
    private readonly deleteBooksCommand: DeleteBooksCommand,
  ) {}

  @Serves(calls.addBook)
  @ReadsBookForm()
  add(
    { body }: Asked<typeof calls.addBook>,
    @UploadedFile() cover: UploadedCover | undefined,
  ): Promise<SavedBook> {
    return this.saveBookCommands.addBook(body, cover?.buffer);
  }

  @Serves(calls.changeBook)
  @ReadsBookForm()
  change(
    { caller, params: { id }, body }: Asked<typeof calls.changeBook>,
    @UploadedFile() cover: UploadedCover | undefined,
  ): Promise<SavedBook> {
    const context = copyContext(caller, 'ChangeBook', { id });
    return this.saveBookCommands.changeBook(id, body, cover?.buffer, context);
  }

  // Before the route of one book, which would take this path for an id.
  @Serves(calls.deleteBooks)
  async removeMany({ body }: Asked<typeof calls.deleteBooks>): Promise<{ deleted: number }> {
    return { deleted: await this.deleteBooksCommand.delete(body) };
  }

  @Serves(calls.deleteBook)
  async remove({ params }: Asked<typeof calls.deleteBook>): Promise<{ deleted: number }> {
    return { deleted: await this.deleteBooksCommand.delete([params.id]) };
  }
}
