import { X } from 'lucide-react';
import { useState } from 'react';
import {
  BOOK_KIND_LABELS,
  BOOK_KINDS,
  READER_KIND_LABELS,
  READER_KINDS,
  type BookKind,
  type ReaderKind,
} from '#contracts/rules/kinds.js';
import type { RuleSet } from '#contracts/rules/rule-set.js';
import { Button } from '../../../components/form/button.js';
import { Choice } from '../../../components/form/choice.js';
import { fieldsOf, kindsOf, type NumberName, inherited, numberText, type RuleField } from '../rule-texts.js';
import styles from './rules-form.module.css';
import { typedNumber, type RuleErrors, type TypedException, type PartProps } from './typed-rules.js';
import { Field } from '../../../components/form/field.js';

const EVERY = 'every';
const READERS: readonly { value: ReaderKind | typeof EVERY; label: string }[] = [
  { value: EVERY, label: 'Every reader' },
  ...READER_KINDS.map((value) => ({ value, label: READER_KIND_LABELS[value]() })),
];
const BOOKS: readonly { value: BookKind | typeof EVERY; label: string }[] = [
  { value: EVERY, label: 'every book' },
  ...BOOK_KINDS.map((value) => ({ value, label: BOOK_KIND_LABELS[value]() })),
];

interface ExceptionsPartProps extends PartProps {
  /** The rules as they are typed, or as they were when they could last be read: what exceptions differ from. */
  rules: RuleSet;
}

/** What differs for kinds of readers and books; what is not said there is as for everybody. */
export function ExceptionsPart({ typed: { exceptions }, rules, errors, onEdit }: ExceptionsPartProps) {
  const [reader, setReader] = useState<ReaderKind | typeof EVERY>(EVERY);
  const [book, setBook] = useState<BookKind | typeof EVERY>(EVERY);
  const kinds = { reader: reader === EVERY ? null : reader, book: book === EVERY ? null : book };
  const isThere = exceptions.some((each) => each.reader === kinds.reader && each.book === kinds.book);
  const isNamed = kinds.reader !== null || kinds.book !== null;
  const edit = (n: number, exception: TypedException | null) =>
    onEdit({
      exceptions: exceptions.flatMap((each, other) => (other !== n ? [each] : exception ? [exception] : [])),
    });
  return (
    <fieldset className={styles.group}>
      <legend className={styles.title}>Exceptions</legend>
      {exceptions.length > 0 && (
        <ul
          role="list"
          // Exceptions
          className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] gap-4 mb-4"
        >
          {exceptions.map((exception, n) => (
            <li key={kindsOf(exception)}>
              <Exception
                exception={exception}
                rules={rules}
                errors={errors}
                path={`exceptions.${n}`}
                onChange={(changed) => edit(n, changed)}
              />
            </li>
          ))}
        </ul>
      )}
      {errors.get('exceptions') !== undefined && (
        <p className="w-full text-danger text-1">{errors.get('exceptions')}</p>
      )}
      <div
        className="flex flex-wrap items-center gap-x-4 gap-y-3"
        role="group"
        aria-label="Another exception"
      >
        <Choice label="For" value={reader} options={READERS} onChoose={setReader} />
        <Choice label="and" value={book} options={BOOKS} onChoose={setBook} />
        <Button
          disabled={!isNamed || isThere}
          onClick={() => {
            onEdit({ exceptions: [...exceptions, { ...kinds, numbers: {} }] });
            setReader(EVERY);
            setBook(EVERY);
          }}
        >
          Add an exception
        </Button>
        <p className="note">
          {isThere
            ? 'There is already an exception for these kinds.'
            : 'List only what differs. Where two exceptions apply, the one for the kind of book wins.'}
        </p>
      </div>
    </fieldset>
  );
}

interface ExceptionProps {
  exception: TypedException;
  rules: RuleSet;
  errors: RuleErrors;
  path: string;
  onChange: (exception: TypedException | null) => void;
}

function Exception({ exception, rules, errors, path, onChange }: ExceptionProps) {
  const { numbers } = exception;
  const name = kindsOf(exception);
  const usual = inherited(rules, exception);
  const possible = fieldsOf(exception);
  const own = possible.filter(({ name: each }) => numbers[each] !== undefined);
  const left = possible.filter(({ name: each }) => numbers[each] === undefined);
  const edit = (field: NumberName, value: string | undefined) => {
    const { [field]: _old, ...others } = numbers;
    onChange({ ...exception, numbers: value === undefined ? others : { ...numbers, [field]: value } });
  };
  const wrong = errors.get(`${path}.numbers`);
  return (
    <section
      className="flex flex-col gap-4 p-4 border border-line rounded bg-surface"
      aria-label={name}
      data-exception={name}
    >
      <div className="flex items-center justify-between gap-3 [&_h3]:m-0 [&_h3]:font-serif [&_h3]:text-2 [&_h3]:font-semibold">
        <h3>{name}</h3>
        <Button
          size="small"
          look="plain"
          aria-label={`Remove the exception: ${name}`}
          onClick={() => onChange(null)}
        >
          Remove
        </Button>
      </div>
      {own.map((field) => (
        <div
          key={field.name}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2 [&>:last-child]:mt-7"
        >
          <NumberField
            field={field}
            value={numbers[field.name] ?? ''}
            error={errors.get(`${path}.numbers.${field.name}`)}
            hint={`Otherwise ${numberText(field, usual[field.name])}.${field.blank === undefined ? '' : ' Blank: from the first day on.'}`}
            onChange={(value) => edit(field.name, value)}
          />
          <Button
            icon={X}
            size="small"
            look="plain"
            aria-label={`As for everyone: ${field.label}`}
            onClick={() => edit(field.name, undefined)}
          />
        </div>
      ))}
      {left.length > 0 && (
        <Choice
          label={own.length === 0 ? 'What differs' : 'And'}
          value=""
          options={[
            { value: '', label: 'Choose…' },
            ...left.map(({ name: value, label }) => ({ value: value as string, label })),
          ]}
          onChoose={(value) => {
            const field = left.find(({ name: each }) => each === value);
            if (field) edit(field.name, typedNumber(field, usual[field.name]));
          }}
        />
      )}
      {wrong !== undefined && <p className="w-full text-danger text-1">{wrong}</p>}
    </section>
  );
}

interface NumberFieldProps {
  field: RuleField;
  value: string;
  error: string | undefined;
  /** In place of the field's own hint. */
  hint?: string;
  onChange: (value: string) => void;
}

/** A number of the rules, with what it counts behind it. */
export function NumberField({ field, value, error, hint = field.hint, onChange }: NumberFieldProps) {
  const { label, unit, blank } = field;
  return (
    <Field label={label} errors={[error]} {...(hint !== undefined && { hint })}>
      {(control) => (
        <span className="flex items-center gap-2 [&_input]:max-w-26 [&_input]:text-right [&_input]:tabular-nums">
          <input
            {...control}
            type="text"
            inputMode={unit === 'PLN' ? 'decimal' : 'numeric'}
            autoComplete="off"
            aria-required={blank === undefined}
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
          <span className="text-ink-soft text-1" aria-hidden="true">
            {unit}
          </span>
        </span>
      )}
    </Field>
  );
}
