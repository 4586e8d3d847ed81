import { z } from 'zod';
import { canonicalIsbn } from '../isbn.js';
import {
  getJson,
  looseList,
  looseText,
  wholeTitle,
  type BookService,
  type FoundBook,
} from './book-service.js';

const volumeSchema = z.object({
  volumeInfo: z.object({
    title: looseText,
    subtitle: looseText,
    description: looseText,
    authors: looseList(z.string()),
    categories: looseList(z.string()),
    publisher: looseText,
    publishedDate: looseText,
    language: looseText,
    industryIdentifiers: looseList(z.object({ identifier: z.string() })),
  }),
});
const answerSchema = z.object({ totalItems: z.number(), items: looseList(volumeSchema) });

/** Google Books. Its search also answers with books that only mention the number, so each one's own is looked at. */
export class GoogleBooks implements BookService {
  readonly name = 'Google Books';

  constructor(private readonly base: string) {}

  async find(isbn: string): Promise<FoundBook | undefined> {
    const address = new URL(
      `${this.base.replace(/\/+$/, '')}/books/v1/volumes?${new URLSearchParams({ q: `isbn:${isbn}` }).toString()}`,
    );
    const answer = await getJson(address, answerSchema);
    const book = answer?.items.find(({ volumeInfo }) =>
      volumeInfo.industryIdentifiers.some(({ identifier }) => sameNumber(identifier, isbn)),
    )?.volumeInfo;
    if (!book) return undefined;
    return {
      title: wholeTitle(book.title, book.subtitle),
      description: book.description,
      authors: book.authors,
      // "Fiction / Science Fiction / General"
      genres: book.categories.flatMap((path) => path.split(' / ')).filter((name) => name !== 'General'),
      publisher: book.publisher,
      published: book.publishedDate,
      language: book.language,
    };
  }
}

function sameNumber(one: string, other: string): boolean {
  return one === other || (canonicalIsbn(one) ?? one) === (canonicalIsbn(other) ?? other);
}
