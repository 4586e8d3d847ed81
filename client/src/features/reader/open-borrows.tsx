import * as m from '#words/messages.js';
import { rebindCopies } from '#contracts/borrowing/borrow-calls.js';
import { useStaffActions } from '../../domain/borrowing/staff-actions.js';
import { useMay } from '../../lib/session.js';
import { useState } from 'react';
import type { OpenBorrow } from '#contracts/accounts/own-card.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import type { HoldView } from '#contracts/holds/hold-views.js';
import { daysBetween } from '#contracts/local-day.js';
import { Button } from '../../components/form/button.js';
import part from '../../components/display/page-part.module.css';
import { useBorrowCommand } from '../../domain/borrowing/borrow-commands.js';
import { BorrowLink } from '../../domain/borrowing/borrow-link.js';
import { titlesOf, lossesOf, waitingBooks } from '../../domain/borrowing/borrow-texts.js';
import { DeskPayment } from '../../domain/borrowing/desk-payment.js';
import { OpenBorrowRow, OpenBorrowRows, sharedNote } from '../../domain/borrowing/open-borrow-rows.js';
import { Rebind } from '../../domain/borrowing/rebind.js';
import { RenewButton, StepButton } from '../../domain/borrowing/step-button.js';
import type { DeskMoney } from '../../domain/borrowing/take-payment.js';
import { amountText } from '../../domain/fees/money.js';
import { isoDay } from '../../lib/dates.js';

interface OpenBorrowsProps {
  borrows: readonly OpenBorrow[];
  /** The reader's: the copy that is kept for one of them is rented. */
  holds: readonly HoldView[];
}

/** What waits for the reader, what they have and what they owe, with what can be done about it. */
export function OpenBorrows({ borrows, holds }: OpenBorrowsProps) {
  const reserved = new Set(holds.map(({ borrowId }) => borrowId));
  const note = sharedNote(borrows.map(noteOf));
  return (
    <section aria-labelledby="open-borrows">
      <h3 id="open-borrows" className={part.title}>
        {m.readers_now()}
      </h3>
      {borrows.length === 0 ? (
        <p className="py-2 text-ink-soft text-1">{m.readers_nothing_now()}</p>
      ) : (
        <OpenBorrowRows note={note}>
          {borrows.map((open) => (
            <OpenRow
              key={open.borrow.id}
              open={open}
              isReserved={reserved.has(open.borrow.id)}
              note={noteOf(open) === note ? undefined : noteOf(open)}
            />
          ))}
        </OpenBorrowRows>
      )}
    </section>
  );
}

const noteOf = ({ borrow, renewal }: OpenBorrow) =>
  renewal && 'refusal' in renewal && borrow.status === 'Issued' ? renewal.refusal : undefined;

interface OpenRowProps {
  open: OpenBorrow;
  isReserved: boolean;
  note: string | undefined;
}

function OpenRow({ open, isReserved, note }: OpenRowProps) {
  const { borrow } = open;
  const { text, isLate = false } = whenOf(open);
  return (
    <OpenBorrowRow
      borrow={borrow}
      titles={<BorrowLink id={borrow.id}>{titlesOf(borrow)}</BorrowLink>}
      when={isReserved ? m.readers_reserved({ standing: text }) : text}
      isLate={isLate}
      note={note}
      actions={<Actions borrow={borrow} />}
    />
  );
}

function whenOf({ borrow }: OpenBorrow): { text: string; isLate?: boolean } {
  const { collectBy, dueDate, fineDue, refundDue, books } = borrow;
  const waiting = waitingBooks(borrow);
  const day = isoDay(collectBy);
  const titles = waiting.map(({ title }) => title).join(', ');
  const owed = [
    waiting.length > 0 &&
      (waiting.length < books.length
        ? m.readers_titles_to_collect({ titles, day })
        : m.readers_to_collect({ day })),
    fineDue > 0 && m.readers_to_pay({ money: amountText(fineDue) }),
    refundDue > 0 && m.readers_to_give_back({ money: amountText(refundDue) }),
  ];
  const losses = lossesOf(borrow);
  if (dueDate === null || !books.some(({ state }) => state === 'lent')) {
    const back = waiting.length < books.length ? [m.readers_all_back()] : [];
    const words = [...(losses.length > 0 ? losses : back), ...owed];
    return { text: words.filter(Boolean).join('; '), isLate: fineDue > 0 };
  }
  const late = daysBetween(isoDay(dueDate), isoDay(Date.now()));
  const words = [
    m.common_due_on({ day: isoDay(dueDate) }),
    late > 0 && m.readers_late({ late }),
    ...losses,
    ...owed,
  ];
  return { text: words.filter(Boolean).join('; '), isLate: late > 0 || fineDue > 0 };
}

/** What the server allows at the desk; all else is in the borrow itself. */
function Actions({ borrow }: { borrow: BorrowView }) {
  const actions = useStaffActions(borrow);
  const mayRebind = useMay(rebindCopies);
  const [paying, setPaying] = useState<DeskMoney>();
  const [rebinding, setRebinding] = useState(false);
  const close = () => setPaying(undefined);
  return (
    <>
      <StepButton borrow={borrow} size="small" />
      {actions.includes('take-back') && !actions.includes('return') && <TakeBack borrow={borrow} />}
      {actions.includes('pay') && (
        <Button size="small" onClick={() => setPaying('payment')}>
          {m.common_take_payment()}
        </Button>
      )}
      {actions.includes('refund') && (
        <Button size="small" onClick={() => setPaying('refund')}>
          {m.readers_pay_out({ money: amountText(borrow.refundDue) })}
        </Button>
      )}
      <RenewButton borrow={borrow} size="small" />
      {mayRebind && borrow.books.some(({ state }) => state === 'lent') && (
        <Button size="small" onClick={() => setRebinding(true)}>
          {m.readers_another_copy()}
        </Button>
      )}
      {rebinding && <Rebind borrow={borrow} onClose={() => setRebinding(false)} />}
      <DeskPayment borrow={paying === 'payment' ? borrow : undefined} onClose={close} />
      <DeskPayment borrow={paying === 'refund' ? borrow : undefined} kind="refund" onClose={close} />
    </>
  );
}

/** Late books with their fee left: the desk refuses none that is brought. */
function TakeBack({ borrow }: { borrow: BorrowView }) {
  const command = useBorrowCommand();
  return (
    <Button
      size="small"
      busy={command.isPending}
      onClick={(event) => {
        if (event.detail < 2) command.mutate({ action: 'take-back', borrow });
      }}
    >
      {m.readers_take_back()}
    </Button>
  );
}
