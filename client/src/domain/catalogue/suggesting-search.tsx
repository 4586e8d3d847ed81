import * as m from '#words/messages.js';
import { lazy, Suspense, useId, useRef, useState, type Ref } from 'react';
import { useNavigate } from 'react-router-dom';
import { SearchBox } from '../../components/form/search-box.js';
import type { SuggestionKeys } from './suggestion-list.js';

// For who types.
const SuggestionList = lazy(async () => ({ default: (await import('./suggestion-list.js')).SuggestionList }));

interface SuggestingSearchProps {
  label?: string;
  landmark?: string;
  value: string;
  /** From the last letter until it is searched for, in milliseconds; without it only Enter searches. */
  delay?: number;
  look?: 'large' | 'small';
  onSearch: (text: string) => void;
  /** An author or a genre was chosen. */
  onFacet: (facet: 'author' | 'genre', id: number) => void;
  inputRef?: Ref<HTMLInputElement>;
}

/** The catalogue's search, with titles, authors and genres suggested while somebody types. */
export function SuggestingSearch({
  label = m.catalogue_search_books(),
  onFacet,
  ...box
}: SuggestingSearchProps) {
  const listId = useId();
  const keys = useRef<SuggestionKeys>(null);
  const [typed, setTyped] = useState<{ text: string }>();
  const [cleared, setCleared] = useState(0);
  /** The id of the option that the keys are at; null where no list is shown. */
  const [active, setActive] = useState<string | null>(null);
  return (
    <SearchBox
      label={label}
      placeholder={m.common_search_books()}
      {...box}
      cleared={cleared}
      onType={(text) => setTyped({ text })}
      combobox={{
        role: 'combobox',
        'aria-autocomplete': 'list',
        'aria-expanded': active !== null,
        'aria-controls': listId,
        'aria-activedescendant': active || undefined,
        onKeyDown: (event) => keys.current?.press(event),
        onBlur: () => keys.current?.close(),
      }}
    >
      {typed && (
        <Suspense fallback={null}>
          <SuggestionList
            ref={keys}
            listId={listId}
            typed={typed}
            onActive={setActive}
            onFacet={(facet, id) => {
              // What was typed of the name is not searched for as well.
              setCleared(cleared + 1);
              onFacet(facet, id);
            }}
          />
        </Suspense>
      )}
    </SearchBox>
  );
}

/** The search of the catalogue on other pages: what is found is shown there. */
export function SearchCatalogue({ look }: Pick<SuggestingSearchProps, 'look'>) {
  const navigate = useNavigate();
  const go = (query: string) => void navigate(`/catalog?${query}`);
  return (
    <SuggestingSearch
      label={m.catalogue_search_catalogue()}
      landmark={m.catalogue_catalogue()}
      value=""
      {...(look && { look })}
      onSearch={(text) => go(new URLSearchParams({ q: text }).toString())}
      onFacet={(facet, id) => go(`${facet}=${id}`)}
    />
  );
}
