import { Body, Controller, Delete, Param, Post, Put, UploadedFile } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  bookBodySchema,
  bookIdListSchema,
  COVER_FIELD,
  savedBookSchema,
  type BookBody,
  type SavedBook,
} from '#contracts/catalogue/book-save.js';
import { deletedSchema } from '#contracts/catalogue/authority.js';
import { bookParamsSchema } from '#contracts/catalogue/book-views.js';
import { Allow, Caller, type SignedIn } from '../../http/access.js';
import { MayTakeLong } from '../../http/answer-in-time.js';
import { Answers, Multipart } from '../../http/answers.js';
import { valid } from '../../http/validation.js';
import { copyContext } from '../copies/copy-context.js';
import { bookFields, ReadsBookForm } from './book-upload.js';
import { DeleteBooks } from './delete-books.command.js';
import { AddBook, ChangeBook } from './save-book.commands.js';

/** The file in memory. */
interface UploadedCover {
  buffer: Buffer;
}

/** Administration of books (specification, section 7, "Books"). */
@Controller('Book')
export class BookAdminController {
  constructor(private readonly commands: CommandBus) {}

  @Post()
  @Allow('Admin')
  @Answers(savedBookSchema)
  @ReadsBookForm()
  @Multipart(bookBodySchema, COVER_FIELD)
  @MayTakeLong()
  add(
    @Body(bookFields, valid(bookBodySchema)) body: BookBody,
    @UploadedFile() cover: UploadedCover | undefined,
  ): Promise<SavedBook> {
    return this.commands.execute(new AddBook(body, cover?.buffer));
  }

  @Put(':id')
  @Allow('Admin')
  @Answers(savedBookSchema)
  @ReadsBookForm()
  @Multipart(bookBodySchema, COVER_FIELD)
  @MayTakeLong()
  change(
    @Caller() caller: SignedIn,
    @Param(valid(bookParamsSchema)) { id }: { id: number },
    @Body(bookFields, valid(bookBodySchema)) body: BookBody,
    @UploadedFile() cover: UploadedCover | undefined,
  ): Promise<SavedBook> {
    const context = copyContext(caller, 'ChangeBook', { id });
    return this.commands.execute(new ChangeBook(id, body, cover?.buffer, context));
  }

  // Before the route of one book, which would take this path for an id.
  @Delete('delete-multiple')
  @Allow('Admin')
  @Answers(deletedSchema)
  async removeMany(@Body(valid(bookIdListSchema)) ids: number[]): Promise<{ deleted: number }> {
    return { deleted: await this.commands.execute(new DeleteBooks(ids)) };
  }

  @Delete(':id')
  @Allow('Admin')
  @Answers(deletedSchema)
  async remove(@Param(valid(bookParamsSchema)) { id }: { id: number }): Promise<{ deleted: number }> {
    return { deleted: await this.commands.execute(new DeleteBooks([id])) };
  }
}
