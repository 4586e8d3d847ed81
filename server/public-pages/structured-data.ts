import type { Book as BookData, ItemList, Library, Person, WithContext } from 'schema-dts';
import type { Author } from '#contracts/catalogue/authorities.js';
import { isInternalNumber } from '#contracts/catalogue/book-facts.js';
import type { Book, BookListItem } from '#contracts/catalogue/book-views.js';
import { publicAddress } from '#contracts/public-address.js';
import type { OpeningHours } from '#contracts/rules/opening-hours.js';
import type { LibraryFacts } from '#platform/library-facts.js';

/*
 * What search engines read of a page (JSON-LD in the vocabulary of schema.org). Its types are those of the vocabulary: a property that
 * is none, or has another kind of value, is a type error.
 */

const CONTEXT = { '@context': 'https://schema.org' } as const;
/** The whole of an address of ours. */
type Absolute = (address: string) => string;

export function bookData(book: Book, address: string, library: LibraryFacts, absolute: Absolute) {
  const { title, authors, isbn, published, publisher, language, genres, photo, description } = book;
  const url = absolute(address);
  return {
    ...CONTEXT,
    '@type': 'Book',
    '@id': url,
    url,
    name: title,
    ...(authors.length > 0 && {
      author: authors.map(({ id, fullname }) => ({
        ...{ '@type': 'Person' as const, name: fullname },
        url: absolute(publicAddress('author', { id, title: fullname })),
      })),
    }),
    ...(/^(97[89])?\d{9}[\dX]$/.test(isbn) && !isInternalNumber(isbn) && { isbn }),
    ...(published !== null && { datePublished: published }),
    ...(publisher && { publisher: { '@type': 'Organization', name: publisher.name } }),
    ...(language !== null && { inLanguage: language }),
    ...(genres.length > 0 && { genre: genres.map(({ name }) => name) }),
    ...(description !== '' && { description }),
    ...(photo && { image: absolute(photo.url) }),
    offers: {
      '@type': 'Offer',
      businessFunction: { '@id': 'http://purl.org/goodrelations/v1#LeaseOut' },
      availability: `https://schema.org/${book.copiesAvailable > 0 ? 'InStock' : 'OutOfStock'}`,
      url,
      offeredBy: libraryOf(library, absolute),
    },
  } satisfies WithContext<BookData>;
}

export function authorData(author: Author, address: string, absolute: Absolute) {
  const { fullname, otherNames, biography, nationality } = author;
  const url = absolute(address);
  return {
    ...{ ...CONTEXT, '@type': 'Person', '@id': url, url, name: fullname },
    ...(otherNames.length > 0 && { alternateName: otherNames }),
    ...(nationality !== '' && { nationality: { '@type': 'Country', name: nationality } }),
    ...(biography !== '' && { description: biography }),
  } satisfies WithContext<Person>;
}

/** @param first the place of the first of these books on the list, from 1 */
export function listData(
  { name, description }: { name: string; description: string },
  books: readonly BookListItem[],
  first: number,
  absolute: Absolute,
) {
  return {
    ...{ ...CONTEXT, '@type': 'ItemList', name },
    ...(description !== '' && { description }),
    itemListElement: books.map((book, at) => ({
      '@type': 'ListItem',
      position: first + at,
      url: absolute(publicAddress('book', book)),
      name: book.title,
    })),
  } satisfies WithContext<ItemList>;
}

/** A day on which it is closed opens and closes at midnight. */
export function libraryData({ days }: OpeningHours, library: LibraryFacts, absolute: Absolute) {
  const told = days.filter(({ isOpen, hours }) => !isOpen || hours !== null);
  return {
    ...{ ...CONTEXT, ...libraryOf(library, absolute) },
    ...(library.all.logo !== null && { logo: absolute(`/api/Library/logo/${library.all.logo}`) }),
    ...(told.length > 0 && {
      openingHoursSpecification: told.map(({ day, hours }) => ({
        '@type': 'OpeningHoursSpecification',
        validFrom: day,
        validThrough: day,
        ...(hours ?? { opens: '00:00', closes: '00:00' }),
      })),
    }),
  } satisfies WithContext<Library>;
}

function libraryOf({ name, all: { address, phone, email } }: LibraryFacts, absolute: Absolute) {
  return {
    ...{ '@type': 'Library', '@id': absolute('/#library'), name, url: absolute('/') },
    ...(address !== '' && { address }),
    ...(phone !== '' && { telephone: phone }),
    ...(email !== '' && { email }),
  } as const satisfies Library;
}
