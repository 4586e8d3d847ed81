import Check from 'lucide-react/icons/check';
import ChevronDown from 'lucide-react/icons/chevron-down';
import X from 'lucide-react/icons/x';
import { useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent } from 'react';
import * as m from '#words/messages.js';
import { Button } from './button.js';
import type { FieldControl } from './field.js';
import { findOptions, MAX_SHOWN_OPTIONS, type PickerOption } from './picker-options.js';
import styles from './picker.module.css';

/** Chosen items that are shown; the others are counted (specification, section 9). */
const MAX_SHOWN = 3;

type PickedFrom = 'authors' | 'genres' | 'publishers';

export interface PickerProps {
  /** From the field around it. */
  control: FieldControl;
  /** What is chosen from. */
  label: PickedFrom;
  placeholder: string;
  /** Undefined while loading. */
  options: readonly PickerOption[] | undefined;
  /** The options are those that were found for what is typed; else they are all, and searched here. */
  isFound?: boolean;
  /** What was typed is being searched for elsewhere. */
  isSearching?: boolean;
  /** Told of what is typed. */
  onType?: (text: string) => void;
  /** They could not be fetched; retries. */
  onRetry?: (() => void) | undefined;
  chosen: readonly PickerOption[];
  /** At most one: choosing another replaces it. */
  single?: boolean;
  required?: boolean;
  onChange: (chosen: PickerOption[]) => void;
  onBlur?: () => void;
  inputRef?: (element: HTMLInputElement | null) => void;
}

/** A searchable choice of several things, or of one: a combobox with what is chosen beside it. */
export function Picker(props: PickerProps) {
  const { control, label, options, onRetry, chosen, single = false, onChange, onBlur, inputRef } = props;
  const { isFound = false, isSearching = false, onType } = props;
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, showText] = useState('');
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  /** What was chosen when the list was opened comes first in it, so that it can be found to be taken out. */
  const [first, setFirst] = useState<readonly PickerOption[]>([]);
  const [said, setSaid] = useState('');
  /** Enter was pressed before it was known what there is. */
  const [waiting, setWaiting] = useState(false);
  const matches = isFound ? (options ?? []) : findOptions(options ?? [], first, text);
  const shown = open && !isSearching ? matches.slice(0, MAX_SHOWN_OPTIONS) : [];
  const isChosen = (id: number) => chosen.some((option) => option.id === id);

  const setText = (typed: string) => {
    showText(typed);
    setWaiting(false);
    onType?.(typed);
  };
  const show = () => {
    if (open) return;
    setFirst(chosen);
    setActive(0);
    setOpen(true);
  };
  const hide = () => {
    setOpen(false);
    setText('');
  };
  const remove = (option: PickerOption) => {
    onChange(chosen.filter(({ id }) => id !== option.id));
    setSaid(m.form_picker_taken_out({ name: option.name }));
  };
  const toggle = (option: PickerOption | undefined) => {
    if (!option) return;
    if (isChosen(option.id)) {
      // Choosing the same publisher again keeps it; its own cross takes it out.
      if (!single) remove(option);
    } else {
      onChange(single ? [option] : [...chosen, option]);
      setSaid(m.form_picker_put_in({ name: option.name }));
      setText('');
    }
    if (single) hide();
  };
  const chooseFirst = useEffectEvent(() => toggle(shown[0]));
  useEffect(() => {
    if (!waiting || isSearching) return;
    const timer = window.setTimeout(() => chooseFirst());
    return () => window.clearTimeout(timer);
  }, [waiting, isSearching]);
  const move = (to: number) => {
    if (!open) return show();
    const next = Math.max(0, Math.min(to, shown.length - 1));
    setActive(next);
    document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const last = chosen.at(-1);
    if (event.key === 'ArrowDown') move(active + 1);
    else if (event.key === 'ArrowUp') move(active - 1);
    else if (event.key === 'PageDown' && open) move(active + 8);
    else if (event.key === 'PageUp' && open) move(active - 8);
    else if (event.key === 'Enter' && open && isSearching) setWaiting(true);
    else if (event.key === 'Enter' && open) toggle(shown[active]);
    else if (event.key === 'Escape' && open) hide();
    else if (event.key === 'Backspace' && text === '' && last) return remove(last);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div
      className="relative"
      onBlur={(event) => {
        if (event.currentTarget.contains(event.relatedTarget)) return;
        hide();
        onBlur?.();
      }}
    >
      <div
        className={styles.box}
        data-invalid={control['aria-invalid']}
        onMouseDown={(event) => {
          if (event.target instanceof Element && event.target.closest('button, input')) return;
          event.preventDefault();
          input.current?.focus();
          show();
        }}
      >
        <Chosen chosen={chosen} onRemove={remove} onRemoved={() => input.current?.focus()} />
        <input
          ref={(element) => {
            input.current = element;
            inputRef?.(element);
          }}
          id={control.id}
          className={styles.input}
          type="text"
          role="combobox"
          autoComplete="off"
          spellCheck={false}
          aria-autocomplete="list"
          aria-expanded={open}
          aria-controls={listId}
          aria-activedescendant={open && shown.length > 0 ? `${listId}-${active}` : undefined}
          aria-required={props.required}
          aria-invalid={control['aria-invalid']}
          aria-describedby={`${listId}-chosen ${control['aria-describedby'] ?? ''}`.trim()}
          placeholder={chosen.length === 0 ? props.placeholder : ''}
          value={text}
          onChange={(event) => {
            show();
            setText(event.target.value);
            setActive(0);
          }}
          onClick={show}
          onKeyDown={onKeyDown}
        />
        <ChevronDown
          size={16}
          aria-hidden="true"
          className="absolute right-3 top-[calc(var(--touch)_/_2)] [transform:translateY(-50%)] text-ink-soft pointer-events-none"
        />
      </div>
      <span id={`${listId}-chosen`} className="visually-hidden">
        {chosen.length > 0 && m.form_picker_chosen({ names: chosen.map(({ name }) => name).join(', ') })}
      </span>
      <span role="status" className="visually-hidden">
        {said}
        {open && options && !isSearching && ` ${m.form_picker_count({ of: label, count: matches.length })}`}
      </span>
      <div
        className="absolute top-[calc(100%_+_4px)] left-0 right-0 z-20 max-h-68 overflow-y-auto border border-line-strong rounded bg-surface shadow-lift-high"
        hidden={!open}
        // It scrolls, but Tab leads on to the next field.
        tabIndex={-1}
        onMouseDown={(event) => event.preventDefault()}
      >
        <ul
          id={listId}
          role="listbox"
          aria-label={m.form_picker({ of: label })}
          aria-multiselectable={!single || undefined}
          className="p-1 list-none"
        >
          {shown.map((option, index) => (
            <li
              key={option.id}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={isChosen(option.id)}
              data-active={index === active || undefined}
              className="group/option flex items-center gap-2 min-h-9 py-1 px-2 rounded wrap-anywhere cursor-pointer data-active:bg-sunk phone:min-h-11"
              onClick={() => toggle(option)}
              onPointerMove={() => setActive(index)}
            >
              <Check
                size={16}
                aria-hidden="true"
                className="text-accent-text invisible group-aria-selected/option:visible"
              />
              {option.name}
            </li>
          ))}
        </ul>
        <Remark {...{ label, options, isSearching }} found={matches.length} {...(onRetry && { onRetry })} />
      </div>
    </div>
  );
}

interface ChosenProps {
  chosen: readonly PickerOption[];
  onRemove: (option: PickerOption) => void;
  /** The button that had the focus is gone. */
  onRemoved: () => void;
}

function Chosen({ chosen, onRemove, onRemoved }: ChosenProps) {
  const more = chosen.slice(MAX_SHOWN);
  return (
    <>
      {chosen.slice(0, MAX_SHOWN).map((option) => (
        <span
          key={option.id}
          className="inline-flex items-center min-w-0 max-w-full pl-2 rounded bg-accent-wash text-1"
        >
          <span className="one-line">{option.name}</span>
          <button
            type="button"
            className="grid place-items-center size-7.5 rounded text-ink-soft cursor-pointer hover:text-ink phone:w-11 phone:h-9"
            aria-label={m.form_picker_remove({ name: option.name })}
            onClick={() => {
              onRemove(option);
              onRemoved();
            }}
          >
            <X size={14} aria-hidden="true" />
          </button>
        </span>
      ))}
      {more.length > 0 && (
        <span
          className="px-2 text-ink-soft text-1 whitespace-nowrap"
          title={more.map(({ name }) => name).join(', ')}
        >
          {m.form_picker_more({ count: more.length })}
        </span>
      )}
    </>
  );
}

interface RemarkProps {
  label: PickedFrom;
  options: readonly PickerOption[] | undefined;
  found: number;
  isSearching: boolean;
  onRetry?: () => void;
}

/** What the list has to say for itself, under its options. */
function Remark({ label, options, found, isSearching, onRetry }: RemarkProps) {
  if (!options && onRetry) {
    return (
      <p className="p-3 pt-2 text-ink-soft text-1">
        {m.form_picker_failed({ of: label })}{' '}
        <Button size="small" onClick={onRetry}>
          {m.common_retry()}
        </Button>
      </p>
    );
  }
  if (isSearching)
    return <p className="p-3 pt-2 text-ink-soft text-1">{m.form_picker_searching({ of: label })}</p>;
  if (!options)
    return <p className="p-3 pt-2 text-ink-soft text-1">{m.form_picker_loading({ of: label })}</p>;
  if (found === 0)
    return <p className="p-3 pt-2 text-ink-soft text-1">{m.form_picker_none({ of: label })}</p>;
  if (found >= MAX_SHOWN_OPTIONS)
    return <p className="p-3 pt-2 text-ink-soft text-1">{m.form_picker_narrow()}</p>;
  return null;
}
