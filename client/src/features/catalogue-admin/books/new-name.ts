import type { AuthorBody, GenreBody, PublisherBody } from '#contracts/catalogue/authorities.js';
import type { ExternalBook } from '#contracts/catalogue/book-sources.js';
import type { BookFormValues } from './book-form-values.js';

/** An author, a genre or a publisher that the catalogue does not have yet, with what is known of it. */
export type NewName =
  | { kind: 'author'; known: Partial<AuthorBody> }
  | { kind: 'genre'; known: Partial<GenreBody> }
  | { kind: 'publisher'; known: Partial<PublisherBody> };

/** Where in the form names of a kind stand. */
export const FIELD_OF = { author: 'authors', genre: 'genres', publisher: 'publisher' } as const;

export function nameOf(name: NewName): string {
  if (name.kind !== 'author') return name.known.name ?? '';
  return `${name.known.firstname ?? ''} ${name.known.lastname ?? ''}`.trim();
}

export const fullname = ({ firstname, lastname }: { firstname: string; lastname: string }) =>
  `${firstname} ${lastname}`.trim();

/** What was found of a book, as the form takes it: nothing that was typed gives way to an unknown. */
export function formOfFound(found: ExternalBook): { values: Partial<BookFormValues>; unknown: NewName[] } {
  const known = <Item extends { id: number | null }>(items: readonly Item[], name: (item: Item) => string) =>
    items.flatMap((item) => (item.id === null ? [] : [{ id: item.id, name: name(item) }]));
  const { publisher } = found;
  return {
    values: {
      ...(found.isbn && { isbn: found.isbn }),
      ...(found.title && { title: found.title }),
      ...(found.description && { description: found.description }),
      ...(found.authors.length > 0 && { authors: known(found.authors, fullname) }),
      ...(found.genres.length > 0 && { genres: known(found.genres, ({ name }) => name) }),
      ...(publisher && {
        publisher: publisher.id === null ? null : { id: publisher.id, name: publisher.name },
      }),
      ...(found.published && { publicationDate: found.published }),
      ...(found.language && { language: found.language }),
    },
    unknown: [
      ...found.authors
        .filter(({ id }) => id === null)
        .map(({ firstname, lastname }): NewName => ({ kind: 'author', known: { firstname, lastname } })),
      ...found.genres
        .filter(({ id }) => id === null)
        .map(({ name }): NewName => ({ kind: 'genre', known: { name } })),
      ...(publisher?.id === null ? [{ kind: 'publisher' as const, known: { name: publisher.name } }] : []),
    ],
  };
}
