import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { looksLikeCardNumber } from '#contracts/accounts/card-number.js';
import { findReaders } from '#contracts/accounts/reader-card.js';
import { changeBook } from '#contracts/catalogue/book-save.js';
import { authorNames, isInternalNumber } from '#contracts/catalogue/book-facts.js';
import { listReaders } from '#contracts/accounts/readers.js';
import { listBorrows } from '#contracts/borrowing/borrow-calls.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { foldText } from '#contracts/fold-text.js';
import * as m from '#words/messages.js';
import { titlesOf } from '../../domain/borrowing/borrow-texts.js';
import { useFoundBooks } from '../../domain/catalogue/found-books.js';
import { mayEnter } from '../../domain/staff-pages.js';
import { queryKeys } from '../../domain/query-keys.js';
import { queryOf, send } from '../../lib/api/send.js';
import { mayMake, useUser } from '../../lib/session.js';

/** A place of the console. */
export interface Place {
  path: string;
  name: string;
}

/** Something that was found, and where it leads. */
export interface Found {
  to: string;
  title: string;
  detail?: string;
  borrow?: BorrowView;
}

export interface FoundGroup {
  name: 'Places' | 'People' | 'Books' | 'Borrows' | 'Holds';
  found: readonly Found[];
}

/** Of each kind as many as are seen at a glance; the lists have the rest. */
const EACH = 5;
/** Of the books, the first ones with their queues too. */
const QUEUES = 3;
/** What is shorter is found everywhere. */
const MIN_LETTERS = 2;

/**
 * Finds people, books, borrows and places.
 * @param text as it is searched for, some time after the last letter
 */
export function useFindAnything(text: string, places: readonly Place[]) {
  const user = useUser();
  const enabled = text.length >= MIN_LETTERS;
  const query = { SearchTerm: text, pageNumber: 1, pageSize: EACH };
  const options = { enabled, placeholderData: keepPreviousData, meta: { inPlace: true } };
  // The number of a card names one reader; it goes into no address.
  const isCard = looksLikeCardNumber(text);
  const card = useQuery({
    queryKey: [...queryKeys.readerPanels, 'card', text],
    queryFn: ({ signal }) => send(findReaders, { body: { scan: text } }, { signal }),
    enabled: isCard && mayMake(user, findReaders),
    meta: options.meta,
  });
  const named = useQuery({
    ...queryOf(listReaders, { query: { ...query, SortBy: 'Username' } }),
    ...options,
    enabled: enabled && !isCard && mayMake(user, listReaders),
  });
  const people = isCard ? card.data?.readers : named.data?.items;
  const books = useFoundBooks(text, EACH, enabled);
  const borrows = useQuery({
    queryKey: [...queryKeys.borrows, 'found', text],
    queryFn: ({ signal }) => send(listBorrows, { query: { ...query, SortBy: 'All' } }, { signal }),
    ...options,
    enabled: enabled && mayMake(user, listBorrows),
  });
  const mayEdit = mayMake(user, changeBook);
  const wanted = foldText(text);
  const groups: FoundGroup[] = [
    {
      name: 'Places',
      found: places
        .filter(({ name }) => foldText(name).includes(wanted))
        .map(({ path, name }) => ({ to: path, title: name })),
    },
  ];
  if (enabled) {
    groups.push(
      {
        name: 'People',
        found: (people ?? []).map(({ id, userName, fullname, email }) => ({
          to: `/admin/readers/${id}`,
          title: fullname,
          detail: `${userName}, ${email}`,
        })),
      },
      {
        name: 'Borrows',
        found: (borrows.data?.items ?? []).map((borrow) => ({
          to: `/admin/borrows?borrow=${borrow.id}`,
          title: borrow.user.fullname,
          detail: titlesOf(borrow),
          borrow,
        })),
      },
      {
        name: 'Books',
        found: (books.data?.items ?? []).map(({ id, title, authors, isbn }) => ({
          to: mayEdit ? `/admin/books/save/${id}` : `/book/${id}`,
          title,
          detail: [authorNames({ authors }), isInternalNumber(isbn) ? '' : isbn].filter(Boolean).join(' · '),
        })),
      },
      {
        name: 'Holds',
        found: (books.data?.items ?? []).slice(0, QUEUES).map(({ id, title }) => ({
          to: `/admin/holds/${id}`,
          title,
          detail: m.palette_who_waits(),
        })),
      },
    );
  }
  const all = [isCard ? card : named, books, borrows];
  return {
    groups: groups
      .map(({ name, found }) => ({
        name,
        found: found.filter(({ to }) => mayEnter(to, user) || to.startsWith('/book/')),
      }))
      .filter(({ found }) => found.length > 0),
    isSearching: enabled && all.some(({ isFetching }) => isFetching),
    error: enabled ? all.find(({ error }) => error)?.error : undefined,
  };
}
