import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useController, type Control } from 'react-hook-form';
import { Button } from '../../../components/button.js';
import { Field } from '../../../components/field.js';
import { Picker } from '../../../components/picker.js';
import type { PickerOption } from '../../../components/picker-options.js';
import { everyAuthor } from '../authors/get-authors.js';
import { everyGenre } from '../genres/get-genres.js';
import { everyPublisher } from '../publishers/get-publishers.js';
import type { BookFormValues } from './book-form-values.js';
import styles from './book-form.module.css';
import { nameOf, type NewName } from './new-name.js';

const byName = new Intl.Collator('en').compare;
const sorted = (options: PickerOption[]) => options.sort((one, other) => byName(one.name, other.name));

function useAuthorOptions() {
  return useQuery({
    ...everyAuthor,
    select: (authors) => sorted(authors.map(({ id, fullname }) => ({ id, name: fullname }))),
  });
}
function useGenreOptions() {
  return useQuery({
    ...everyGenre,
    select: (genres) => sorted(genres.map(({ id, name }) => ({ id, name }))),
  });
}
function usePublisherOptions() {
  return useQuery({
    ...everyPublisher,
    select: (publishers) => sorted(publishers.map(({ id, name }) => ({ id, name }))),
  });
}

const KINDS = {
  author: {
    field: 'authors',
    label: 'Authors',
    list: 'authors',
    placeholder: 'Search authors',
    useOptions: useAuthorOptions,
  },
  genre: {
    field: 'genres',
    label: 'Genres',
    list: 'genres',
    placeholder: 'Search genres',
    useOptions: useGenreOptions,
  },
  publisher: {
    field: 'publisher',
    label: 'Publisher',
    list: 'publishers',
    placeholder: 'Search publishers',
    useOptions: usePublisherOptions,
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
  const { field: name, label, list, placeholder, useOptions } = KINDS[kind];
  const options = useOptions();
  const { field } = useController({ control, name });
  const chosen = Array.isArray(field.value) ? field.value : field.value ? [field.value] : [];
  const noun = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  return (
    <div className={styles.names}>
      <Field label={label} errors={[error]}>
        {(fieldControl) => (
          <Picker
            control={fieldControl}
            label={list}
            placeholder={placeholder}
            options={options.data}
            onRetry={options.isError ? () => void options.refetch() : undefined}
            chosen={chosen}
            single={kind === 'publisher'}
            required
            onChange={(next) => field.onChange(kind === 'publisher' ? (next[0] ?? null) : next)}
            onBlur={field.onBlur}
            inputRef={field.ref}
          />
        )}
      </Field>
      <div className={styles.adding}>
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
