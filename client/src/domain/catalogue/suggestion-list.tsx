import * as m from '#words/messages.js';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useImperativeHandle, useRef, useState, type KeyboardEvent, type Ref } from 'react';
import { useNavigate } from 'react-router-dom';
import { yearText } from '#contracts/catalogue/book-facts.js';
import { suggestBooks, type Suggestions } from '#contracts/catalogue/book-views.js';
import { queryOf } from '../../lib/api/send.js';
import { classNames } from '../../lib/class-names.js';

/** From the last letter until it is asked, in milliseconds. */
const DELAY_MS = 120;
/** What is shorter may mean anything. */
const MIN_LETTERS = 2;
const FRESH_MS = 60_000;

/** What may be meant by what is typed so far; what was suggested last stays until the next is there. */
function useSuggestions(typed: string): Suggestions | undefined {
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = window.setTimeout(() => setAsked(typed.trim()), DELAY_MS);
    return () => window.clearTimeout(timer);
  }, [typed]);
  const enabled = asked.length >= MIN_LETTERS && typed.trim().length >= MIN_LETTERS;
  const { data } = useQuery({
    ...queryOf(suggestBooks, { query: { SearchTerm: asked } }),
    enabled,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    meta: { inPlace: true },
  });
  return enabled ? data : undefined;
}

/** What the field passes on to the list. */
export interface SuggestionKeys {
  press: (event: KeyboardEvent) => void;
  close: () => void;
}

interface SuggestionListProps {
  ref: Ref<SuggestionKeys>;
  listId: string;
  /** Another object for each letter. */
  typed: { text: string };
  /** Told which option the keys are at: empty for none, null where no list is shown. */
  onActive: (id: string | null) => void;
  onFacet: (facet: 'author' | 'genre', id: number) => void;
}

interface Option {
  key: string;
  title: string;
  detail: string;
  choose: () => void;
}

/** What may be meant by what is typed, below the field. */
export function SuggestionList({ ref, listId, typed, onActive, onFacet }: SuggestionListProps) {
  const navigate = useNavigate();
  const list = useRef<HTMLDivElement>(null);
  const [known, setKnown] = useState<{ text: string }>();
  const [isOpen, setIsOpen] = useState(false);
  /** None at first: Enter then searches for what was typed. */
  const [active, setActive] = useState(-1);
  if (typed !== known) {
    setKnown(typed);
    setIsOpen(true);
    setActive(-1);
  }
  const suggestions = useSuggestions(typed.text);
  const close = () => {
    setIsOpen(false);
    setActive(-1);
  };
  const groups = suggestions ? groupsOf(suggestions, (to) => void navigate(to), onFacet) : [];
  const options = groups.flatMap((group) => group.options);
  const isShown = isOpen && options.length > 0;
  const at = Math.min(active, options.length - 1);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  useEffect(() => {
    onActive(isShown ? (at >= 0 ? `${listId}-${at}` : '') : null);
  }, [onActive, isShown, at, listId]);

  const choose = (option: Option) => {
    close();
    option.choose();
  };
  const press = (event: KeyboardEvent) => {
    const chosen = options[at];
    if (event.key === 'ArrowDown' && options.length > 0) {
      setIsOpen(true);
      setActive(isShown ? ((at + 2) % (options.length + 1)) - 1 : 0);
    } else if (event.key === 'ArrowUp' && isShown) setActive(at < 0 ? options.length - 1 : at - 1);
    else if (event.key === 'Enter' && isShown && chosen) choose(chosen);
    else if (event.key === 'Escape' && isShown) close();
    else {
      if (event.key === 'Enter') close();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  useImperativeHandle(ref, () => ({ press, close }));

  return (
    <>
      <div
        ref={list}
        id={listId}
        role="listbox"
        aria-label={m.catalogue_suggestions()}
        className={classNames(
          'absolute top-[calc(100%_+_4px)] left-0 right-0 z-20 max-h-[min(28rem,60dvh)] p-2 overflow-y-auto',
          '[overscroll-behavior:contain] border border-line-strong rounded bg-surface shadow-lift-high',
        )}
        hidden={!isShown}
        // The focus stays in the field.
        onMouseDown={(event) => event.preventDefault()}
      >
        {groups.map((group) => (
          <div key={group.name} role="group" aria-labelledby={`${listId}-${group.name}`}>
            <p id={`${listId}-${group.name}`} className="p-3 pt-2 pb-1 text-ink-soft text-1">
              {group.name}
            </p>
            {group.options.map((option) => {
              const index = options.indexOf(option);
              return (
                <div
                  key={option.key}
                  id={`${listId}-${index}`}
                  role="option"
                  aria-selected={index === at}
                  className={classNames(
                    'flex gap-3 rounded cursor-pointer items-baseline min-h-9 py-1 px-3',
                    'aria-selected:bg-accent-wash aria-selected:[box-shadow:inset_3px_0_var(--accent-text)]',
                    'phone:flex-col phone:gap-0 phone:min-h-11 phone:py-2',
                  )}
                  onPointerMove={() => setActive(index)}
                  onClick={() => choose(option)}
                >
                  <span className="wrap-anywhere">{option.title}</span>
                  {option.detail && (
                    <span className="min-w-0 truncate text-ink-soft text-1 phone:max-w-full">
                      {option.detail}
                    </span>
                  )}
                </div>
              );
            })}
          </div>
        ))}
      </div>
      <p role="status" className="visually-hidden">
        {isShown ? m.catalogue_suggestions_count({ count: options.length }) : ''}
      </p>
    </>
  );
}

function groupsOf(
  { books, authors, genres }: Suggestions,
  open: (to: string) => void,
  narrow: (facet: 'author' | 'genre', id: number) => void,
): { name: string; options: Option[] }[] {
  const named = (facet: 'author' | 'genre', all: readonly { id: number; name: string }[]) =>
    all.map(({ id, name }) => ({
      key: String(id),
      title: name,
      detail: '',
      choose: () => narrow(facet, id),
    }));
  return [
    {
      name: m.common_titles(),
      options: books.map(({ id, title, authors: by, year }) => ({
        key: String(id),
        title,
        detail: [by, year === null ? '' : yearText(String(year))].filter(Boolean).join(', '),
        choose: () => open(`/book/${id}`),
      })),
    },
    { name: m.common_authors(), options: named('author', authors) },
    { name: m.common_genres(), options: named('genre', genres) },
  ].filter(({ options }) => options.length > 0);
}
