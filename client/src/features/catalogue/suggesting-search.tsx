import { useEffect, useId, useRef, useState, type KeyboardEvent, type Ref } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Suggestions } from '#contracts/catalogue/book-views.js';
import { SearchBox } from '../../components/search-box.js';
import { useSuggestions } from './get-suggestions.js';
import styles from './suggesting-search.module.css';

const SEARCH_DELAY_MS = 1000;

interface SuggestingSearchProps {
  value: string;
  onSearch: (text: string) => void;
  /** An author or a genre was chosen. */
  onFacet: (facet: 'author' | 'genre', id: number) => void;
  inputRef: Ref<HTMLInputElement>;
}

interface Option {
  key: string;
  title: string;
  detail: string;
  choose: () => void;
}

/** The catalogue's search, with titles, authors and genres suggested while somebody types. */
export function SuggestingSearch({ value, onSearch, onFacet, inputRef }: SuggestingSearchProps) {
  const listId = useId();
  const navigate = useNavigate();
  const list = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  /** None at first: Enter then searches for what was typed. */
  const [active, setActive] = useState(-1);
  const [cleared, setCleared] = useState(0);
  const suggestions = useSuggestions(typed);
  const close = () => {
    setIsOpen(false);
    setActive(-1);
  };
  // What was typed of the name is not searched for as well.
  const narrow = (facet: 'author' | 'genre', id: number) => {
    setCleared(cleared + 1);
    onFacet(facet, id);
  };
  const groups = suggestions ? groupsOf(suggestions, (to) => void navigate(to), narrow) : [];
  const options = groups.flatMap((group) => group.options);
  const isShown = isOpen && options.length > 0;
  const at = Math.min(active, options.length - 1);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at]);

  const choose = (option: Option) => {
    close();
    option.choose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
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

  return (
    <SearchBox
      label="Search books"
      placeholder="Search books by Title, Author, Genre, or Publisher"
      value={value}
      onSearch={onSearch}
      delay={SEARCH_DELAY_MS}
      cleared={cleared}
      inputRef={inputRef}
      onType={(text) => {
        setTyped(text);
        setIsOpen(true);
        setActive(-1);
      }}
      combobox={{
        role: 'combobox',
        'aria-autocomplete': 'list',
        'aria-expanded': isShown,
        'aria-controls': listId,
        'aria-activedescendant': isShown && at >= 0 ? `${listId}-${at}` : undefined,
        onKeyDown,
        onBlur: close,
      }}
    >
      <div
        ref={list}
        id={listId}
        role="listbox"
        aria-label="Suggestions"
        className={styles.list}
        hidden={!isShown}
        // The focus stays in the field.
        onMouseDown={(event) => event.preventDefault()}
      >
        {groups.map((group) => (
          <div key={group.name} role="group" aria-labelledby={`${listId}-${group.name}`}>
            <p id={`${listId}-${group.name}`} className={styles.group}>
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
                  className={styles.option}
                  onPointerMove={() => setActive(index)}
                  onClick={() => choose(option)}
                >
                  <span className={styles.title}>{option.title}</span>
                  {option.detail && <span className={styles.detail}>{option.detail}</span>}
                </div>
              );
            })}
          </div>
        ))}
      </div>
      <p role="status" className="visually-hidden">
        {isShown ? `${options.length} ${options.length === 1 ? 'suggestion' : 'suggestions'}` : ''}
      </p>
    </SearchBox>
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
      name: 'Titles',
      options: books.map(({ id, title, authors: by, year }) => ({
        key: String(id),
        title,
        detail: `${by}, ${year}`,
        choose: () => open(`/book/${id}`),
      })),
    },
    { name: 'Authors', options: named('author', authors) },
    { name: 'Genres', options: named('genre', genres) },
  ].filter(({ options }) => options.length > 0);
}
