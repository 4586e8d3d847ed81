import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { OpenBorrow } from '#contracts/accounts/own-card.js';
import type { Book } from '#contracts/catalogue/book-views.js';
import { readProspect, type HoldView } from '#contracts/holds/hold-views.js';
import * as m from '#words/messages.js';
import { NonBreakingDates } from '../../components/display/day.js';
import { Button, ButtonLink } from '../../components/form/button.js';
import { Skeleton } from '../../components/list/placeholders.js';
import { CancelRent, Renew } from '../../domain/borrowing/own-borrow-actions.js';
import { StatusBadge } from '../../domain/borrowing/status-badge.js';
import { cart, useCart } from '../../domain/cart.js';
import { amountText } from '../../domain/fees/money.js';
import { PayFeeButton } from '../../domain/fees/pay-fee-button.js';
import { useOwnHolds } from '../../domain/holds/get-holds.js';
import { HoldActions, HoldBadge } from '../../domain/holds/hold-actions.js';
import { usePlaceHold } from '../../domain/holds/hold-commands.js';
import {
  dayWithName,
  estimateText,
  ordinal,
  standingOf,
  waitingText,
} from '../../domain/holds/hold-texts.js';
import { ReserveButton } from '../../domain/holds/reserve-button.js';
import { useOwnCard } from '../../domain/readers/get-own-card.js';
import type { LoginState } from '../../lib/app-navigation.js';
import { notify } from '../../lib/notify.js';
import { queryOf } from '../../lib/api/send.js';
import { isoDay } from '../../lib/dates.js';
import { useQuarterHour } from '../../lib/use-now.js';

interface OwnStandingProps {
  book: Book;
  readerId: string;
}

/** What the reader has, waits for or owes of this book; else the way to have it, or why there is none now. */
export function OwnStanding({ book, readerId }: OwnStandingProps) {
  const own = useOwnCard();
  const holds = useOwnHolds();
  const inCart = useCart();
  useActAfterLogin(book, readerId);
  // What cannot be loaded keeps nobody from trying.
  if (own.isPending || holds.isPending) return <Skeleton width="12rem" className="h-11" />;
  const having = own.data?.borrows.find(({ borrow }) => isOpen(borrow, book.id));
  const hold = holds.data?.find(({ bookId }) => bookId === book.id);
  if (having) return <Having open={having} book={book} hold={hold} />;
  if (hold) return <Waiting hold={hold} holds={book.holds} />;
  if (inCart.some(({ id }) => id === book.id)) return <InCart book={book} />;
  if (own.data && own.data.block !== null) {
    return (
      <Panel heading={m.book_blocked()} tone="expired">
        <p className="note">{own.data.block}</p>
      </Panel>
    );
  }
  if (book.copiesAvailable === 0) return <Reserve book={book} />;
  if (own.data && own.data.owes > 0) return <Owing owes={own.data.owes} />;
  const { have, most } = own.data?.books ?? { have: 0, most: Infinity };
  if (have + inCart.length >= most) return <AtLimit have={have} most={most} inCart={inCart.length} />;
  return (
    <div className="to-720:[&>button]:w-full">
      <Button look="primary" onClick={() => putIntoCart(book)}>
        {m.book_rent()}
      </Button>
    </div>
  );
}

const isOpen = ({ books }: OpenBorrow['borrow'], id: number) =>
  books.some(({ bookId, state }) => bookId === id && (state === 'lent' || state === 'reserved'));

function putIntoCart(book: Book): void {
  if (!cart.add(book)) notify.warning(m.book_in_cart_already());
}

/** Does what a guest chose before they signed in: once, and not again by Back or a reload. */
function useActAfterLogin(book: Book, readerId: string): void {
  const { pathname, ...location } = useLocation();
  const navigate = useNavigate();
  const place = usePlaceHold();
  const wanted = (location.state as LoginState | null)?.then;
  const done = useRef('');
  useEffect(() => {
    if (wanted === undefined || done.current === readerId) return;
    done.current = readerId;
    void navigate(pathname, { replace: true, state: null });
    if (wanted === 'rent') putIntoCart(book);
    else place.mutate({ id: book.id, title: book.title });
  }, [wanted, readerId, book, pathname, navigate, place]);
}

interface PanelProps {
  heading: string;
  badge?: ReactNode;
  /** Of the status that it speaks of, as tokens name it. */
  tone: string;
  label?: string;
  children: ReactNode;
  data?: Record<`data-${string}`, string>;
}

function Panel({ heading, badge, tone, label, children, data }: PanelProps) {
  return (
    <section
      className="flex flex-col gap-2 p-4 border border-line border-l-4 border-l-tone rounded bg-surface"
      data-tone={tone}
      aria-label={label ?? m.book_you_and_it()}
      {...data}
    >
      <div role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {badge}
        <p className="font-serif text-3 leading-tight">
          <NonBreakingDates text={heading} />
        </p>
      </div>
      {children}
    </section>
  );
}

interface HavingProps {
  open: OpenBorrow;
  book: Book;
  hold: HoldView | undefined;
}

/** It is with the reader, or waits for them at the desk. */
function Having({ open: { borrow, renewal }, book, hold }: HavingProps) {
  const { dueDate, availableActions: may, fineDue, books } = borrow;
  const now = useQuarterHour();
  const isWaiting = books.some(({ bookId, state }) => bookId === book.id && state === 'reserved');
  const isLate = dueDate !== null && Date.parse(dueDate) < now;
  const heading =
    isWaiting || dueDate === null
      ? m.holds_waits_for_you_until({ day: dayWithName(borrow.collectBy) })
      : (isLate ? m.book_have_was_due : m.book_have_due)({ day: dayWithName(dueDate) });
  const notes = [
    isWaiting ? m.book_bring_card() : '',
    fineDue > 0 ? m.book_to_pay({ amount: amountText(fineDue) }) : '',
    renewal && 'refusal' in renewal && !may.includes('pay') ? renewal.refusal : '',
  ].filter(Boolean);
  return (
    <Panel
      heading={heading}
      badge={
        hold ? <HoldBadge state="Ready" /> : <StatusBadge status={isWaiting ? 'Rented' : borrow.status} />
      }
      tone={isWaiting ? 'returned' : isLate ? 'not-paid' : 'issued'}
      {...(hold && { data: { 'data-hold': hold.id, 'data-state': hold.state } })}
    >
      {notes.length > 0 && <p className="note">{notes.join(' ')}</p>}
      <div className="flex flex-wrap gap-2 empty:hidden to-720:[&>button]:flex-1">
        {may.includes('renew') && renewal && 'until' in renewal && (
          <Renew borrow={borrow}>{m.book_renew_until({ day: isoDay(renewal.until) })}</Renew>
        )}
        {may.includes('pay') && <PayFeeButton borrow={borrow} />}
        {hold ? <HoldActions hold={hold} /> : may.includes('cancel') && <CancelRent borrow={borrow} />}
      </div>
    </Panel>
  );
}

const HOLD_TONES = { Waiting: 'rented', Paused: 'issued', Ready: 'returned' } as const;

function Waiting({ hold, holds }: { hold: HoldView; holds: number }) {
  return (
    <Panel
      heading={standingOf(hold, 'owner')}
      badge={<HoldBadge state={hold.state} />}
      tone={HOLD_TONES[hold.state]}
      label={m.book_your_reservation()}
      data={{ 'data-hold': hold.id, 'data-state': hold.state }}
    >
      <p className="note">
        <NonBreakingDates text={detailsOf(hold, holds)} />
      </p>
      <div className="flex flex-wrap gap-2 to-720:[&>button]:flex-1">
        <HoldActions hold={hold} />
      </div>
    </Panel>
  );
}

function detailsOf({ state, placedAt, neededUntil }: HoldView, holds: number): string {
  const since = m.holds_reserved_on({ day: isoDay(placedAt) });
  if (state === 'Ready') return `${since} ${m.book_bring_card()}`;
  const last = neededUntil === null ? '' : ` ${m.book_not_needed_after({ day: neededUntil })}`;
  return `${holds > 1 ? waitingText(holds) : m.book_nobody_else_waits()}. ${since}${last}`;
}

function InCart({ book }: { book: Book }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3 to-720:[&>a]:w-full">
      <ButtonLink to="/cart" look="primary">
        {m.book_to_cart()}
      </ButtonLink>
      <p className="note" role="status">
        {m.book_is_in_cart()}
      </p>
      <Button
        look="plain"
        size="small"
        aria-label={m.cart_remove_book({ title: book.title })}
        onClick={() => cart.remove(book.id)}
      >
        {m.common_remove()}
      </Button>
    </div>
  );
}

function Owing({ owes }: { owes: number }) {
  return (
    <Panel heading={m.book_to_pay_first({ amount: amountText(owes) })} tone="not-paid">
      <p className="note">{m.book_to_pay_first_lead()}</p>
      <div>
        <ButtonLink to="/profile" look="primary">
          {m.book_see_owed()}
        </ButtonLink>
      </div>
    </Panel>
  );
}

function AtLimit({ have, most, inCart }: { have: number; most: number; inCart: number }) {
  const heading =
    inCart > 0 ? m.book_at_limit_with_cart({ have, most, inCart }) : m.book_at_limit({ have, most });
  return (
    <Panel heading={heading} tone="rented">
      <p className="note">{m.book_at_limit_lead()}</p>
      <div>
        <ButtonLink to={inCart > 0 ? '/cart' : '/profile'}>
          {inCart > 0 ? m.book_to_cart() : m.catalog_see_your_books()}
        </ButtonLink>
      </div>
    </Panel>
  );
}

function Reserve({ book }: { book: Book }) {
  const prospect = useQuery({
    ...queryOf(readProspect, { query: { bookId: book.id } }),
    meta: { inPlace: true },
  }).data;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3 to-720:[&>button]:w-full">
      <ReserveButton book={book} look="primary" />
      <p className="note">
        {prospect
          ? m.book_prospect({
              ordinal: ordinal(prospect.place),
              estimate: estimateText(prospect.estimateDays),
            })
          : m.book_all_lent()}
      </p>
    </div>
  );
}
