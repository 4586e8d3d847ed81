import * as m from '#words/messages.js';
import Check from 'lucide-react/icons/check';
import { SOURCE_OUTCOMES, type ExternalBook } from '#contracts/catalogue/book-sources.js';
import { Button } from '../../../components/form/button.js';
import { languageName } from '../../../domain/catalogue/book-texts.js';
import { BOOK_FIELDS, FIELD_NAMES, sameValue, type BookFormValues } from './book-form-values.js';
import { FIELD_OF, formOfFound, fullname, type NewName } from './new-name.js';

type Field = keyof BookFormValues;

interface FoundFieldsProps {
  book: ExternalBook;
  /** Field by field; otherwise all of it is in the form. */
  isOffered: boolean;
  values: BookFormValues;
  unknown: readonly NewName[];
  onTake: (fields: readonly Field[]) => void;
}

/** What was found of a book, beside what the form has: nothing is taken over what was typed unless a person says so. */
export function FoundFields({ book, isOffered, values, unknown, onTake }: FoundFieldsProps) {
  const offers = offersOf(book, values, unknown);
  const empty = offers.filter(({ ours, isTaken }) => ours === '' && !isTaken).map(({ field }) => field);
  return (
    <section
      className="flex flex-col gap-3 py-3 px-4 border-l-3 border-accent-text rounded bg-accent-wash"
      aria-label={m.book_found_label()}
      data-found
    >
      <p role="status">
        {book.asked.map(({ name, outcome }) => SOURCE_OUTCOMES[outcome]({ name })).join(' ')}
      </p>
      {isOffered && (
        <>
          <ul role="list" className="flex flex-col">
            {offers.map(({ field, ours, theirs, isTaken }) => (
              <li
                key={field}
                className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 gap-y-1 py-2 border-t border-line"
                data-offer={field}
              >
                <div className="min-w-0">
                  <p className="note first-letter:uppercase">{FIELD_NAMES[field]}</p>
                  <p className="line-clamp-4 wrap-anywhere">{theirs}</p>
                  {!isTaken && ours !== '' && (
                    <p className="note line-clamp-2 wrap-anywhere">{m.book_found_ours({ value: ours })}</p>
                  )}
                </div>
                <Button
                  size="small"
                  {...(isTaken && { icon: Check, look: 'plain' as const, 'aria-disabled': true })}
                  aria-label={(isTaken ? m.book_found_taken_field : m.book_found_take_field)({
                    field: FIELD_NAMES[field],
                  })}
                  onClick={() => !isTaken && onTake([field])}
                >
                  {isTaken ? m.book_found_taken() : m.book_found_take()}
                </Button>
              </li>
            ))}
          </ul>
          {empty.length > 0 && (
            <div>
              <Button onClick={() => onTake(empty)}>{m.book_found_take_empty()}</Button>
            </div>
          )}
        </>
      )}
    </section>
  );
}

/** What stands in a field, as a person reads it. */
function textOf(field: Field, value: BookFormValues[Field] | undefined): string {
  if (Array.isArray(value)) return value.map(({ name }) => name).join(', ');
  if (typeof value === 'object') return value?.name ?? '';
  return field === 'language' && value ? languageName(value) : (value ?? '').trim();
}

function offersOf(book: ExternalBook, values: BookFormValues, unknown: readonly NewName[]) {
  const filled = formOfFound(book).values;
  /** With the names that the catalogue does not have. */
  const names: Partial<Record<Field, string>> = {
    authors: book.authors.map(fullname).join(', '),
    genres: book.genres.map(({ name }) => name).join(', '),
    publisher: book.publisher?.name ?? '',
  };
  return BOOK_FIELDS.filter((field) => field !== 'isbn' && field in filled).map((field) => {
    const ours = textOf(field, values[field]);
    const theirs = names[field] ?? textOf(field, filled[field]);
    const isTaken =
      ours === theirs ||
      (sameValue(values[field], filled[field]) && unknown.some(({ kind }) => FIELD_OF[kind] === field));
    return { field, ours, theirs, isTaken };
  });
}
