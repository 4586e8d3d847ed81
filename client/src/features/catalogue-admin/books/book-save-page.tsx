import * as m from '#words/messages.js';
import { addBook, changeBook } from '#contracts/catalogue/book-save.js';
import { listCopies } from '#contracts/copies/copy-views.js';
import { May } from '../../../domain/may.js';
import { StaffLink } from '../../../domain/staff-link.js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate, useParams, useSearchParams } from 'react-router-dom';
import { bookParamsSchema, readBook, type Book } from '#contracts/catalogue/book-views.js';
import { ErrorState, Skeleton } from '../../../components/list/placeholders.js';
import { RequestError } from '../../../lib/api/request-error.js';
import { waitingText } from '../../../domain/holds/hold-texts.js';
import { queryOf } from '../../../lib/api/send.js';
import { usePageTitle } from '../../../domain/use-page-title.js';
import { CopiesOfBook } from '../copies/copies-of-book.js';
import { BookForm } from './book-form.js';

/** With an id the form updates that book, otherwise it adds one (specification, section 2). */
export function BookSavePage() {
  const { id } = useParams();
  if (id === undefined) return <AddBook key="new" />;
  const params = bookParamsSchema.safeParse({ id });
  if (!params.success) return <Navigate to="/not-found" replace />;
  return <EditBook key={params.data.id} id={params.data.id} />;
}

function AddBook() {
  usePageTitle(m.common_add_new_book());
  const [search] = useSearchParams();
  return (
    <>
      <h2 className="mb-4 text-4">{m.common_add_new_book()}</h2>
      <May make={addBook}>
        <BookForm title={search.get('title')?.slice(0, 200)} />
      </May>
    </>
  );
}

function EditBook({ id }: { id: number }) {
  usePageTitle(m.common_edit_book());
  const book = useQuery({
    ...queryOf(readBook, { params: { id } }),
    // What was seen of it before may be outdated.
    refetchOnMount: 'always',
    // Where the page of the book was open before, a miss counts as a refresh that failed: the form handles it.
    meta: { inPlace: true },
  });
  /** The form opens once: what is fetched later must not take away what is being typed. */
  const [opened, setOpened] = useState<Book>();
  if (!opened && book.isSuccess && book.isFetchedAfterMount && !book.isFetching) setOpened(book.data);
  if (!opened && book.error instanceof RequestError && book.error.status === 404)
    return <Navigate to="/not-found" replace />;
  return (
    <>
      <h2 className="mb-4 text-4">{m.common_edit_book()}</h2>
      {opened ? (
        <>
          <p className="mb-4">
            <StaffLink to={`/admin/holds/${id}`}>{waitingText(book.data?.holds ?? opened.holds)}</StaffLink>
          </p>
          <May make={changeBook}>
            <BookForm book={opened} />
          </May>
          <May make={listCopies}>
            <CopiesOfBook bookId={id} />
          </May>
        </>
      ) : book.isError ? (
        <ErrorState of={book} />
      ) : (
        <FormSkeleton />
      )}
    </>
  );
}

function FormSkeleton() {
  return (
    <div
      className="flex flex-col gap-6 max-w-168 pt-4"
      role="group"
      aria-busy="true"
      aria-label={m.book_form_loading()}
    >
      {[40, 75, 90, 60, 60, 30].map((width, index) => (
        <Skeleton key={index} width={`${width}%`} />
      ))}
    </div>
  );
}
