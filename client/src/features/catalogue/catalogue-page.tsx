import * as m from '#words/messages.js';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import { lazy, Suspense, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import {
  bookSortSchema,
  CATALOGUE_PAGE_SIZE,
  listBooks,
  type BookSort,
} from '#contracts/catalogue/book-views.js';
import { Button } from '../../components/form/button.js';
import { Choice } from '../../components/form/choice.js';
import { ErrorState } from '../../components/list/placeholders.js';
import {
  chosenCount,
  FILTER_ADDRESS,
  NO_FACETS,
  type ChosenFacets,
} from '../../domain/catalogue/filter-address.js';
import { useMedia } from '../../lib/use-media.js';
import { useList } from '../../lib/use-list.js';
import { oneOf, pageParameter, searchParameter, useAddress } from '../../lib/use-address.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { SuggestingSearch } from '../../domain/catalogue/suggesting-search.js';
import { BookGroups, foundText } from './book-groups.js';
import styles from './catalogue-page.module.css';
import { queryOf } from '../../lib/api/send.js';

const Pagination = lazy(async () => ({
  default: (await import('../../components/list/pagination.js')).Pagination,
}));
const NothingFound = lazy(async () => ({ default: (await import('./nothing-found.js')).NothingFound }));
const JustRented = lazy(async () => ({ default: (await import('./just-rented.js')).JustRented }));
const SpellingCorrection = lazy(async () => ({
  default: (await import('./spelling-correction.js')).SpellingCorrection,
}));
// What the list is narrowed by comes after the list.
const FacetsPanel = lazy(async () => ({ default: (await import('./facets-panel.js')).FacetsPanel }));
const FacetsSheet = lazy(async () => ({ default: (await import('./facets-sheet.js')).FacetsSheet }));
const FacetChips = lazy(async () => ({ default: (await import('./facet-chips.js')).FacetChips }));

const SEARCH_DELAY_MS = 1000;

/** As the style sheet has it: from here on the facets stand beside the list. */
const WIDE = '(min-width: 961px)';

const SORTS: readonly { value: BookSort; label: string }[] = [
  { value: 'none', label: m.catalog_no_sorting() },
  { value: 'Title', label: m.common_book_title() },
  { value: 'ISBN', label: 'ISBN' },
  { value: 'CopiesAvailable', label: m.common_sort_by_copies() },
];

const ADDRESS = {
  SearchTerm: searchParameter,
  ...FILTER_ADDRESS,
  SortBy: oneOf('sort', bookSortSchema.options, 'none'),
  pageNumber: { ...pageParameter, fromTop: true },
} as const;

export function CataloguePage() {
  usePageTitle(m.catalog_title());
  const address = useAddress(ADDRESS);
  const rented = (useLocation().state as { rented?: string } | null)?.rented;
  const [values, change] = address;
  const query = { ...values, pageSize: CATALOGUE_PAGE_SIZE };
  const books = useQuery({ ...queryOf(listBooks, { query }), placeholderData: keepPreviousData });
  const list = useList(address, books, CATALOGUE_PAGE_SIZE, { mends: false });
  const isWide = useMedia(WIDE);
  const [isSheetOpen, setIsSheetOpen] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const chosen = chosenCount(values);
  const facets = { searchTerm: query.SearchTerm, chosen: facetsOf(values), onChange: change };

  return (
    <div className="flex flex-col gap-6 w-full max-w-page mx-auto p-gutter pt-10 pb-16 to-560:gap-4 to-560:pt-6">
      {rented !== undefined && (
        <Suspense fallback={null}>
          <JustRented borrowId={rented} />
        </Suspense>
      )}
      <header className={styles.head}>
        <h1 ref={heading} tabIndex={-1}>
          {m.catalog_title()}
        </h1>
        <p
          // A line of its own from the start: what was searched for makes it longer than the heading's
          // line has room for.
          className="min-h-[1.55em] text-ink-soft tabular-nums to-560:basis-full to-560:truncate"
          role="status"
        >
          {books.data && foundText(books.data, query.SearchTerm)}
        </p>
      </header>
      <div
        // Order and filters share a line.
        className="flex flex-wrap items-center gap-x-4 gap-y-3 to-560:gap-x-2"
      >
        <SuggestingSearch
          value={query.SearchTerm}
          delay={SEARCH_DELAY_MS}
          onSearch={(SearchTerm) => change({ SearchTerm })}
          onFacet={(facet, id) => change({ SearchTerm: '', [facet]: [id] })}
          inputRef={list.search}
        />
        <Choice
          label={m.list_sort_by()}
          value={query.SortBy}
          options={SORTS}
          onChoose={(SortBy) => change({ SortBy })}
        />
        {!isWide && (
          <Button icon={SlidersHorizontal} aria-haspopup="dialog" onClick={() => setIsSheetOpen(true)}>
            {chosen === 0 ? m.catalog_filters() : m.catalog_filters_count({ count: chosen })}
          </Button>
        )}
      </div>
      {chosen > 0 && (
        <div
          // A line of chips has its place before their names are there.
          className="min-h-9 to-960:min-h-11"
        >
          <Suspense fallback={null}>
            <FacetChips {...facets} onEmptied={() => heading.current?.focus()} />
          </Suspense>
        </div>
      )}
      {books.data?.corrections && (
        <Suspense fallback={null}>
          <SpellingCorrection corrections={books.data.corrections} />
        </Suspense>
      )}
      <div className="grid grid-cols-[14rem_minmax(0,1fr)] gap-10 items-start to-960:block">
        {isWide && (
          <aside className="min-h-120" aria-label={m.catalog_filters()}>
            <Suspense fallback={null}>
              <FacetsPanel {...facets} />
            </Suspense>
          </aside>
        )}
        <div data-content tabIndex={-1} className="flex flex-col gap-6 outline-none">
          {books.isError && !books.data ? (
            <ErrorState of={books} />
          ) : books.data?.items.length === 0 ? (
            <Suspense fallback={null}>
              <NothingFound
                searched={query.SearchTerm !== ''}
                narrowed={chosen > 0 && books.data.totalCount === 0}
                empty={books.data.totalCount === 0}
                onWiden={() => change(NO_FACETS)}
                onClear={() => change({ SearchTerm: '' })}
                onFirstPage={() => change({ pageNumber: 1 })}
              />
            </Suspense>
          ) : (
            <section
              {...list.keys}
              className={styles.list}
              aria-label={m.common_books()}
              aria-busy={books.isPending || books.isPlaceholderData}
            >
              <BookGroups
                page={books.data}
                pageNumber={query.pageNumber}
                pageSize={query.pageSize}
                isStale={books.isPlaceholderData}
              />
            </section>
          )}
          {list.pages > 1 && (
            <div className="min-h-11">
              <Suspense fallback={null}>
                <Pagination
                  label={m.catalog_pages()}
                  page={query.pageNumber}
                  total={list.pages}
                  onPage={list.turn}
                />
              </Suspense>
            </div>
          )}
        </div>
      </div>
      {isSheetOpen && !isWide && (
        <Suspense fallback={null}>
          <FacetsSheet {...facets} found={books.data?.totalCount} onClose={() => setIsSheetOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}

function facetsOf({ genre, author, publisher, year, language, available }: ChosenFacets): ChosenFacets {
  return { genre, author, publisher, year, language, available };
}
