import * as m from '#words/messages.js';
import { useRef } from 'react';
import type { LetterMessage, LetterRole, OwnText } from '#contracts/library/own-words.js';
import { Button } from '../../components/form/button.js';
import { Field } from '../../components/form/field.js';

const ROLES: Record<LetterRole, string> = {
  subject: m.own_letters_role_subject(),
  heading: m.own_letters_role_heading(),
  text: m.own_letters_role_text(),
  button: m.own_letters_role_button(),
  label: m.own_letters_role_label(),
  head: m.own_letters_role_head(),
  foot: m.own_letters_role_foot(),
};

interface MessageFieldProps {
  message: LetterMessage;
  /** As the library says it; nothing where it leaves it to the product. */
  own: OwnText | undefined;
  errors: Readonly<Record<string, readonly string[]>>;
  onSay: (texts: OwnText | undefined) => void;
}

/** A text of a letter, with a field for each of its forms. */
export function MessageField({ message, own, errors, onSay }: MessageFieldProps) {
  const { key, role, isLong, forms, placeholders, alsoIn } = message;
  const last = useRef<HTMLTextAreaElement | HTMLInputElement>(null);
  const usual = Object.fromEntries(forms.map((each) => [each.form, each.usual]));
  const texts = own ?? usual;
  const say = (form: string, text: string) => {
    const said = { ...texts, [form]: text };
    onSay(forms.every((each) => said[each.form] === each.usual) ? undefined : said);
  };
  const insert = (name: string) => {
    const field = last.current;
    const form = field?.dataset['form'] ?? forms[0]?.form ?? '';
    const text = texts[form] ?? '';
    const [from, until] = [field?.selectionStart ?? text.length, field?.selectionEnd ?? text.length];
    say(form, `${text.slice(0, from)}{${name}}${text.slice(until)}`);
    field?.focus();
  };
  return (
    <div className="flex flex-col gap-2 min-w-0" data-message={key}>
      {forms.map(({ form, numbers }, place) => {
        const shared = {
          'data-form': form,
          value: texts[form] ?? '',
          onFocus: ({ currentTarget }: { currentTarget: HTMLTextAreaElement | HTMLInputElement }) => {
            last.current = currentTarget;
          },
          onChange: ({ target }: { target: { value: string } }) => say(form, target.value),
        };
        const control = isLong
          ? (props: object) => <textarea {...props} {...shared} rows={rowsOf(texts[form] ?? '')} />
          : (props: object) => <input {...props} {...shared} />;
        return (
          <Field
            key={form}
            label={forms.length > 1 ? `${ROLES[role]} · ${numbersSaid(numbers)}` : ROLES[role]}
            hint={
              place === forms.length - 1 && alsoIn.length > 0
                ? m.own_letters_also_in({ names: named(alsoIn) })
                : undefined
            }
            errors={[...(errors[`words.${key}.${form}`] ?? []), ...(errors[`words.${key}`] ?? [])]}
          >
            {control}
          </Field>
        );
      })}
      <div className="flex flex-wrap items-center gap-2">
        {placeholders.map(({ name, example }) => (
          <Button key={name} size="small" title={example} onClick={() => insert(name)}>
            {`{${name}}`}
          </Button>
        ))}
        {own && (
          <Button size="small" look="plain" onClick={() => onSay(undefined)}>
            {m.own_letters_usual_text()}
          </Button>
        )}
      </div>
    </div>
  );
}

const NAMED = 3;
/** Some of the names, where they are many. */
const named = (names: readonly string[]) =>
  names.length > NAMED + 1 ? `${names.slice(0, NAMED).join(', ')}…` : names.join(', ');

const LINE = 60;
const rowsOf = (text: string) =>
  Math.min(
    12,
    text.split('\n').reduce((rows, line) => rows + 1 + Math.floor(line.length / LINE), 1),
  );

/** "1 book", "2, 3, 4 … books": for which numbers a form is. */
function numbersSaid(numbers: Readonly<Record<string, readonly number[]>>): string {
  return Object.entries(numbers)
    .map(([what, some]) => {
      const all = some.length > 1 ? `${some.join(', ')}…` : some.join();
      return what === 'days'
        ? m.own_letters_for_days({ numbers: all })
        : m.own_letters_for_books({ numbers: all });
    })
    .join(' · ');
}
