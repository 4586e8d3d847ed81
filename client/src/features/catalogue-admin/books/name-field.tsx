import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useController, type Control } from 'react-hook-form';
import { Button } from '../../../components/form/button.js';
import { Field } from '../../../components/form/field.js';
import { Picker } from '../../../components/form/picker.js';
import { useAuthorityOptions } from '../authorities/authority-calls.js';
import { AUTHORS, GENRES, PUBLISHERS } from '../authorities/authority-kinds.js';
import type { BookFormValues } from './book-form-values.js';
import { nameOf, type NewName } from './new-name.js';

const KINDS = {
  author: {
    field: 'authors',
    label: 'Authors',
    useOptions: (typed: string) => useAuthorityOptions(AUTHORS, typed),
  },
  genre: {
    field: 'genres',
    label: 'Genres',
    useOptions: (typed: string) => useAuthorityOptions(GENRES, typed),
  },
  publisher: {
    field: 'publisher',
    label: 'Publisher',
    useOptions: (typed: string) => useAuthorityOptions(PUBLISHERS, typed),
  },
} as const;

interface NameFieldProps {
  kind: NewName['kind'];
  control: Control<BookFormValues>;
  error: string | undefined;
  /** Names that were found with the book and that the catalogue does not have yet. */
  unknown: readonly NewName[];
  onAdd: (name: NewName) => void;
}

/** The authors, the genres or the publisher of a book, with a way to add one that is not there yet. */
export function NameField({ kind, control, error, unknown, onAdd }: NameFieldProps) {
  const { field: name, label, useOptions } = KINDS[kind];
  const [typed, setTyped] = useState('');
  const offered = useOptions(typed);
  const { field } = useController({ control, name });
  const chosen = Array.isArray(field.value) ? field.value : field.value ? [field.value] : [];
  const noun = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  return (
    <div className="flex flex-col gap-2">
      <Field label={label} errors={[error]}>
        {(fieldControl) => (
          <Picker
            control={fieldControl}
            label={`${kind}s`}
            placeholder={`Search ${kind}s`}
            {...offered}
            onType={setTyped}
            chosen={chosen}
            single={kind === 'publisher'}
            required
            onChange={(next) => field.onChange(kind === 'publisher' ? (next[0] ?? null) : next)}
            onBlur={field.onBlur}
            inputRef={field.ref}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2 -mt-1">
        {unknown
          .filter((each) => each.kind === kind)
          .map((each) => (
            <Button key={nameOf(each)} size="small" onClick={() => onAdd(each)}>
              <Plus size={14} aria-hidden="true" />
              Add {nameOf(each)}
            </Button>
          ))}
        <Button size="small" look="plain" onClick={() => onAdd({ kind, known: {} })}>
          + Add New {noun}
        </Button>
      </div>
    </div>
  );
}
