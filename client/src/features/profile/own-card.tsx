import * as m from '#words/messages.js';
import { useQuery } from '@tanstack/react-query';
import type { OpenBorrow } from '#contracts/accounts/own-card.js';
import { readProfile } from '#contracts/accounts/readers.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import type { HoldView } from '#contracts/holds/hold-views.js';
import { ErrorState, Skeleton } from '../../components/list/placeholders.js';
import { Notice } from '../../components/dialog/notice.js';
import { lossesOf, moneyOf } from '../../domain/borrowing/borrow-texts.js';
import { OpenBorrowRow, OpenBorrowRows, sharedNote } from '../../domain/borrowing/open-borrow-rows.js';
import { amountText } from '../../domain/fees/money.js';
import { PayFeeButton } from '../../domain/fees/pay-fee-button.js';
import { CardFace } from '../../domain/readers/card/card-face.js';
import { PrintCard } from '../../domain/readers/card/print-card.js';
import { useOwnHolds } from '../../domain/holds/get-holds.js';
import { HoldActions, HoldBadge } from '../../domain/holds/hold-actions.js';
import { dayWithName } from '../../domain/holds/hold-texts.js';
import { useOwnCard } from '../../domain/readers/get-own-card.js';
import { queryOf } from '../../lib/api/send.js';
import { isoDay } from '../../lib/dates.js';
import { CancelRent, Renew } from '../../domain/borrowing/own-borrow-actions.js';
import { HoldList } from '../../domain/holds/hold-list.js';
import { CollectingHours } from '../../domain/borrowing/collecting-hours.js';

/** The reader's card, and beside it what they have now: what waits, what is due, what is owed. */
export function OwnCardSection() {
  const name = useQuery(queryOf(readProfile)).data?.fullname ?? '';
  const own = useOwnCard();
  const ready = useOwnHolds().data?.filter(({ state }) => state === 'Ready') ?? [];
  const collectBy = own.data && firstDayToCollect(own.data.borrows);
  if (own.isError && !own.data) {
    return <ErrorState of={own} />;
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_20.5rem] items-start gap-10 to-960:grid-cols-1">
      <div className="flex flex-col gap-10 min-w-0">
        <section aria-labelledby="now" aria-busy={own.isPending}>
          <header className="flex items-baseline flex-wrap gap-x-4 gap-y-0 mb-2 pb-1 border-b border-line-strong">
            <h2 id="now">{m.profile_now()}</h2>
            {ready.length > 0 && (
              <p className="text-returned text-1 font-semibold" role="status">
                {m.profile_waiting({ count: ready.length })}
              </p>
            )}
            {own.data && (
              <p className="ml-auto text-ink-soft text-1 tabular-nums">
                {m.profile_books_of(own.data.books)}
              </p>
            )}
          </header>
          {own.data?.block && <Notice>{own.data.block}</Notice>}
          {own.data ? <Now borrows={own.data.borrows} ready={ready} /> : <Skeleton width="70%" />}
          {collectBy !== undefined && <CollectingHours collectBy={collectBy} />}
        </section>
        <OwnHolds above={own.data?.borrows.map(({ borrow }) => borrow.id) ?? []} />
      </div>
      <section className="flex flex-col gap-3" aria-labelledby="own-card">
        <h2 id="own-card">{m.profile_card()}</h2>
        {own.data ? (
          <>
            <CardFace card={own.data.card} name={name} />
            <div className="flex flex-wrap gap-2">
              <PrintCard card={own.data.card} name={name} />
            </div>
            <p className="note">{m.profile_card_lead()}</p>
          </>
        ) : (
          <Skeleton width="100%" />
        )}
      </section>
    </div>
  );
}

/** The first last day of those that wait at the desk. */
function firstDayToCollect(borrows: readonly OpenBorrow[]): string | undefined {
  const days = borrows
    .filter(({ borrow }) => borrow.books.some(({ state }) => state === 'reserved'))
    .map(({ borrow }) => borrow.collectBy);
  return days.sort((one, other) => Date.parse(one) - Date.parse(other))[0];
}

interface NowProps {
  borrows: readonly OpenBorrow[];
  /** The holds for which a copy is kept: each is one of the rents. */
  ready: readonly HoldView[];
}

/** What the reader has to come for first, then what is with them. */
function Now({ borrows, ready }: NowProps) {
  if (borrows.length === 0) return <p className="quiet">{m.profile_nothing_now()}</p>;
  const keptFor = new Map(ready.map((hold) => [hold.borrowId, hold]));
  const note = sharedNote(borrows.map(whyNotRenewed));
  const rows = borrows.map((open) => ({ open, hold: keptFor.get(open.borrow.id) }));
  return (
    <OpenBorrowRows note={note}>
      {[...rows.filter(({ hold }) => hold), ...rows.filter(({ hold }) => !hold)].map(({ open, hold }) => (
        <OpenBorrowRow
          key={open.borrow.id}
          borrow={open.borrow}
          titles={titlesNow(open.borrow)}
          when={hold ? m.profile_reserved({ day: dayWithName(open.borrow.collectBy) }) : wordsOf(open)}
          isLate={open.borrow.status === 'Not_Paid'}
          kept={hold && <HoldBadge state="Ready" />}
          note={whyNotRenewed(open) === note ? undefined : whyNotRenewed(open)}
          actions={hold ? <HoldActions hold={hold} /> : <Actions open={open} />}
        />
      ))}
    </OpenBorrowRows>
  );
}

/** What is with the reader or waits; of a borrow that has all its books back, them all. */
function titlesNow({ books }: BorrowView): string {
  const out = books.filter(({ state }) => state === 'lent' || state === 'reserved');
  return (out.length > 0 ? out : books).map(({ title }) => title).join(', ');
}

function wordsOf({ borrow }: OpenBorrow): string {
  const { books, collectBy, dueDate, fineDue } = borrow;
  const waiting = books.filter(({ state }) => state === 'reserved');
  const lastDay = { day: dayWithName(collectBy) };
  const owed = fineDue > 0 ? [m.readers_to_pay({ money: amountText(fineDue) })] : [];
  if (dueDate === null || !books.some(({ state }) => state === 'lent')) {
    if (waiting.length > 0) return [m.profile_waits(lastDay), ...owed].join('; ');
    const losses = lossesOf(borrow);
    return [...(losses.length > 0 ? losses : [m.profile_back()]), ...moneyOf(borrow)].join('; ');
  }
  const titles = waiting.map(({ title }) => title).join(', ');
  const rest = waiting.length > 0 ? [m.profile_titles_wait({ titles, ...lastDay })] : [];
  const day = dayWithName(dueDate);
  const due = Date.parse(dueDate) < Date.now() ? m.profile_was_due({ day }) : m.profile_due({ day });
  return [due, ...lossesOf(borrow), ...owed, ...rest].join('; ');
}

function whyNotRenewed({ borrow, renewal }: OpenBorrow): string | undefined {
  const isRefused = renewal !== null && 'refusal' in renewal && !borrow.availableActions.includes('pay');
  return isRefused ? renewal.refusal : undefined;
}

/** The new due date stands on the button. */
function Actions({ open: { borrow, renewal } }: { open: OpenBorrow }) {
  const { availableActions } = borrow;
  return (
    <>
      {availableActions.includes('renew') && renewal && 'until' in renewal && (
        <Renew borrow={borrow}>{m.profile_renew_until({ day: isoDay(renewal.until) })}</Renew>
      )}
      {availableActions.includes('pay') && <PayFeeButton borrow={borrow} />}
      {availableActions.includes('cancel') && <CancelRent borrow={borrow} />}
    </>
  );
}

/** What the reader waits for. What is kept for them is rented. @param above the rents that are shown above */
function OwnHolds({ above }: { above: readonly string[] }) {
  const holds = useOwnHolds();
  const waiting = holds.data?.filter(({ borrowId }) => borrowId === null || !above.includes(borrowId));
  return (
    <section aria-labelledby="own-holds" aria-busy={holds.isPending}>
      <header className="flex items-baseline flex-wrap gap-x-4 gap-y-0 mb-2 pb-1 border-b border-line-strong">
        <h2 id="own-holds">{m.profile_holds()}</h2>
      </header>
      {waiting ? (
        waiting.length === 0 ? (
          <p className="quiet">{holds.data?.length ? m.profile_no_other_holds() : m.profile_no_holds()}</p>
        ) : (
          <HoldList holds={waiting} to="owner" />
        )
      ) : holds.isError ? (
        <ErrorState of={holds} />
      ) : (
        <Skeleton width="70%" />
      )}
    </section>
  );
}
