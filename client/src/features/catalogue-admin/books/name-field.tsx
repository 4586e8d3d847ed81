import * as m from '#words/messages.js';
import { useQuery } from '@tanstack/react-query';
import Plus from 'lucide-react/icons/plus';
import { useEffect, useState } from 'react';
import { useController, type Control } from 'react-hook-form';
import { Button } from '../../../components/form/button.js';
import { Field } from '../../../components/form/field.js';
import { Picker } from '../../../components/form/picker.js';
import { MAX_SHOWN_OPTIONS, type PickerOption } from '../../../components/form/picker-options.js';
import { May } from '../../../domain/may.js';
import { queryOf } from '../../../lib/api/send.js';
import {
  AUTHORS,
  GENRES,
  PUBLISHERS,
  type Authority,
  type AuthorityKind,
} from '../authorities/authority-kinds.js';
import type { BookFormValues } from './book-form-values.js';
import { nameOf, type NewName } from './new-name.js';

const NEW_OF = {
  author: m.book_form_new_author,
  genre: m.book_form_new_genre,
  publisher: m.book_form_new_publisher,
};

/** Who may add one. */
const ADDING = { author: AUTHORS.calls.add, genre: GENRES.calls.add, publisher: PUBLISHERS.calls.add };

/** Milliseconds without another letter after which the server is asked. */
const PAUSE_MS = 250;

/**
 * Those to choose from: the first by name, and where there are more than one answer has, those that the server finds for what is
 * typed.
 */
function useAuthorityOptions<Item extends Authority & Body, Body extends object, Sort extends string>(
  { calls, nameOf }: AuthorityKind<Item, Body, Sort>,
  typed: string,
) {
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(typed.trim()), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [typed]);
  const listOf = (SearchTerm: string) => ({
    ...queryOf(calls.list, { query: { SearchTerm, pageNumber: 1, pageSize: MAX_SHOWN_OPTIONS } }),
    select: (items: Item[]) => items.map((item): PickerOption => ({ id: item.id, name: nameOf(item) })),
    meta: { inPlace: true },
  });
  const first = useQuery(listOf(''));
  const isFound = first.isSuccess && first.data.length >= MAX_SHOWN_OPTIONS && typed.trim() !== '';
  const isSettled = settled === typed.trim();
  const found = useQuery({ ...listOf(settled), enabled: isFound && isSettled });
  const shown = isFound ? found : first;
  return {
    options: shown.data,
    isFound,
    isSearching: isFound && (!isSettled || found.isPending) && !found.isError,
    onRetry: shown.isError ? () => void shown.refetch() : undefined,
  };
}

const KINDS = {
  author: {
    field: 'authors',
    label: m.common_authors(),
    useOptions: (typed: string) => useAuthorityOptions(AUTHORS, typed),
  },
  genre: {
    field: 'genres',
    label: m.common_genres(),
    useOptions: (typed: string) => useAuthorityOptions(GENRES, typed),
  },
  publisher: {
    field: 'publisher',
    label: m.common_publisher(),
    useOptions: (typed: string) => useAuthorityOptions(PUBLISHERS, typed),
  },
} as const;

interface NameFieldProps {
  kind: NewName['kind'];
  control: Control<BookFormValues>;
  required: boolean;
  error: string | undefined;
  /** Names that were found with the book and that the catalogue does not have yet. */
  unknown: readonly NewName[];
  onAdd: (name: NewName) => void;
}

/** The authors, the genres or the publisher of a book, with a way to add one that is not there yet. */
export function NameField({ kind, control, required, error, unknown, onAdd }: NameFieldProps) {
  const { field: name, label, useOptions } = KINDS[kind];
  const [typed, setTyped] = useState('');
  const offered = useOptions(typed);
  const { field } = useController({ control, name });
  const chosen = Array.isArray(field.value) ? field.value : field.value ? [field.value] : [];

  return (
    <div className="flex flex-col gap-2">
      <Field label={label} errors={[error]}>
        {(fieldControl) => (
          <Picker
            control={fieldControl}
            label={`${kind}s`}
            placeholder={m.authority_search({ kind })}
            {...offered}
            onType={setTyped}
            chosen={chosen}
            single={kind === 'publisher'}
            required={required}
            onChange={(next) => field.onChange(kind === 'publisher' ? (next[0] ?? null) : next)}
            onBlur={field.onBlur}
            inputRef={field.ref}
          />
        )}
      </Field>
      <May make={ADDING[kind]}>
        {' '}
        <div className="flex flex-wrap gap-2 -mt-1">
          {unknown
            .filter((each) => each.kind === kind)
            .map((each) => (
              <Button icon={Plus} key={nameOf(each)} size="small" onClick={() => onAdd(each)}>
                {m.book_form_add_name({ name: nameOf(each) })}
              </Button>
            ))}
          <Button size="small" look="plain" onClick={() => onAdd({ kind, known: {} })}>
            + {NEW_OF[kind]()}
          </Button>
        </div>
      </May>
    </div>
  );
}
