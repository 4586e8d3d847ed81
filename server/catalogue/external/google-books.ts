import { z } from 'zod';
import { canonicalIsbn } from '../isbn.js';
import { getJson, lenientList, lenientText, fullTitle, type Asking, type FoundBook } from './book-service.js';

const volumeSchema = z.object({
  volumeInfo: z.object({
    title: lenientText,
    subtitle: lenientText,
    description: lenientText,
    authors: lenientList(z.string()),
    categories: lenientList(z.string()),
    publisher: lenientText,
    publishedDate: lenientText,
    language: lenientText,
    industryIdentifiers: lenientList(z.object({ identifier: z.string() })),
  }),
});
const answerSchema = z.object({ totalItems: z.number(), items: lenientList(volumeSchema) });

/** Asks Google Books. Its search also answers with books that only mention the number, so each one's own is looked at. */
export async function findAtGoogle(
  base: string,
  isbn: string,
  asking: Asking,
): Promise<FoundBook | undefined> {
  const query = new URLSearchParams({ q: `isbn:${isbn}` }).toString();
  const address = new URL(`${base.replace(/\/+$/, '')}/books/v1/volumes?${query}`);
  const answer = await getJson(address, answerSchema, asking);
  const book = answer?.items.find(({ volumeInfo }) =>
    volumeInfo.industryIdentifiers.some(({ identifier }) => sameNumber(identifier, isbn)),
  )?.volumeInfo;
  if (!book) return undefined;
  return {
    title: fullTitle(book.title, book.subtitle),
    description: book.description,
    authors: book.authors,
    // "Fiction / Science Fiction / General"
    genres: book.categories.flatMap((path) => path.split(' / ')).filter((name) => name !== 'General'),
    publisher: book.publisher,
    published: book.publishedDate,
    language: book.language,
  };
}

function sameNumber(one: string, other: string): boolean {
  return one === other || (canonicalIsbn(one) ?? one) === (canonicalIsbn(other) ?? other);
}
