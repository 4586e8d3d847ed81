import * as m from '#words/messages.js';
import { explainFee } from '#contracts/audit/audit-calls.js';
import { rebindCopies, undoAtDesk } from '#contracts/borrowing/borrow-calls.js';
import { useMay } from '../../../lib/session.js';
import { StaffLink } from '../../staff-link.js';
import { useState } from 'react';
import { authorNames, isInternalNumber } from '#contracts/catalogue/book-facts.js';
import type { BorrowDetails, BorrowStep } from '#contracts/borrowing/borrow-details.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { Button } from '../../../components/form/button.js';
import { Day } from '../../../components/display/day.js';
import { Fact } from '../../../components/display/fact.js';
import { useCover } from '../../covers/get-covers.js';
import { SmallCover } from '../../covers/small-cover.js';
import { FeeButton } from '../../fees/fee-button.js';
import { amountText, feeText } from '../../fees/money.js';
import { paidOf, waitingBooks } from '../borrow-texts.js';
import { Rebind } from '../rebind.js';
import { StepButton } from '../step-button.js';
import { useQueryClient } from '@tanstack/react-query';
import type { Undoable } from '#contracts/borrowing/borrow-events.js';
import { isoDay, isoMinute, relativeTime } from '../../../lib/dates.js';
import { useNow } from '../../../lib/use-now.js';
import { groszeOf } from '#contracts/money.js';
import { eventText, eventLabels } from '../event-labels.js';
import { undoStep } from '../undo-steps.js';
import { beyondText } from '../held-copy.js';
import { WAIVER_LABELS } from '../waive-fee.js';
import styles from './borrow-drawer.module.css';

interface BorrowFactsProps {
  borrow: BorrowView;
  /** Undefined while it is on its way. */
  reader: BorrowDetails['reader'] | undefined;
}

/** Which books, whose, from when to when, and what it cost. */
export function BorrowFacts({ borrow, reader }: BorrowFactsProps) {
  const mayExplain = useMay(explainFee);
  const { books, rentDate, collectBy, issueDate, dueDate, returnDate, status, renewals } = borrow;
  return (
    <>
      <section aria-label={m.common_books()}>
        <ul role="list" className="flex flex-col gap-3 mb-6">
          {books.map((book) => (
            <BookLine key={book.bookId} borrow={borrow} {...book} />
          ))}
        </ul>
      </section>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 mb-6 py-4 [border-block:1px_solid_var(--line)] [&_[data-wide]]:col-span-full [&_dt]:text-1 [&_dd]:tabular-nums [&_dd]:wrap-anywhere">
        <Fact name={m.borrow_rented()}>
          <Day time={rentDate} />
        </Fact>
        {(status === 'Expired' || waitingBooks(borrow).length > 0) && (
          <Fact name={m.common_collect_by()}>
            <Day time={collectBy} />
          </Fact>
        )}
        {status !== 'Rented' && status !== 'Expired' && (
          <>
            <Fact name={m.borrow_issued()}>
              <Day time={issueDate} />
            </Fact>
            <Fact name={m.common_due()}>
              <Day time={dueDate} />
              {renewals > 0 && <span className="quiet"> {m.borrow_renewed_times({ count: renewals })}</span>}
            </Fact>
            <Fact name={m.borrow_returned()}>
              <Day time={returnDate} />
            </Fact>
          </>
        )}
        <Fact name={m.common_fee()}>
          {mayExplain ? <FeeButton asker="auditor" borrow={borrow} /> : feeText(borrow.fineAmount)}
          {borrow.fineAmount > 0 && <span className="quiet"> {paidOf(borrow)}</span>}
          {borrow.lossAmount > 0 && borrow.lossAmount !== borrow.fineAmount && (
            <span className="quiet">
              , {m.borrow_fee_for_losses({ amount: amountText(borrow.lossAmount) })}
            </span>
          )}
        </Fact>
        {borrow.refundDue > 0 && (
          <Fact name={m.fees_to_give_back()} data-wide>
            <strong>{amountText(borrow.refundDue)}</strong>
            <span className="quiet"> {m.borrow_refund_reason()}</span>
          </Fact>
        )}
        {reader && (
          <>
            <Fact name={m.borrow_user_name()}>
              <StaffLink to={`/admin/readers/${borrow.user.id}`}>{reader.userName}</StaffLink>
            </Fact>
            <Fact name={m.common_email()} data-wide>
              <a href={`mailto:${reader.email}`}>{reader.email}</a>
            </Fact>
          </>
        )}
      </dl>
    </>
  );
}

function BookLine({
  borrow,
  bookId,
  title,
  state,
  copy,
  charged,
}: { borrow: BorrowView } & BorrowView['books'][number]) {
  const { data: book } = useCover(bookId);
  const mayRebind = useMay(rebindCopies);
  const [rebinding, setRebinding] = useState(false);
  const step = state === 'reserved' ? 'issue' : state === 'lent' ? 'return' : undefined;
  const authors = book && authorNames(book);
  return (
    <li className="flex gap-4 items-start">
      <SmallCover bookId={bookId} title={title} className="flex-none w-11" />
      <div className="min-w-0 leading-[1.35]">
        <p className="font-serif text-3 leading-[1.2] wrap-anywhere">{title}</p>
        {authors && <p className="note">{authors}</p>}
        {book && (
          <p className="tabular-nums text-ink-soft text-1">
            {isInternalNumber(book.isbn) ? m.borrow_internal_number({ number: book.isbn }) : book.isbn}
          </p>
        )}
        {copy !== undefined && (
          <p className="tabular-nums text-ink-soft text-1">{m.borrow_copy({ code: copy })}</p>
        )}
        {mayRebind && state === 'lent' && (
          <Button
            size="small"
            look="plain"

            // A word without a frame begins where the others begin.
            className="-ml-3 phone:-ml-4"
            aria-label={m.borrow_another_copy_of({ title })}
            onClick={() => setRebinding(true)}
          >
            {m.borrow_another_copy()}
          </Button>
        )}
        {rebinding && <Rebind borrow={borrow} bookId={bookId} onClose={() => setRebinding(false)} />}
      </div>
      {(borrow.books.length > 1 || state === 'lost' || state === 'damaged') && (
        <div
          // Where a borrow has several books, each may go by itself.
          className="flex-none ml-auto text-right"
        >
          <p className="note">{STATE_LABELS[state]}</p>
          {charged !== undefined && <p className="note">{amountText(charged)}</p>}
          {step && (
            <StepButton
              borrow={{ ...borrow, borrowedBooks: [{ bookId, title }] }}
              action={step}
              size="small"
            />
          )}
        </div>
      )}
    </li>
  );
}

/** What of a borrow of several books each of them is. */
const STATE_LABELS: Record<BorrowView['books'][number]['state'], string> = {
  reserved: m.borrow_book_reserved(),
  lent: m.borrow_book_lent(),
  returned: m.borrow_book_returned(),
  expired: m.borrow_book_expired(),
  cancelled: m.borrow_book_cancelled(),
  undone: m.borrow_book_undone(),
  lost: m.borrow_book_lost(),
  damaged: m.borrow_book_damaged(),
  other: m.borrow_book_other(),
};

/** What happened to a borrow, the latest first. */
export function BorrowTimeline({ details: { borrow, steps } }: { details: BorrowDetails }) {
  const now = useNow(true);
  return (
    <section className="[&_h3]:mb-3 [&_h3]:text-3" aria-labelledby="what-happened">
      <h3 id="what-happened">{m.borrow_what_happened()}</h3>
      <ol role="list" aria-live="polite" aria-relevant="additions">
        {[...steps].reverse().map((step) => (
          <Step key={step.revision} borrow={borrow} step={step} now={now} />
        ))}
      </ol>
    </section>
  );
}

function Step({ borrow, step, now }: { borrow: BorrowView; step: BorrowStep; now: number }) {
  const mayUndo = useMay(undoAtDesk);
  const { revision, type, at, by, byPerson, amount, dueDate, reason, beyond } = step;
  const undo = borrow.undo.find((each) => each.revision === revision && Date.parse(each.until) > now);
  const { icon: Icon, tone } = eventLabels(type);
  const words = eventText({ type, amount: amount === null ? null : groszeOf(amount) });
  return (
    <li className={styles.step} data-event={type}>
      <span
        className="flex-none grid place-items-center size-7 rounded-[50%] [background:var(--tone-wash,var(--sunk))] [color:var(--tone,var(--ink-soft))]"
        data-tone={tone === 'plain' ? undefined : tone}
      >
        <Icon size={14} aria-hidden="true" />
      </span>
      <div>
        <p className="leading-[1.75rem]">
          {words}
          {dueDate !== null && <span className="quiet">, {m.common_due_on({ day: isoDay(dueDate) })}</span>}
          {beyond !== null && <span className="quiet">, {beyondText(beyond)}</span>}
          {reason !== null && <span className="quiet">, {WAIVER_LABELS[reason].within}</span>}
        </p>
        <p className="note">
          <time dateTime={at} title={isoMinute(at)}>
            {isoMinute(at)}, {relativeTime(at, now)}
          </time>
          , {byPerson ? m.borrow_step_by({ name: by }) : m.borrow_step_by_library()}
        </p>
      </div>
      {undo && mayUndo && <UndoButton borrow={borrow} revision={revision} what={undo.what} words={words} />}
    </li>
  );
}

interface UndoButtonProps {
  borrow: BorrowView;
  revision: number;
  what: Undoable;
  words: string;
}

/** Takes back what happened, for the ten minutes in which that is possible. */
function UndoButton({ borrow, revision, what, words }: UndoButtonProps) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  return (
    <Button
      size="small"
      className="flex-none self-start ml-auto"
      busy={busy}
      aria-label={m.borrow_undo_of({ event: words })}
      onClick={() => {
        setBusy(true);
        void undoStep(client, { borrow, what }, revision).finally(() => setBusy(false));
      }}
    >
      {m.common_undo()}
    </Button>
  );
}
