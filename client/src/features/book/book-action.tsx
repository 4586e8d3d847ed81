import { lazy, Suspense } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { Book } from '#contracts/catalogue/book-views.js';
import * as m from '#words/messages.js';
import { Marked } from '../../components/display/marked.js';
import { ButtonLink } from '../../components/form/button.js';
import { waitingText } from '../../domain/holds/hold-texts.js';
import type { LoginState } from '../../lib/app-navigation.js';
import { useUser } from '../../lib/session.js';

const OwnStanding = lazy(async () => ({ default: (await import('./own-standing.js')).OwnStanding }));

/** Whether the book can be had, and the one thing that this person can do about it now. */
export function BookAction({ book }: { book: Book }) {
  const user = useUser();
  return (
    <div className="flex flex-col gap-3">
      <p data-none={book.copiesAvailable === 0 || undefined} className="data-none:text-ink-soft">
        <Marked
          parts={m.book_available.parts({ available: book.copiesAvailable, count: book.copiesTotal })}
          as={{
            available: (children) => (
              <span data-copies-available className="font-strong tabular-nums">
                {children}
              </span>
            ),
          }}
        />
        {book.holds > 0 && <span data-holds={book.holds}>. {waitingText(book.holds)}.</span>}
      </p>
      {book.kind === 'reading-room' ? (
        <p className="note">{m.book_reading_room()}</p>
      ) : (
        <div
          // What is below does not move once it is known how the person stands.
          className="flex flex-col gap-3 min-h-11"
        >
          {user ? (
            <Suspense fallback={null}>
              <OwnStanding book={book} readerId={user.id} />
            </Suspense>
          ) : (
            <ByLogin book={book} />
          )}
        </div>
      )}
    </div>
  );
}

/** Renting requires a login (specification, section 6): it is done once the guest is back from there. */
function ByLogin({ book }: { book: Book }) {
  const { pathname } = useLocation();
  const isNone = book.copiesAvailable === 0;
  const state: LoginState = { from: pathname, then: isNone ? 'reserve' : 'rent' };
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <ButtonLink to="/login" state={state} look="primary" className="to-720:w-full">
        {isNone ? m.holds_reserve() : m.book_rent()}
      </ButtonLink>
      <p className="note">
        <Marked
          parts={m.book_sign_in_first.parts()}
          as={{ link: (children) => <Link to="/register">{children}</Link> }}
        />
      </p>
    </div>
  );
}
