import { useEffect, useEffectEvent, useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import * as m from '#words/messages.js';

interface FoundItem {
  id: string;
  title: string;
  detail: string;
}

interface FinderProps {
  label: string;
  placeholder: string;
  /** As it was searched for last. */
  asked: string;
  onSearch: (text: string) => void;
  /** What was found for `asked`, the best first; undefined while it is not known. */
  found: readonly FoundItem[] | undefined;
  isSearching: boolean;
  /** What goes before the titles, for instance a cover. */
  mark?: (item: FoundItem) => ReactNode;
  onChoose: (item: FoundItem) => void;
}

/** From the last letter until it is searched for. */
const DELAY_MS = 250;

/** A field with what it finds under it: the arrows go through it, Enter chooses. */
export function Finder(props: FinderProps) {
  const { label, placeholder, asked, onSearch, found, isSearching, mark, onChoose } = props;
  const listId = useId();
  const [text, setText] = useState(asked);
  const [active, setActive] = useState(0);
  /** Enter came before what it chooses from. */
  const [isWaiting, setWaiting] = useState(false);
  const at = Math.min(active, (found?.length ?? 0) - 1);
  const isThere = text.trim() === asked && !isSearching;
  const search = useEffectEvent(() => onSearch(text.trim()));
  useEffect(() => {
    const timer = window.setTimeout(() => search(), DELAY_MS);
    return () => window.clearTimeout(timer);
  }, [text]);
  const choose = useEffectEvent(() => {
    const chosen = found?.[at];
    if (chosen) onChoose(chosen);
    setWaiting(false);
  });
  useEffect(() => {
    if (!isWaiting || !isThere) return;
    const timer = window.setTimeout(() => choose());
    return () => window.clearTimeout(timer);
  }, [isWaiting, isThere]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setActive(Math.min(at + 1, (found?.length ?? 0) - 1));
    else if (event.key === 'ArrowUp') setActive(Math.max(at - 1, 0));
    else if (event.key === 'Enter') {
      if (!isThere) onSearch(text.trim());
      setWaiting(true);
    } else return;
    event.preventDefault();
  };
  return (
    <div className="flex flex-col gap-2">
      <input
        type="text"
        role="combobox"
        className="w-full min-h-11 py-0 px-3 border border-line-strong rounded bg-surface"
        aria-label={label}
        aria-expanded={found !== undefined && found.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={at >= 0 ? `${listId}-${at}` : undefined}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setActive(0);
          setWaiting(false);
        }}
        onKeyDown={onKeyDown}
      />
      <ul
        id={listId}
        role="listbox"
        aria-label={label}
        aria-busy={isSearching}
        className="max-h-72 overflow-y-auto [overscroll-behavior:contain] list-none"
      >
        {found?.map((item, index) => (
          <li
            key={item.id}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === at}
            className="aria-selected:bg-accent-wash aria-selected:[box-shadow:inset_3px_0_var(--accent-text)] flex gap-3 rounded cursor-pointer items-center min-h-11 py-1 px-3"
            onPointerMove={() => setActive(index)}
            onClick={() => onChoose(item)}
          >
            {mark?.(item)}
            <span className="grid min-w-0">
              <span className="wrap-anywhere">{item.title}</span>
              <span className="text-ink-soft text-1 wrap-anywhere">{item.detail}</span>
            </span>
          </li>
        ))}
      </ul>
      <p role="status" className="note">
        {asked !== '' && found?.length === 0 && !isSearching ? m.form_nothing_matches({ asked }) : ''}
      </p>
    </div>
  );
}
