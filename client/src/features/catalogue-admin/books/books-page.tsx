import * as m from '#words/messages.js';
import { May } from '../../../domain/may.js';
import { StaffButtonLink } from '../../../domain/staff-link.js';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addBook, deleteBook, deleteBooks } from '#contracts/catalogue/book-save.js';
import {
  ADMIN_BOOKS_PAGE_SIZE,
  bookSortSchema,
  listBooks,
  type BookListItem,
  type BookSort,
} from '#contracts/catalogue/book-views.js';
import { BOOK_KIND_LABELS, BOOK_KINDS, type BookKind } from '#contracts/rules/kinds.js';
import { Button, ButtonLink } from '../../../components/form/button.js';
import { Choice } from '../../../components/form/choice.js';
import { EmptyState } from '../../../components/list/placeholders.js';
import { ListPage, FilterNotice, NothingMatches } from '../../../components/list/list-page.js';
import { usePageTitle } from '../../../domain/use-page-title.js';
import { queryKeys } from '../../../domain/query-keys.js';
import { notify } from '../../../lib/notify.js';
import { queryOf, send } from '../../../lib/api/send.js';
import {
  oneOf,
  openParameter,
  pageParameter,
  searchParameter,
  useAddress,
} from '../../../lib/use-address.js';
import { useList } from '../../../lib/use-list.js';
import { DeleteConfirmation } from '../authorities/delete-confirmation.js';
import { MergeDialog } from '../merging/merge-dialog.js';
import { SelectionBand, useSelected } from '../selection.js';
import { BookAccordion } from './book-accordion.js';

const TITLE = m.common_library_books();

const SORTS: readonly { value: BookSort; label: string }[] = [
  { value: 'none', label: m.catalogue_sort_none() },
  { value: 'Title', label: m.common_book_title() },
  { value: 'ISBN', label: 'ISBN' },
  { value: 'Copies', label: m.common_copies() },
];

/** The books that the dashboard's counter of new ones counts. */
const ADDED = 'AddedLastMonth';

const ADDRESS = {
  SearchTerm: searchParameter,
  SortBy: oneOf('sort', bookSortSchema.options, 'none'),
  /** The part of the list that is shown alone; empty for the whole. */
  only: oneOf('only', ['', ADDED, ...BOOK_KINDS], ''),
  pageNumber: pageParameter,
  open: openParameter,
} as const;

const KINDS: readonly { value: BookKind | ''; label: string }[] = [
  { value: '', label: m.catalogue_all_books() },
  ...BOOK_KINDS.map((value) => ({ value, label: BOOK_KIND_LABELS[value]() })),
];

/** What is to be deleted, once the person has said yes. */
type Asked = { kind: 'one'; book: BookListItem } | { kind: 'selected' };

export function BooksPage() {
  usePageTitle(TITLE);
  const [values, changeAny] = useAddress(ADDRESS);
  // A search is one of the whole list.
  const change: typeof changeAny = (changes, options) =>
    changeAny(changes.SearchTerm ? { ...changes, only: '' } : changes, options);
  const { open, only, ...query } = values;
  const pageSize = ADMIN_BOOKS_PAGE_SIZE;
  const isNew = only === ADDED;
  const kind = BOOK_KINDS.find((each) => each === only);
  const books = useQuery({
    ...queryOf(listBooks, {
      query: { ...query, pageSize, ...(isNew && { Added: 'LastMonth' }), ...(kind && { Kind: kind }) },
    }),
    placeholderData: keepPreviousData,
  });
  const list = useList([values, change], books, pageSize);
  const client = useQueryClient();
  const deleting = {
    meta: { inPlace: true },
    // After a refusal too: the screen may be outdated.
    onSettled: () => void client.invalidateQueries({ queryKey: queryKeys.bookPages }),
  };
  const deletion = useMutation({
    ...deleting,
    mutationFn: (id: number) => send(deleteBook, { params: { id } }),
    onSuccess: () => notify.success(m.common_book_deleted()),
  });
  const bulkDeletion = useMutation({
    ...deleting,
    mutationFn: (ids: number[]) => send(deleteBooks, { body: ids }),
    onSuccess: (_answer, ids) => notify.success(m.catalogue_books_deleted({ count: ids.length })),
  });
  const [asked, setAsked] = useState<Asked | null>(null);
  const selected = useSelected();
  const [merging, setMerging] = useState(false);
  const close = () => setAsked(null);

  return (
    <>
      <ListPage
        list={list}
        title={TITLE}
        count={({ totalCount: count }, term) =>
          term === '' ? m.common_books_count({ count }) : m.list_books_found({ count, term })
        }
        pagesLabel={m.list_books_pages()}
        actions={
          <May make={addBook}>
            <ButtonLink look="primary" to="/admin/books/save">
              {m.common_add_book()}
            </ButtonLink>
          </May>
        }
        search={{ label: m.catalogue_search_books(), placeholder: m.common_search_books() }}
        choices={[{ label: m.common_sort_by(), of: 'SortBy', options: SORTS }]}
        tools={
          <>
            <Choice
              label={m.catalogue_lending()}
              value={kind ?? ''}
              options={KINDS}
              onChoose={(next) => change({ only: next, SearchTerm: '' })}
            />
            {isNew ? (
              <FilterNotice
                name={m.common_books_added_last_month()}
                leave={m.list_books_again()}
                onLeave={() => change({ only: '' })}
              />
            ) : (
              <StaffButtonLink look="plain" size="small" to="/admin/duplicates?part=books">
                {m.catalogue_find_duplicates()}
              </StaffButtonLink>
            )}
          </>
        }
        empty={
          query.SearchTerm === '' && only === '' ? (
            <EmptyState title={m.catalogue_no_books_yet()}>{m.catalogue_add_first_book()}</EmptyState>
          ) : (
            <NothingMatches
              title={m.list_books_none()}
              all={m.list_books_all()}
              onClear={() => change({ SearchTerm: '', only: '' })}
            >
              {query.SearchTerm === '' ? m.catalogue_only_some_searched() : m.catalogue_try_fewer_words()}
            </NothingMatches>
          )
        }
      >
        {(page, stale) => (
          <>
            <BookAccordion
              books={page?.items}
              stale={stale}
              pageSize={pageSize}
              expanded={open}
              onExpand={(next) => change({ open: next })}
              isSelected={selected.has}
              onSelect={(book, on) => selected.select(book.id, book.title, on)}
              onDelete={(book) => setAsked({ kind: 'one', book })}
            />
            <SelectionBand
              selected={selected}
              label={m.catalogue_selected_books()}
              words={(names) => m.list_selected({ count: names.length })}
              onMerge={() => setMerging(true)}
            >
              <May make={deleteBooks}>
                <Button size="small" onClick={() => setAsked({ kind: 'selected' })}>
                  {m.catalogue_delete_selected()}
                </Button>
              </May>
            </SelectionBand>
          </>
        )}
      </ListPage>
      {merging && (
        <MergeDialog
          kind="book"
          ids={selected.ids}
          onMerged={() => {
            selected.clear();
            list.region.current?.focus({ preventScroll: true });
          }}
          onClose={() => setMerging(false)}
        />
      )}
      {asked?.kind === 'one' && (
        <DeleteConfirmation
          question={m.catalogue_delete_book_question()}
          wanted={asked.book.id}
          command={deletion}
          onClose={close}
          listRef={list.region}
          onDeleted={() => selected.select(asked.book.id, '', false)}
        >
          {asked.book.title}
        </DeleteConfirmation>
      )}
      {asked?.kind === 'selected' && (
        <DeleteConfirmation
          question={m.catalogue_delete_books_question()}
          wanted={selected.ids}
          command={bulkDeletion}
          onClose={close}
          listRef={list.region}
          onDeleted={selected.clear}
        >
          {selected.names.join(' · ')}
        </DeleteConfirmation>
      )}
    </>
  );
}
