import * as m from '#words/messages.js';
import X from 'lucide-react/icons/x';
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
import {
  fieldsOf,
  kindsOf,
  type NumberName,
  inherited,
  numberText,
  UNITS,
  type RuleField,
} from '../rule-texts.js';
import styles from './rules-form.module.css';
import { typedNumber, type RuleErrors, type TypedException, type PartProps } from './typed-rules.js';
import { Field } from '../../../components/form/field.js';

const EVERY = 'every';
const READERS: readonly { value: ReaderKind | typeof EVERY; label: string }[] = [
  { value: EVERY, label: m.rules_every_reader() },
  ...READER_KINDS.map((value) => ({ value, label: READER_KIND_LABELS[value]() })),
];
const BOOKS: readonly { value: BookKind | typeof EVERY; label: string }[] = [
  { value: EVERY, label: m.rules_every_book() },
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
      <legend className={styles.title}>{m.rules_exceptions()}</legend>
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
        aria-label={m.rules_another_exception()}
      >
        <Choice label={m.rules_exception_for()} value={reader} options={READERS} onChoose={setReader} />
        <Choice label={m.rules_exception_and()} value={book} options={BOOKS} onChoose={setBook} />
        <Button
          disabled={!isNamed || isThere}
          onClick={() => {
            onEdit({ exceptions: [...exceptions, { ...kinds, numbers: {} }] });
            setReader(EVERY);
            setBook(EVERY);
          }}
        >
          {m.rules_add_exception()}
        </Button>
        <p className="note">{isThere ? m.rules_exception_there() : m.rules_exceptions_hint()}</p>
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
          aria-label={m.rules_remove_exception({ name })}
          onClick={() => onChange(null)}
        >
          {m.common_remove()}
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
            hint={(field.blank === undefined ? m.rules_otherwise : m.rules_otherwise_blank)({
              value: numberText(field, usual[field.name]),
            })}
            onChange={(value) => edit(field.name, value)}
          />
          <Button
            icon={X}
            size="small"
            look="plain"
            aria-label={m.rules_as_for_everyone({ number: field.label })}
            onClick={() => edit(field.name, undefined)}
          />
        </div>
      ))}
      {left.length > 0 && (
        <Choice
          label={own.length === 0 ? m.rules_what_differs() : m.rules_what_else_differs()}
          value=""
          options={[
            { value: '', label: m.rules_choose() },
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
            inputMode={unit === 'money' ? 'decimal' : 'numeric'}
            autoComplete="off"
            aria-required={blank === undefined}
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
          <span className="text-ink-soft text-1" aria-hidden="true">
            {UNITS[unit].name()}
          </span>
        </span>
      )}
    </Field>
  );
}
