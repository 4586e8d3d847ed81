import { Body, Delete, HttpCode, Param, Post, Put } from '@nestjs/common';
import type { z } from 'zod';
import {
  addedToListSchema,
  addToListSchema,
  listedBookParamsSchema,
  listParamsSchema,
  moveInListSchema,
  removedFromListSchema,
  type AddedToList,
  type AddToList,
  type RemovedFromList,
} from '#contracts/lists/reading-lists.js';
import { Caller, type SignedIn } from '../../http/access.js';
import { Answers } from '../../http/answers.js';
import { valid } from '../../http/validation.js';
import type { OwnedLists, Owner } from './owned-lists.js';
import type { ListedBooks } from './listed-books.js';

export const listParams = valid(listParamsSchema);
const bookParams = valid(listedBookParamsSchema);

export interface ListParams {
  id: string;
}
interface ListedBookParams extends ListParams {
  bookId: number;
}

/**
 * The calls that are the same for a reader's lists and the library's, for their controllers to inherit.
 * @param one a list, as they answer it
 * @param several all of an owner's
 */
export function ownedListsCalls<List>(one: z.ZodType<List>, several: z.ZodType<List[]>) {
  abstract class KeptListsCalls {
    constructor(
      readonly kept: OwnedLists,
      readonly books: ListedBooks,
    ) {}

    abstract ownerOf(caller: SignedIn): Owner;
    abstract allOf(caller: SignedIn): Promise<List[]>;
    abstract oneOf(caller: SignedIn, id: string): Promise<List>;

    /** @returns those that are left */
    @Delete(':id')
    @Answers(several)
    async remove(@Caller() caller: SignedIn, @Param(listParams) { id }: ListParams): Promise<List[]> {
      await this.kept.remove(this.ownerOf(caller), id);
      return this.allOf(caller);
    }

    @Post(':id/books')
    @HttpCode(200)
    @Answers(addedToListSchema)
    addBook(
      @Caller() caller: SignedIn,
      @Param(listParams) { id }: ListParams,
      @Body(valid(addToListSchema)) body: AddToList,
    ): Promise<AddedToList> {
      return this.books.add(this.ownerOf(caller), id, body);
    }

    /** @returns the list, as it stands then */
    @Put(':id/books/:bookId')
    @Answers(one)
    async moveBook(
      @Caller() caller: SignedIn,
      @Param(bookParams) { id, bookId }: ListedBookParams,
      @Body(valid(moveInListSchema)) { place }: { place: number },
    ): Promise<List> {
      await this.books.move(this.ownerOf(caller), id, bookId, place);
      return this.oneOf(caller, id);
    }

    @Delete(':id/books/:bookId')
    @Answers(removedFromListSchema)
    removeBook(
      @Caller() caller: SignedIn,
      @Param(bookParams) { id, bookId }: ListedBookParams,
    ): Promise<RemovedFromList> {
      return this.books.remove(this.ownerOf(caller), id, bookId);
    }
  }
  return KeptListsCalls;
}
