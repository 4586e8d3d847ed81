import * as m from '#words/messages.js';
import { lazy, Suspense, useRef } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { authorNames } from '#contracts/catalogue/book-facts.js';
import { rentBooks } from '#contracts/borrowing/borrow-calls.js';
import { BookCover } from '../../domain/covers/book-cover.js';
import { Button, ButtonLink } from '../../components/form/button.js';
import { EmptyState } from '../../components/list/placeholders.js';
import { firstWordsOf, RequestError, sentenceOf } from '../../lib/api/request-error.js';
import { queryOf, useCall } from '../../lib/api/send.js';
import { cart, useCart, type CartBook } from '../../domain/cart.js';
import { notify } from '../../lib/notify.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { Notice } from '../../components/dialog/notice.js';
import { useQuery } from '@tanstack/react-query';
import { readBook } from '#contracts/catalogue/book-views.js';

// For a book that was lent to somebody else meanwhile.
const ReserveButton = lazy(async () => ({
  default: (await import('../../domain/holds/reserve-button.js')).ReserveButton,
}));

export function CartPage() {
  usePageTitle(m.cart_title());
  const books = useCart();
  const navigate = useNavigate();
  // Trying again after no clear answer cannot rent them twice.
  const rent = useCall(rentBooks, { meta: { inPlace: isShownInCart } });
  // A second click comes before the first has been drawn.
  const sending = useRef(false);

  const submit = () => {
    if (sending.current) return;
    sending.current = true;
    rent.mutate(
      { body: { bookIds: books.map((book) => book.id) } },
      {
        onSuccess: ({ borrowId }) => {
          cart.clear();
          notify.success(m.common_books_rented());
          void navigate('/catalog', { state: { rented: borrowId } });
        },
        onError: (error) => {
          sending.current = false;
          // Refused field by field: the page has no fields, so the words go where the others go.
          if (error instanceof RequestError && error.fieldErrors) notify.error(firstWordsOf(error));
        },
      },
    );
  };

  const isEmpty = books.length === 0;
  return (
    <div className="flex flex-col gap-6 w-full max-w-page mx-auto p-gutter pt-10 pb-16 to-560:pt-6">
      <h1>{m.cart_heading()}</h1>
      <div className="grid grid-cols-[minmax(0,1fr)_20rem] items-start gap-x-16 gap-y-6 to-860:grid-cols-1">
        {isEmpty ? (
          <EmptyState title={m.cart_empty()}>{m.cart_empty_lead()}</EmptyState>
        ) : (
          <table className="w-full [&_tr]:border-b [&_tr]:border-line [&_tbody_tr:first-child]:border-t [&_tbody_tr:first-child]:border-line [&_td]:py-3 [&_td]:px-0">
            <thead className="visually-hidden">
              <tr>
                <th scope="col">{m.common_book_title()}</th>
                <th scope="col">{m.cart_column_action()}</th>
              </tr>
            </thead>
            <tbody>
              {books.map((book) => (
                <CartRow key={book.id} book={book} isRefused={rent.isError} />
              ))}
            </tbody>
          </table>
        )}
        <div className="flex flex-col gap-4 p-4 border border-line rounded bg-surface">
          <p className="font-serif text-3">
            {isEmpty ? m.cart_nothing() : m.common_books_count({ count: books.length })}
          </p>
          <p className="note">{m.cart_lead()}</p>
          {rent.isError && <RentRefusal error={rent.error} />}
          <div className="flex flex-wrap-reverse justify-between gap-3 [&>*]:flex-1">
            <ButtonLink to="/catalog">{m.cart_back()}</ButtonLink>
            <Button
              look={isUnpaid(rent.error) ? 'quiet' : 'primary'}
              disabled={isEmpty}
              busy={rent.isPending}
              onClick={submit}
            >
              {m.cart_rent()}
            </Button>
          </div>
        </div>
      </div>
    </div>
  );
}

interface CartRowProps {
  book: CartBook;
  /** A rent was refused: then it is looked up whether the book is still there. */
  isRefused: boolean;
}

function CartRow({ book, isRefused }: CartRowProps) {
  const gone = useUnavailableReason(book.id, isRefused);
  return (
    <tr data-gone={gone}>
      <td className="flex items-center gap-4 [&_a]:text-ink [&_a]:font-serif [&_a]:text-3 [&_a]:leading-[1.2] [&_a]:no-underline [&_a:hover]:underline">
        <BookCover book={book} thumbnail className="w-12.5 flex-none" />
        <span>
          <Link to={`/book/${book.id}`}>{book.title}</Link>
          <span className="block text-ink-soft text-1">{authorNames(book)}</span>
          {gone && (
            <span className="block mt-1 text-not-paid text-1 font-semibold">{UNAVAILABLE_REASONS[gone]}</span>
          )}
        </span>
      </td>
      <td className="w-[1%] text-right">
        {gone === 'lent' && (
          <Suspense fallback={null}>
            <ReserveButton book={book} size="small" onReserved={() => cart.remove(book.id)}>
              {m.cart_reserve()}
            </ReserveButton>
          </Suspense>
        )}
        <Button
          look={gone ? 'quiet' : 'plain'}
          size="small"
          aria-label={m.cart_remove_book({ title: book.title })}
          onClick={() => cart.remove(book.id)}
        >
          {m.common_remove()}
        </Button>
      </td>
    </tr>
  );
}

const UnpaidFees = lazy(async () => ({ default: (await import('./unpaid-fees.js')).UnpaidFees }));

/** Refusals that a person can do something about, here. Others are shown as those of any call are. */
const SHOWN_HERE = [
  'CopiesUnavailable',
  'BookNotFound',
  'BookAlreadyBorrowed',
  'TooManyBooks',
  'ReadingRoomOnly',
  'FeeNotPaid',
  'ReaderBlocked',
];

/** Those that a book is marked for. */
const ABOUT_BOOKS = ['CopiesUnavailable', 'BookNotFound', 'ReadingRoomOnly'];

const codeOf = (error: unknown) => (error instanceof RequestError ? error.problem?.code : undefined);

function isShownInCart(error: unknown): boolean {
  return SHOWN_HERE.includes(codeOf(error) ?? '');
}

/** Whether something has to be paid before anything else. */
function isUnpaid(error: unknown): boolean {
  return codeOf(error) === 'FeeNotPaid';
}

/** Why nothing was rented, with the way on. */
function RentRefusal({ error }: { error: unknown }) {
  if (!isShownInCart(error)) return null;
  if (!isUnpaid(error))
    return (
      <Notice>
        {sentenceOf(error)}
        {ABOUT_BOOKS.includes(codeOf(error) ?? '') && ` ${m.cart_remove_marked()}`}
      </Notice>
    );
  return (
    <Suspense fallback={null}>
      <UnpaidFees />
    </Suspense>
  );
}

const UNAVAILABLE_REASONS = {
  lent: m.cart_gone_lent(),
  'reading-room': m.cart_gone_reading_room(),
  removed: m.cart_gone_removed(),
} as const;

/** Why a book in the cart cannot be rented, looked up once a rent was refused; nothing where it can. */
function useUnavailableReason(
  bookId: number,
  isAsked: boolean,
): keyof typeof UNAVAILABLE_REASONS | undefined {
  const present = useQuery({
    ...queryOf(readBook, { params: { id: bookId } }),
    enabled: isAsked,
    staleTime: 0,
    meta: { inPlace: true },
  });
  if (!isAsked) return undefined;
  if (present.error instanceof RequestError && present.error.status === 404) return 'removed';
  if (present.data?.kind === 'reading-room') return 'reading-room';
  return present.data?.copiesAvailable === 0 ? 'lent' : undefined;
}
