import * as m from '#words/messages.js';
import { zodResolver } from '@hookform/resolvers/zod';
import type { Resolver } from 'react-hook-form';
import {
  bookBodySchema,
  bookFormSchema,
  COVER_FIELD,
  isVolumeOfSeries,
  lackableSchema,
  VOLUME_ALONE,
} from '#contracts/catalogue/book-save.js';
import type { Book } from '#contracts/catalogue/book-views.js';
import { isStored } from '#contracts/stored-fields.js';
import type { BookKind } from '#contracts/rules/kinds.js';
import { typedAmount } from '../../../lib/texts.js';
import type { PickerOption } from '../../../components/form/picker-options.js';

/** The book form as it is typed in. */
export interface BookFormValues {
  isbn: string;
  title: string;
  originalTitle: string;
  /** One a line. */
  otherTitles: string;
  series: string;
  /** As it is printed: `1`, `1-3`. */
  volume: string;
  description: string;
  authors: PickerOption[];
  genres: PickerOption[];
  publisher: PickerOption | null;
  /** A year, a month or a day, or empty. */
  publicationDate: string;
  copiesAvailable: string;
  /** In PLN, or empty. */
  price: string;
  kind: BookKind;
  /** ISO 639, or empty. */
  language: string;
}

/** In sentences; in the order of the screen: the first one that is wrong gets the focus. */
export const FIELD_NAMES = {
  isbn: m.book_form_field_isbn(),
  title: m.book_form_field_title(),
  originalTitle: m.book_form_field_original_title(),
  otherTitles: m.book_form_field_other_titles(),
  series: m.book_form_field_series(),
  volume: m.book_form_field_volume(),
  description: m.book_form_field_description(),
  authors: m.book_form_field_authors(),
  genres: m.book_form_field_genres(),
  publicationDate: m.book_form_field_date(),
  language: m.book_form_field_language(),
  copiesAvailable: m.book_form_field_copies(),
  price: m.book_form_field_price(),
  kind: m.book_form_field_kind(),
  publisher: m.book_form_field_publisher(),
} satisfies Record<keyof BookFormValues, string>;

export const BOOK_FIELDS = Object.keys(FIELD_NAMES) as (keyof BookFormValues)[];

export const EMPTY_BOOK: BookFormValues = {
  isbn: '',
  title: '',
  originalTitle: '',
  otherTitles: '',
  series: '',
  volume: '',
  description: '',
  authors: [],
  genres: [],
  publisher: null,
  publicationDate: '',
  copiesAvailable: '',
  price: '',
  kind: 'loanable',
  language: '',
};

export function valuesOf(book: Book): BookFormValues {
  return {
    isbn: book.isbn,
    title: book.title,
    originalTitle: book.originalTitle ?? '',
    otherTitles: book.otherTitles.join('\n'),
    series: book.series ?? '',
    volume: book.volume ?? '',
    description: book.description,
    authors: book.authors.map(({ id, fullname }) => ({ id, name: fullname })),
    genres: book.genres.map(({ id, name }) => ({ id, name })),
    publisher: book.publisher && { id: book.publisher.id, name: book.publisher.name },
    publicationDate: book.published ?? '',
    copiesAvailable: String(book.copiesAvailable),
    price: book.price === null ? '' : typedAmount(book.price),
    kind: book.kind,
    language: book.language ?? '',
  };
}

export function sameValue<Value>(one: Value, other: Value): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** At least one copy (specification, section 5), but where all are lent there may still be none. */
function formSchema(edited: Book | undefined) {
  const schema =
    edited?.copiesAvailable === 0
      ? bookFormSchema.extend({ copiesAvailable: bookBodySchema.shape.copiesAvailable })
      : bookFormSchema;
  return schema.refine(isVolumeOfSeries, VOLUME_ALONE);
}

/** Checks what is typed with the contract's own rules; what an edited book lacks may be lacking still. */
export function bookResolver(edited: Book | undefined): Resolver<BookFormValues> {
  const resolve = zodResolver(formSchema(edited)) as unknown as Resolver<BookFormValues>;
  if (!edited) return resolve;
  const stored = valuesOf(edited);
  return async (values, context, options) => {
    const result = await resolve(values, context, options);
    const wrong = Object.entries(result.errors).filter(([name]) => {
      const field = name as keyof BookFormValues;
      return !(field in lackableSchema.shape && isStored(values[field], stored[field]));
    });
    return wrong.length === 0 ? { values, errors: {} } : { values: {}, errors: Object.fromEntries(wrong) };
  };
}

export interface BookToSave {
  values: BookFormValues;
  cover: File | null;
  /** The picture that is saved is to go. */
  removeCover: boolean;
  /** The book as it was when its version was taken. */
  edited: Book | undefined;
  isbnConfirmed: boolean;
}

const TEXTS = [
  ...(['title', 'originalTitle', 'otherTitles', 'series', 'volume', 'description'] as const),
  ...(['publicationDate', 'language', 'copiesAvailable', 'price', 'kind'] as const),
];

/** The multipart form of a book (specification, section 7). The values have to be valid. */
export function formDataOf(toSave: BookToSave): FormData {
  const { values, cover, removeCover, edited, isbnConfirmed } = toSave;
  const data = new FormData();
  for (const name of TEXTS) data.set(name, values[name].trim());
  data.set('isbn', bookFormSchema.shape.isbn.parse(values.isbn));
  if (values.publisher) data.set('publisher.id', String(values.publisher.id));
  values.authors.forEach(({ id }, index) => data.set(`authors[${index}].id`, String(id)));
  values.genres.forEach(({ id }, index) => data.set(`genres[${index}].id`, String(id)));
  if (edited) {
    data.set('version', String(edited.version));
    data.set('copiesBefore', String(edited.copiesAvailable));
  }
  if (isbnConfirmed) data.set('isbnConfirmed', 'true');
  if (removeCover && !cover) data.set('removeCover', 'true');
  if (cover) data.set(COVER_FIELD, cover);
  return data;
}
