import Search from 'lucide-react/icons/search';
import { useEffect, useRef, useState, type ComponentProps, type ReactNode, type Ref } from 'react';
import styles from './search-box.module.css';

interface SearchBoxProps {
  label: string;
  /** What is searched, where a page has another search. */
  landmark?: string;
  placeholder: string;
  /** What the list is searched for now. */
  value: string;
  onSearch: (text: string) => void;
  /** How long to wait for the next letter, in milliseconds; Enter does not wait. Without it only Enter searches. */
  delay?: number;
  /** `large` is the first thing on a page, `small` stands in a bar. */
  look?: 'large' | 'small';
  /** Another number empties the field, and what was typed is not searched for. */
  cleared?: number;
  inputRef?: Ref<HTMLInputElement>;
  /** Told of every letter. */
  onType?: (text: string) => void;
  /** What else the field is, where something is suggested for it. */
  combobox?: Omit<ComponentProps<'input'>, 'value' | 'onChange'>;
  /** What is suggested, below the field. */
  children?: ReactNode;
}

export function SearchBox(props: SearchBoxProps) {
  const {
    label,
    landmark,
    placeholder,
    value,
    onSearch,
    delay,
    look,
    cleared = 0,
    inputRef,
    onType,
    combobox,
    children,
  } = props;
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const [knownCleared, setKnownCleared] = useState(cleared);
  /** Searched for from here, and not yet what the list is searched for. */
  const [asked, setAsked] = useState<readonly string[]>([]);
  const [replaced, setReplaced] = useState(0);
  const timer = useRef<number>(undefined);

  if (value !== known) {
    setKnown(value);
    // Who was faster than the address goes on typing.
    const arrived = asked.lastIndexOf(value);
    setAsked(arrived < 0 ? [] : asked.slice(arrived + 1));
    // The address changed by another way than typing (back, forward, a link).
    if (arrived < 0) {
      setReplaced(replaced + 1);
      if (value !== text.trim()) setText(value);
    }
  }
  if (cleared !== knownCleared) {
    setKnownCleared(cleared);
    setText('');
  }
  // What was typed before that is not searched for any more.
  useEffect(() => () => window.clearTimeout(timer.current), [replaced, cleared]);

  const search = (next: string) => {
    window.clearTimeout(timer.current);
    const wanted = next.trim();
    if (wanted === (asked.at(-1) ?? value)) return;
    setAsked([...asked, wanted]);
    onSearch(wanted);
  };
  return (
    <form
      role="search"
      aria-label={landmark}
      className="relative flex-[1_1_18rem] min-w-0"
      onSubmit={(event) => {
        event.preventDefault();
        search(text);
      }}
    >
      <Search
        className="absolute left-3 top-1/2 [transform:translateY(-50%)] text-ink-soft pointer-events-none"
        size={18}
        aria-hidden="true"
      />
      <input
        ref={inputRef}
        type="search"
        className={styles.input}
        data-look={look}
        aria-label={label}
        placeholder={placeholder}
        title={placeholder}
        value={text}
        maxLength={200}
        autoComplete="off"
        enterKeyHint="search"
        {...combobox}
        onChange={(event) => {
          const next = event.target.value;
          setText(next);
          onType?.(next);
          window.clearTimeout(timer.current);
          if (delay !== undefined) timer.current = window.setTimeout(() => search(next), delay);
        }}
      />
      {children}
    </form>
  );
}
