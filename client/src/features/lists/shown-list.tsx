import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { authorNames } from '#contracts/catalogue/book-facts.js';
import { LIST_PAGE_SIZE, type ShownList as ShownListView } from '#contracts/lists/reading-lists.js';
import * as m from '#words/messages.js';
import { EmptyState, Loaded, SkeletonLines } from '../../components/list/placeholders.js';
import { PagedList } from '../../components/list/paged-list.js';
import { BookCover } from '../../domain/covers/book-cover.js';
import pageStyles from '../../domain/lists/lists.module.css';
import { usePageTitle } from '../../domain/use-page-title.js';
import { RequestError } from '../../lib/api/request-error.js';
import { classNames } from '../../lib/class-names.js';
import { useList, type PageAddress } from '../../lib/use-list.js';

interface ShownListProps {
  list: UseQueryResult<ShownListView>;
  address: PageAddress;
  /** Said above the name. */
  kind: string;
  /** What can be done with it. */
  action?: ReactNode;
  /** What is said where there is no such list. */
  gone: ReactNode;
}

/** A list as somebody sees it who does not keep it. */
export function ShownList({ list, address, kind, action, gone }: ShownListProps) {
  usePageTitle(list.data?.name ?? kind);
  const paged = useList(address, list, LIST_PAGE_SIZE);
  if (!list.data && list.error instanceof RequestError && [400, 404].includes(list.error.status)) return gone;
  return (
    <div className={classNames(pageStyles.page, pageStyles.wide)}>
      <Loaded of={list} waiting={<SkeletonLines label={m.lists_loading_list()} widths={[40, 70, 60]} />}>
        {(data) => (
          <>
            <header className="flex flex-col gap-2">
              <p className="quiet">{kind}</p>
              <h1 className="leading-[1.12] wrap-anywhere">{data.name}</h1>
              {data.description !== '' && (
                <p className="max-w-measure wrap-anywhere whitespace-pre-line">{data.description}</p>
              )}
              <p className="text-ink-soft text-1 tabular-nums">{m.lists_books({ count: data.totalCount })}</p>
              {action}
            </header>
            <PagedList
              list={paged}
              pagesLabel={m.lists_pages()}
              empty={<EmptyState title={m.lists_empty()}>{m.lists_come_back()}</EmptyState>}
            >
              {(page) => (
                <ul
                  role="list"
                  className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-x-6 gap-y-10 to-560:grid-cols-2 to-560:gap-x-4 to-560:gap-y-6"
                >
                  {page?.items.map((book) => (
                    <li
                      key={book.id}
                      className="group/book relative flex flex-col gap-[2px] min-w-0"
                      data-shown={book.id}
                    >
                      <BookCover
                        book={book}
                        className={classNames(
                          'mb-3 [transition:transform_var(--quick),box-shadow_var(--quick)]',
                          'group-hover/book:[transform:translateY(-3px)] group-hover/book:shadow-lift-high',
                        )}
                      />
                      <Link
                        to={`/book/${book.id}`}
                        // The whole place leads to the book.
                        className="text-ink font-serif leading-tight wrap-anywhere no-underline hover:underline after:content-[''] after:absolute after:inset-0"
                      >
                        {book.title}
                      </Link>
                      <p className="text-ink-soft text-1 leading-[1.4]">{authorNames(book)}</p>
                    </li>
                  ))}
                </ul>
              )}
            </PagedList>
          </>
        )}
      </Loaded>
    </div>
  );
}
