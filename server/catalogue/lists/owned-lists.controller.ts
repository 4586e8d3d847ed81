import type { z } from 'zod';
import type { Call } from '#contracts/call.js';
import type {
  AddedToList,
  bookCalls,
  listParamsSchema,
  RemovedFromList,
} from '#contracts/lists/reading-lists.js';
import type { SignedIn } from '../../http/access.js';
import { Serves, type Asked } from '../../http/serves.js';
import type { OwnedLists, Owner } from './owned-lists.js';
import type { ListedBooks } from './listed-books.js';

type RemovalCall<List> = Call<{
  may: readonly ['SignedIn' | 'lists'];
  params: typeof listParamsSchema;
  answer: z.ZodType<List[]>;
}>;

/** The calls that are the same for a reader's lists and the library's, for their controllers to inherit. */
export function ownedListsController<List>(
  calls: ReturnType<typeof bookCalls<'List' | 'ReadingList', 'SignedIn' | 'lists', z.ZodType<List>>>,
  removal: RemovalCall<List>,
) {
  abstract class OwnedListsController {
    constructor(
      readonly kept: OwnedLists,
      readonly books: ListedBooks,
    ) {}

    abstract ownerOf(caller: SignedIn): Owner;
    abstract allOf(caller: SignedIn): Promise<List[]>;
    abstract oneOf(caller: SignedIn, id: string): Promise<List>;

    @Serves(removal)
    async remove({ caller, params }: Asked<typeof removal>): Promise<List[]> {
      await this.kept.remove(this.ownerOf(caller), params.id);
      return this.allOf(caller);
    }

    @Serves(calls.add)
    addBook({ caller, params, body }: Asked<typeof calls.add>): Promise<AddedToList> {
      return this.books.add(this.ownerOf(caller), params.id, body);
    }

    @Serves(calls.move)
    async moveBook({ caller, params: { id, bookId }, body }: Asked<typeof calls.move>): Promise<List> {
      await this.books.move(this.ownerOf(caller), id, bookId, body.place);
      return this.oneOf(caller, id);
    }

    @Serves(calls.remove)
    removeBook({ caller, params }: Asked<typeof calls.remove>): Promise<RemovedFromList> {
      return this.books.remove(this.ownerOf(caller), params.id, params.bookId);
    }
  }
  return OwnedListsController;
}
