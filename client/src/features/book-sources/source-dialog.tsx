import * as m from '#words/messages.js';
import { useState } from 'react';
import { SOURCE_KINDS, sourceSchema, type BookSource } from '#contracts/catalogue/book-sources.js';
import { CommandDialog, type CommandDialogProps } from '../../components/dialog/dialog.js';
import { SelectField } from '../../components/form/choice.js';
import { Field } from '../../components/form/field.js';
import { messagesOf } from '../../components/form/use-light-form.js';

type Kind = BookSource['kind'];
const KINDS = Object.keys(SOURCE_KINDS) as Kind[];

const TEXTS = {
  name: { label: m.source_field_name(), hint: undefined },
  address: { label: m.source_field_address(), hint: m.source_field_address_hint() },
  index: { label: m.source_field_index(), hint: m.source_field_index_hint() },
  set: { label: m.source_field_set(), hint: m.source_field_set_hint() },
  format: { label: m.source_field_format(), hint: m.source_field_format_hint() },
  timeLimit: { label: m.source_field_time(), hint: m.source_field_time_hint() },
} as const;
type TextName = keyof typeof TEXTS;

const FIELDS_OF: Record<Kind, readonly TextName[]> = {
  'open-library': ['name', 'timeLimit'],
  'google-books': ['name', 'timeLimit'],
  sru: ['name', 'address', 'index', 'format', 'timeLimit'],
  'oai-pmh': ['name', 'address', 'set', 'format', 'timeLimit'],
};

/** What a new one begins with: as most servers have it. */
const USUAL: Record<Kind, Partial<Record<TextName, string>>> = {
  'open-library': { name: 'Open Library' },
  'google-books': { name: 'Google Books' },
  sru: { index: 'bath.isbn', format: 'marcxml' },
  'oai-pmh': { format: 'marc21', timeLimit: '30' },
};
const EMPTY = { name: '', address: '', index: '', set: '', format: '', timeLimit: '3.5' };

interface SourceDialogProps extends Pick<CommandDialogProps, 'command' | 'onClose'> {
  /** The one that is edited. */
  source: BookSource | null;
  onSave: (source: BookSource) => void;
}

/** A source is added, or edited. */
export function SourceDialog({ source, command, onSave, onClose }: SourceDialogProps) {
  const [kind, setKind] = useState<Kind>(source?.kind ?? 'sru');
  const [texts, setTexts] = useState<Record<TextName, string>>(() =>
    source ? { ...EMPTY, ...source, timeLimit: String(source.timeLimit / 1000) } : { ...EMPTY, ...USUAL.sru },
  );
  const [takesNew, setTakesNew] = useState(source?.kind === 'oai-pmh' && source.takesNew);
  const [on, setOn] = useState(source?.on ?? true);
  const [isChecked, setChecked] = useState(false);

  const parsed = sourceSchema.safeParse({
    ...{ ...texts, kind, takesNew, on, id: source?.id ?? null },
    timeLimit: Math.round(Number(texts.timeLimit.replace(',', '.')) * 1000),
  });
  const ticks =
    kind === 'oai-pmh'
      ? [
          { label: m.source_takes_new(), checked: takesNew, onChange: setTakesNew },
          { label: m.source_followed(), checked: on, onChange: setOn },
        ]
      : [{ label: m.source_asked(), checked: on, onChange: setOn }];
  const errors = isChecked && !parsed.success ? messagesOf<TextName>(parsed.error.issues) : {};
  return (
    <CommandDialog
      title={source ? m.source_edit() : m.source_add()}
      action={source ? m.common_save() : m.source_add()}
      command={command}
      onSubmit={() => {
        setChecked(true);
        if (parsed.success) onSave(parsed.data);
      }}
      onClose={onClose}
    >
      {!source && (
        <SelectField
          label={m.source_field_kind()}
          value={kind}
          options={KINDS.map((value) => ({ value, label: SOURCE_KINDS[value]() }))}
          onChoose={(chosen) => {
            setKind(chosen);
            setTexts({ ...EMPTY, ...USUAL[chosen] });
          }}
        />
      )}
      {FIELDS_OF[kind].map((name) => (
        <Field key={name} {...TEXTS[name]} errors={errors[name] ?? []}>
          {(control) => (
            <input
              {...control}
              type={name === 'address' ? 'url' : 'text'}
              inputMode={name === 'timeLimit' ? 'decimal' : undefined}
              autoComplete="off"
              spellCheck={false}
              value={texts[name]}
              onChange={({ target }) => setTexts({ ...texts, [name]: target.value })}
            />
          )}
        </Field>
      ))}
      {ticks.map(({ label, checked, onChange }) => (
        <label key={label} className="flex items-center gap-3 min-h-11">
          <input type="checkbox" checked={checked} onChange={({ target }) => onChange(target.checked)} />
          {label}
        </label>
      ))}
    </CommandDialog>
  );
}
