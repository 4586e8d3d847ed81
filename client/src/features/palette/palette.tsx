import Search from 'lucide-react/icons/search';
import * as Primitive from 'radix-ui/dialog';
import { useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import * as m from '#words/messages.js';
import { StatusBadge } from '../../domain/borrowing/status-badge.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { useFocusReturn } from '../../lib/use-focus-return.js';
import { useFindAnything, type Found, type FoundGroup, type Place } from './find-anything.js';
import { classNames } from '../../lib/class-names.js';

/** From the last letter until it is searched for. */
const DELAY_MS = 150;

const GROUP_NAMES: Record<FoundGroup['name'], string> = {
  Places: m.palette_places(),
  People: m.palette_people(),
  Books: m.common_books(),
  Borrows: m.common_borrows(),
  Holds: m.common_holds(),
};

interface PaletteProps {
  places: readonly Place[];
  onClose: () => void;
}

/** One field that leads everywhere: type, choose with the arrows, Enter. */
export function Palette({ places, onClose }: PaletteProps) {
  const navigate = useNavigate();
  const giveFocusBack = useFocusReturn();
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const [asked, setAsked] = useState('');
  const [active, setActive] = useState(0);
  /** Enter was pressed before all that is found was there. */
  const [waiting, setWaiting] = useState(false);
  const { groups, isSearching, error } = useFindAnything(asked, places);
  const all = groups.flatMap(({ found }) => found);
  const at = Math.min(active, all.length - 1);

  useEffect(() => {
    const timer = window.setTimeout(() => setAsked(text.trim()), DELAY_MS);
    return () => window.clearTimeout(timer);
  }, [text]);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at, all.length]);

  const choose = (found: Found | undefined) => {
    if (!found) return;
    onClose();
    // The focus is back where it was by then: what opens next gives it back there.
    window.setTimeout(() => void navigate(found.to));
  };
  // What is chosen must be what was typed.
  const isThere = text.trim() === asked && !isSearching;
  const chosen = useEffectEvent(() => choose(all[at]));
  useEffect(() => {
    if (waiting && isThere) chosen();
  }, [waiting, isThere]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setActive(Math.min(at + 1, all.length - 1));
    else if (event.key === 'ArrowUp') setActive(Math.max(at - 1, 0));
    else if (event.key === 'Enter') setWaiting(true);
    else return;
    event.preventDefault();
  };

  return (
    <Primitive.Root open onOpenChange={(open) => !open && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-45 [background:rgb(20_16_12_/_40%)] [animation:appear_var(--quick)]" />
        <Primitive.Content
          className={classNames(
            'fixed top-[12vh] inset-x-0 z-45 flex flex-col w-[min(calc(100%-2rem),40rem)] max-h-[70vh] mx-auto',
            'border border-line rounded bg-paper shadow-lift-high overflow-hidden focus:outline-none',
            '[animation:appear_var(--quick)] phone:top-3 phone:max-h-[calc(100dvh-1.5rem)]',
          )}
          aria-describedby={undefined}
          onCloseAutoFocus={giveFocusBack}
          data-palette
        >
          <Primitive.Title className="visually-hidden">{m.palette_title()}</Primitive.Title>
          <div className="flex items-center gap-3 px-4 [border-bottom:3px_double_var(--line-strong)] text-ink-soft">
            <Search size={20} aria-hidden="true" />
            <input
              type="text"
              role="combobox"
              className="flex-1 min-w-0 h-14 border-0 bg-transparent text-ink text-3 focus-visible:outline-none placeholder:text-ink-soft placeholder:opacity-100"
              aria-label={m.palette_label()}
              aria-expanded="true"
              aria-controls={listId}
              aria-autocomplete="list"
              aria-activedescendant={at >= 0 ? `${listId}-${at}` : undefined}
              placeholder={m.palette_placeholder()}
              autoComplete="off"
              spellCheck={false}
              // A card that is scanned into it is looked for here, not lent to at the desk behind.
              data-takes-scans
              maxLength={200}
              value={text}
              onChange={(event) => {
                setText(event.target.value);
                setActive(0);
                setWaiting(false);
              }}
              onKeyDown={onKeyDown}
            />
            <kbd className="py-0 px-2 border border-line-strong rounded-[3px] [font:inherit] text-1">Esc</kbd>
          </div>
          <div
            ref={list}
            id={listId}
            role="listbox"
            aria-label={m.palette_found()}
            aria-busy={isSearching}
            className="min-h-0 p-2 overflow-y-auto [overscroll-behavior:contain]"
          >
            {groups.map(({ name, found }) => (
              <div key={name} role="group" aria-labelledby={`${listId}-${name}`}>
                <p id={`${listId}-${name}`} className="p-3 pt-2 pb-1 text-ink-soft text-1">
                  {GROUP_NAMES[name]}
                </p>
                {found.map((each) => {
                  const index = all.indexOf(each);
                  return (
                    <div
                      key={each.to}
                      id={`${listId}-${index}`}
                      role="option"
                      aria-selected={index === at}
                      className={classNames(
                        'flex gap-3 rounded cursor-pointer items-center min-h-10 px-3',
                        'aria-selected:bg-accent-wash aria-selected:[box-shadow:inset_3px_0_var(--accent-text)]',
                        'phone:flex-wrap phone:gap-x-3 phone:gap-y-0 phone:min-h-11 phone:py-2',
                      )}
                      onPointerMove={() => setActive(index)}
                      onClick={() => choose(each)}
                    >
                      <span className="flex-none max-w-[60%] truncate phone:flex-[1_1_0] phone:min-w-0 phone:max-w-full">
                        {each.title}
                      </span>
                      {each.detail && (
                        <span className="flex-1 min-w-0 truncate text-ink-soft text-1 phone:flex-[1_1_100%] phone:order-1">
                          {each.detail}
                        </span>
                      )}
                      {each.borrow && <StatusBadge status={each.borrow.status} />}
                    </div>
                  );
                })}
              </div>
            ))}
          </div>
          <p role="status" className="not-empty:p-6 not-empty:pt-2 not-empty:pb-4 not-empty:text-ink-soft">
            {error
              ? sentenceOf(error)
              : all.length === 0 && !isSearching
                ? m.form_nothing_matches({ asked })
                : ''}
          </p>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
