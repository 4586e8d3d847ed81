import { randomUUID } from 'node:crypto';
import { Body, Controller, Delete, HttpCode, Param, Post, Put, UploadedFile } from '@nestjs/common';
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
import { mergeBodySchema, mergeSchema, type Merge, type MergeBody } from '#contracts/catalogue/merge.js';
import { bookParamsSchema } from '#contracts/catalogue/book-views.js';
import { Clock } from '#platform/clock.js';
import { Allow, Caller, type SignedIn } from '../../http/access.js';
import { NoDeadline } from '../../http/request-deadline.js';
import { Answers, Multipart } from '../../http/answers.js';
import { IdempotencyKey } from '../../http/idempotency-key.js';
import { valid } from '../../http/validation.js';
import { copyContext } from '../copies/copy-context.js';
import { mergeContext } from '../merges/merge-context.js';
import { MergeBooks } from '../merges/merge.commands.js';
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
  constructor(
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  @Post()
  @Allow('Admin')
  @Answers(savedBookSchema)
  @ReadsBookForm()
  @Multipart(bookBodySchema, COVER_FIELD)
  @NoDeadline()
  add(
    @Body(bookFields, valid(bookBodySchema)) body: BookBody,
    @UploadedFile() cover: UploadedCover | undefined,
  ): Promise<SavedBook> {
    return this.commands.execute(new AddBook(body, cover?.buffer));
  }

  /** The same key is the same merge. */
  @Post('merge')
  @HttpCode(200)
  @Allow('Admin')
  @Answers(mergeSchema)
  @NoDeadline()
  merge(
    @Caller() caller: SignedIn,
    @Body(valid(mergeBodySchema)) body: MergeBody,
    @IdempotencyKey() key: string = randomUUID(),
  ): Promise<Merge> {
    const context = mergeContext(caller, key, 'MergeBooks', body, this.clock.now());
    return this.commands.execute(new MergeBooks(body, context, copyContext(caller, 'MergeBooks', body, key)));
  }

  @Put(':id')
  @Allow('Admin')
  @Answers(savedBookSchema)
  @ReadsBookForm()
  @Multipart(bookBodySchema, COVER_FIELD)
  @NoDeadline()
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
