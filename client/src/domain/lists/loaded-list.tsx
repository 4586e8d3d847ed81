import type { UseMutationResult } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import { Navigate, useNavigate, useParams } from 'react-router-dom';
import type { BookListItem } from '#contracts/catalogue/book-views.js';
import { LIST_PAGE_SIZE, listParamsSchema } from '#contracts/lists/reading-lists.js';
import type { Paged } from '#contracts/paging.js';
import * as m from '#words/messages.js';
import { Confirmation } from '../../components/dialog/confirmation.js';
import { ErrorState, SkeletonLines, type Missing } from '../../components/list/placeholders.js';
import { PagedList } from '../../components/list/paged-list.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { notify } from '../../lib/notify.js';
import { useList, type ListAnswer, type PageAddress } from '../../lib/use-list.js';
import type { ChangedList } from './list-books.js';
import { ListedBooks } from './listed-books.js';

/** The list whose id is in the address. */
export function ListAtAddress({ page: Page }: { page: ComponentType<{ id: string }> }) {
  const params = listParamsSchema.safeParse(useParams());
  if (!params.success) return <Navigate to="/not-found" replace />;
  return <Page key={params.data.id} id={params.data.id} />;
}

interface KeptListProps {
  of: Missing;
  /** What is shown of the list; undefined where it is not loaded. */
  children: ReactNode;
}

/** A list, or why it is not there yet. */
export function LoadedList({ of, children }: KeptListProps) {
  if (children !== undefined) return children;
  if (of.error) return <ErrorState of={of} />;
  return <SkeletonLines label={m.lists_loading_list()} widths={[50, 80, 70, 75]} />;
}

interface ListHeadProps {
  title: ReactNode;
  description: string;
  /** How many books are on it, and whatever else is said of it. */
  count: ReactNode;
  actions: ReactNode;
  /** The dialogs that the actions open. */
  children: ReactNode;
}

export function ListHead({ title, description, count, actions, children }: ListHeadProps) {
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="flex flex-[1_1_18rem] flex-col gap-2 min-w-0">
        {title}
        {description !== '' && (
          <p className="max-w-measure wrap-anywhere whitespace-pre-line">{description}</p>
        )}
        <p className="text-ink-soft text-1 tabular-nums">{count}</p>
      </div>
      <div className="flex flex-wrap gap-2 phone:w-full">{actions}</div>
      {children}
    </header>
  );
}

interface KeptBooksProps<Page extends Paged<unknown>> {
  list: ChangedList;
  answer: ListAnswer<Page>;
  address: PageAddress;
  booksOf: (page: Page) => readonly BookListItem[];
  /** Shown where there are none. */
  empty: ReactNode;
}

/** A page of the books of a list, for whoever keeps it. */
export function EditableListBooks<Page extends Paged<unknown>>(props: KeptBooksProps<Page>) {
  const { list, answer, address, booksOf, empty } = props;
  const first = (address[0].pageNumber - 1) * LIST_PAGE_SIZE + 1;
  return (
    <PagedList list={useList(address, answer, LIST_PAGE_SIZE)} pagesLabel={m.lists_pages()} empty={empty}>
      {(page) =>
        page && <ListedBooks list={list} books={booksOf(page)} first={first} total={page.totalCount} />
      }
    </PagedList>
  );
}

interface DeleteListQuestionProps {
  list: { id: string; name: string };
  remove: UseMutationResult<unknown, Error, { params: { id: string } }>;
  /** The page of all lists, where one is led when this one is gone. */
  others: string;
  onDecline: () => void;
  /** What is said of what goes with it. */
  children: ReactNode;
}

export function DeleteListQuestion({ list, remove, others, onDecline, children }: DeleteListQuestionProps) {
  const navigate = useNavigate();
  return (
    <Confirmation
      question={m.lists_delete_question({ name: list.name })}
      action={m.lists_delete_it()}
      busy={remove.isPending}
      onConfirm={() =>
        remove.mutate(
          { params: { id: list.id } },
          {
            onSuccess: () => {
              notify.success(m.lists_deleted({ name: list.name }));
              void navigate(others, { replace: true });
            },
            onError: (error) => {
              notify.error(sentenceOf(error));
              onDecline();
            },
          },
        )
      }
      onDecline={onDecline}
    >
      {children}
    </Confirmation>
  );
}
