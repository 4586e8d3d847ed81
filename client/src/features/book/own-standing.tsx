import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { OpenBorrow } from '#contracts/accounts/own-card.js';
import type { Book } from '#contracts/catalogue/book-views.js';
import { readProspect, type HoldView } from '#contracts/holds/hold-views.js';
import { NonBreakingDates } from '../../components/display/day.js';
import { Button, ButtonLink } from '../../components/form/button.js';
import { Skeleton } from '../../components/list/placeholders.js';
import { CancelRent, Renew } from '../../domain/borrowing/own-borrow-actions.js';
import { StatusBadge } from '../../domain/borrowing/status-badge.js';
import { cart, useCart } from '../../domain/cart.js';
import { plnText } from '../../domain/fees/money.js';
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
      <Panel heading="You cannot rent books at the moment" tone="expired">
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
        Rent this book
      </Button>
    </div>
  );
}

const isOpen = ({ books }: OpenBorrow['borrow'], id: number) =>
  books.some(({ bookId, state }) => bookId === id && (state === 'lent' || state === 'reserved'));

function putIntoCart(book: Book): void {
  if (!cart.add(book)) notify.warning('You already have this book in your cart');
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
      aria-label={label ?? 'You and this book'}
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
      ? `Waits for you at the desk until ${dayWithName(borrow.collectBy)}`
      : `You have it: ${isLate ? 'it was due' : 'due'} on ${dayWithName(dueDate)}`;
  const notes = [
    isWaiting ? 'Bring your card.' : '',
    fineDue > 0 ? `${plnText(fineDue)} to pay.` : '',
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
          <Renew borrow={borrow}>{`Renew until ${isoDay(renewal.until)}`}</Renew>
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
      label="Your reservation"
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
  const since = `Reserved on ${isoDay(placedAt)}.`;
  if (state === 'Ready') return `${since} Bring your card.`;
  const last = neededUntil === null ? '' : ` No longer needed after ${neededUntil}.`;
  return `${holds > 1 ? waitingText(holds) : 'Nobody else waits for it'}. ${since}${last}`;
}

function InCart({ book }: { book: Book }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3 to-720:[&>a]:w-full">
      <ButtonLink to="/cart" look="primary">
        Go to your cart
      </ButtonLink>
      <p className="note" role="status">
        It is in your cart.
      </p>
      <Button
        look="plain"
        size="small"
        aria-label={`Remove ${book.title}`}
        onClick={() => cart.remove(book.id)}
      >
        Remove
      </Button>
    </div>
  );
}

function Owing({ owes }: { owes: number }) {
  return (
    <Panel heading={`${plnText(owes)} to pay first`} tone="not-paid">
      <p className="note">Once everything is paid, you can rent again.</p>
      <div>
        <ButtonLink to="/profile" look="primary">
          See what you owe
        </ButtonLink>
      </div>
    </Panel>
  );
}

function AtLimit({ have, most, inCart }: { have: number; most: number; inCart: number }) {
  const rest = inCart > 0 ? ` and ${inCart} in your cart` : '';
  return (
    <Panel heading={`You have ${have} of ${most} books${rest}`} tone="rented">
      <p className="note">Bring one back, or take one out of your cart, to rent this one.</p>
      <div>
        <ButtonLink to={inCart > 0 ? '/cart' : '/profile'}>
          {inCart > 0 ? 'Go to your cart' : 'See your books'}
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
          ? `Every copy is on loan. You would be ${ordinal(prospect.place)} in line, ${estimateText(prospect.estimateDays)}.`
          : 'Every copy is out on loan.'}
      </p>
    </div>
  );
}
