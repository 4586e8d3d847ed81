import * as m from '#words/messages.js';
import { placeHold } from '#contracts/holds/hold-views.js';
import { staffActionsOf } from '../../domain/borrowing/staff-actions.js';
import { useMayForOthers, useUser } from '../../lib/session.js';
import { StaffLink } from '../../domain/staff-link.js';
import { useState } from 'react';
import Check from 'lucide-react/icons/check';
import type { OpenBorrow } from '#contracts/accounts/own-card.js';
import type { ReaderPanel } from '#contracts/accounts/reader-card.js';
import { READER_KIND_LABELS } from '#contracts/rules/kinds.js';
import { Button } from '../../components/form/button.js';
import { Loaded, SkeletonLines } from '../../components/list/placeholders.js';
import { Marked } from '../../components/display/marked.js';
import { Meter } from '../../components/display/meter.js';
import { NonBreakingDates } from '../../components/display/day.js';
import { BorrowLink } from '../../domain/borrowing/borrow-link.js';
import { DeskPayment } from '../../domain/borrowing/desk-payment.js';
import { RenewButton } from '../../domain/borrowing/step-button.js';
import type { DeskMoney } from '../../domain/borrowing/take-payment.js';
import { SmallCover } from '../../domain/covers/small-cover.js';
import { amountText } from '../../domain/fees/money.js';
import { useReaderPanel } from '../../domain/readers/get-reader-panel.js';
import { LastSlip } from '../../domain/readers/slip/last-slip.js';
import { isoDay } from '../../lib/dates.js';
import { useNow } from '../../lib/use-now.js';
import { desk } from './desk.js';
import type { Person } from './desk-lines.js';
import styles from './desk-screen.module.css';
import { classNames } from '../../lib/class-names.js';
import { standingOf } from '../../domain/holds/hold-texts.js';
import { ReserveTitle } from '../../domain/holds/reserve-title.js';
import { sharedNote } from '../../domain/borrowing/open-borrow-rows.js';

const FIGURE = 'font-serif text-3 tabular-nums text-not-paid font-semibold';
const READER_PART =
  '[&_h4]:m-0 [&_h4]:pb-1 [&_h4]:border-b [&_h4]:border-line [&_h4]:text-ink-soft [&_h4]:text-1 [&_h4]:font-strong';

interface ReaderSideProps {
  reader: Person;
  /** What was rented before and handed over here. */
  handed: ReadonlySet<string>;
  /** Something was handed over or taken back here that they may want on paper. */
  hasSlip: boolean;
}

/** Whoever stands at the desk: what waits for them, what they have and what they owe. */
export function ReaderSide({ reader, handed, hasSlip }: ReaderSideProps) {
  const panel = useReaderPanel(reader.id);
  return (
    <aside
      className={classNames('side-panel to-1180:static to-1180:max-h-none', styles.reader)}
      aria-label={m.desk_the_reader()}
      data-reader={reader.id}
    >
      <header className="flex items-start justify-between gap-3">
        <h3 className="text-4 wrap-anywhere [&_a]:text-inherit [&_a]:no-underline [&_a:hover]:underline">
          <StaffLink to={`/admin/readers/${reader.id}`}>{reader.fullname}</StaffLink>
        </h3>
        <Button size="small" onClick={() => desk.endReader()}>
          {m.common_done()} <kbd className={styles.key}>Esc</kbd>
        </Button>
      </header>
      <Loaded of={panel} waiting={<SkeletonLines label={m.desk_loading_reader()} widths={[70, 55]} />}>
        {(data) => (
          <>
            <Standing panel={data} handed={handed} />
            <WaitsFor panel={data} />
          </>
        )}
      </Loaded>
      {hasSlip && (
        <div
          // A word without a frame begins where the others begin.
          className="flex flex-wrap gap-2 -my-2 -mx-3 phone:-mx-4"
          data-slip
        >
          <LastSlip readerId={reader.id} size="small" />
        </div>
      )}
    </aside>
  );
}

function Standing({ panel, handed }: { panel: ReaderPanel; handed: ReadonlySet<string> }) {
  const { reader, notice, card, owes, refund, books, borrows, holds } = panel;
  const reserved = new Set(holds.map(({ borrowId }) => borrowId));
  const rented = borrows.filter(
    ({ borrow }) => borrow.books.some(({ state }) => state === 'reserved') || handed.has(borrow.id),
  );
  const lent = borrows.filter(({ borrow }) => borrow.books.some(({ state }) => state === 'lent'));
  const today = isoDay(useNow(true));
  const note = sharedNote(lent.map((open) => noteOf(open, today)));
  return (
    <>
      {(notice || card.blockedAt !== null) && (
        <div
          className="p-3 border border-line-strong rounded bg-mark wrap-anywhere whitespace-pre-line data-blocks:border-danger data-blocks:bg-danger-wash"
          data-blocks={notice?.blocks || card.blockedAt !== null || undefined}
        >
          {notice && <p>{notice.message}</p>}
          {card.blockedAt !== null && <p>{m.desk_card_blocked()}</p>}
        </div>
      )}
      <p>
        <Marked
          parts={m.desk_has_books.parts(books)}
          as={{ have: (have) => <span className={FIGURE}>{have}</span> }}
        />
        {reader.kind !== 'adult' && ` · ${READER_KIND_LABELS[reader.kind]()}`}
        <Meter className="mt-1" value={books.have} max={books.most} label={m.desk_of_the_limit()} />
      </p>
      {owes > 0 && <Money kind="payment" sum={owes} borrows={borrows} />}
      {refund > 0 && <Money kind="refund" sum={refund} borrows={borrows} />}
      {rented.length > 0 && (
        <section className={READER_PART} aria-labelledby="rented-online">
          <h4 id="rented-online">{m.desk_rented_to_hand_over()}</h4>
          <ul role="list">
            {rented.flatMap(({ borrow }) =>
              borrow.books
                .filter(({ state }) => state === 'reserved' || state === 'lent')
                .map(({ bookId, title, state }) => (
                  <li
                    key={`${borrow.id} ${bookId}`}
                    className={styles.kept}
                    data-ticked={state === 'lent' || undefined}
                  >
                    <span className={styles.tick} aria-hidden="true">
                      {state === 'lent' && <Check size={14} strokeWidth={3} />}
                    </span>
                    <SmallCover bookId={bookId} title={title} />
                    <span>
                      <BorrowLink id={borrow.id}>{title}</BorrowLink>
                      <span className="note">
                        {' '}
                        {state === 'lent'
                          ? m.desk_handed_over()
                          : (reserved.has(borrow.id) ? m.desk_reserved_until : m.desk_waits_until)({
                              day: isoDay(borrow.collectBy),
                            })}
                      </span>
                    </span>
                  </li>
                )),
            )}
          </ul>
        </section>
      )}
      {lent.length > 0 && (
        <section className={READER_PART} aria-labelledby="with-reader">
          <h4 id="with-reader">{m.desk_with_reader()}</h4>
          {note !== undefined && (
            <p className="note">
              <NonBreakingDates text={note} />
            </p>
          )}
          <ul role="list">
            {lent.map((open) => (
              <Lent
                key={open.borrow.id}
                open={open}
                note={noteOf(open, today) === note ? undefined : noteOf(open, today)}
              />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** Why it cannot be renewed. What was handed over today nobody asks to renew. */
function noteOf({ borrow, renewal }: OpenBorrow, today: string): string | undefined {
  const isOfToday = borrow.issueDate !== null && isoDay(borrow.issueDate) === today;
  return !isOfToday && renewal && 'refusal' in renewal ? renewal.refusal : undefined;
}

function Lent({ open: { borrow }, note }: { open: OpenBorrow; note: string | undefined }) {
  const out = borrow.books.filter(({ state }) => state === 'lent');
  return (
    <li
      className={classNames(
        'flex items-center gap-3 py-2 border-b border-line justify-between',
        '[&_a]:text-ink [&_a]:no-underline [&_a]:wrap-anywhere [&_a:hover]:underline',
      )}
    >
      <div>
        <BorrowLink id={borrow.id}>{out.map(({ title }) => title).join(', ')}</BorrowLink>{' '}
        {borrow.dueDate !== null && (
          <span className="note unbroken">{m.common_due_on({ day: isoDay(borrow.dueDate) })}</span>
        )}
        {note !== undefined && (
          <p className="note">
            <NonBreakingDates text={note} />
          </p>
        )}
      </div>
      <RenewButton borrow={borrow} size="small" />
    </li>
  );
}

const MONEY = {
  payment: {
    label: m.desk_what_is_owed(),
    words: m.desk_sum_to_pay,
    action: 'pay',
    button: m.desk_take_payment_of,
  },
  refund: {
    label: m.desk_what_is_owed_to_reader(),
    words: m.desk_sum_to_pay_out,
    action: 'refund',
    button: m.desk_pay_out,
  },
} as const;

interface MoneyProps {
  kind: DeskMoney;
  /** In PLN. */
  sum: number;
  borrows: readonly OpenBorrow[];
}

/** What is owed, by whomever, with the button for each borrow of which it is. */
function Money({ kind, sum, borrows }: MoneyProps) {
  const [paying, setPaying] = useState<string>();
  const open = borrows.find(({ borrow }) => borrow.id === paying)?.borrow;
  const { label, words, action, button } = MONEY[kind];
  const user = useUser();
  return (
    <section
      className="flex flex-wrap items-center justify-between gap-2"
      data-money={kind}
      aria-label={label}
    >
      <p>
        <Marked
          parts={words.parts({ amount: amountText(sum) })}
          as={{ sum: (amount) => <span className={FIGURE}>{amount}</span> }}
        />
      </p>
      {borrows
        .filter(({ borrow }) => staffActionsOf(borrow, user).includes(action))
        .map(({ borrow }) => (
          <Button key={borrow.id} size="small" onClick={() => setPaying(borrow.id)}>
            {button({ amount: amountText(kind === 'payment' ? borrow.fineDue : borrow.refundDue) })}
          </Button>
        ))}
      <DeskPayment
        borrow={open}
        kind={kind}
        say={(done) => open && desk.settled(open, done)}
        onClose={() => setPaying(undefined)}
      />
    </section>
  );
}

/** What the reader at the desk waits for, and a way to wait for more. What is kept for them is to be handed over. */
function WaitsFor({ panel: { reader, holds } }: { panel: ReaderPanel }) {
  const waiting = holds.filter(({ state }) => state !== 'Ready');
  const [reserving, setReserving] = useState(false);
  return (
    <section className={READER_PART} aria-labelledby="waits-for">
      <h4 id="waits-for">{m.desk_waits_for()}</h4>
      <ul role="list">
        {waiting.map((hold) => (
          <li key={hold.id} className={styles.kept} data-waits-for={hold.bookId}>
            <SmallCover bookId={hold.bookId} title={hold.title} />
            <span>
              <StaffLink to={`/admin/holds/${hold.bookId}`}>{hold.title}</StaffLink>
              <span className="note"> {standingOf(hold, 'desk')}</span>
            </span>
          </li>
        ))}
      </ul>
      {useMayForOthers(placeHold) && (
        <Button size="small" className="mt-2" onClick={() => setReserving(true)}>
          {m.desk_reserve_a_title()}
        </Button>
      )}
      {reserving && <ReserveTitle reader={reader} onClose={() => setReserving(false)} />}
    </section>
  );
}
