import * as m from '#words/messages.js';
import { InvalidHeader, placesOf } from '../../imports/columns.js';

/** What the importer knows to do with a column. */
export type Field =
  | 'catalogueNumber'
  | 'number'
  | 'isbn'
  | 'isbn13'
  | 'title'
  | 'originalTitle'
  | 'otherTitles'
  | 'authors'
  | 'author'
  | 'otherNames'
  | 'genres'
  | 'publisher'
  | 'series'
  | 'volume'
  | 'language'
  | 'date'
  | 'year'
  | 'description'
  | 'copies'
  | 'price'
  | 'kind'
  | 'shelfMarks'
  | 'ratings'
  | 'formulasQuoted';

/** Names of columns in English and Polish, written without blanks, hyphens and underscores. */
const NAMES: Record<Field, readonly string[]> = {
  catalogueNumber: ['cataloguenumber'],
  number: ['bookid', 'id', 'record', 'recordid', 'number'],
  isbn: ['isbn', 'isbn10'],
  isbn13: ['isbn13', 'ean', 'ean13'],
  title: ['title', 'booktitle', 'tytuł'],
  originalTitle: ['originaltitle', 'uniformtitle', 'tytułoryginału', 'tytułoryginalny'],
  otherTitles: ['othertitles', 'varianttitles'],
  authors: ['authors', 'autorzy'],
  author: ['author', 'autor'],
  otherNames: ['othernames'],
  genres: ['genres', 'genre', 'subjects', 'subject', 'categories', 'category', 'gatunki', 'gatunek'],
  publisher: ['publisher', 'publishername', 'wydawca', 'wydawnictwo'],
  series: ['series', 'seriestitle', 'seria'],
  volume: ['volume', 'seriesvolume', 'volumenumber', 'tom'],
  language: ['language', 'languagecode', 'lang', 'język'],
  date: ['publicationdate', 'published', 'date', 'datepublished', 'datawydania'],
  year: ['originalpublicationyear', 'publicationyear', 'year', 'yearofpublication', 'rok', 'rokwydania'],
  description: ['description', 'summary', 'abstract', 'opis'],
  copies: ['copies', 'copiestotal', 'copiesavailable', 'quantity', 'egzemplarze', 'liczbaegzemplarzy'],
  price: ['price', 'cena'],
  // Not "kind" alone: in others' files that is often something else.
  kind: ['bookkind'],
  shelfMarks: ['shelfmarks', 'shelfmark', 'callnumber', 'sygnatura', 'sygnatury'],
  ratings: ['ratingscount'],
  formulasQuoted: ['formulasquoted'],
};

/** Where the fields are in a row. */
export interface Columns {
  /** Cells that a row has. */
  width: number;
  places: Partial<Record<Field, number>>;
}

/**
 * Recognises the columns by their names; unknown ones are ignored.
 * @throws InvalidHeader when the title, the authors or everything that could number a book is missing
 */
export function recogniseColumns(header: readonly string[]): Columns {
  const places = placesOf(header, NAMES);
  const missing = [
    places.title === undefined && 'title',
    places.authors === undefined && places.author === undefined && 'authors',
    places.isbn === undefined && places.isbn13 === undefined && places.number === undefined && 'isbn',
  ].filter((name) => name !== false);
  if (missing.length > 0) {
    throw new InvalidHeader(
      m.import_columns_missing({
        count: missing.length,
        missing: missing.join(', '),
        header: header.join(', ').slice(0, 200),
      }),
    );
  }
  return { width: header.length, places };
}
