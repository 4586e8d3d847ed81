import * as m from '#words/messages.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { money, moneyUnit } from '#contracts/money.js';
import { Button } from '../../components/form/button.js';
import { Day } from '../../components/display/day.js';
import { Dialog, DialogButtons } from '../../components/dialog/dialog.js';
import { ErrorState, Skeleton } from '../../components/list/placeholders.js';
import { Notice } from '../../components/dialog/notice.js';
import { Fact } from '../../components/display/fact.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { notify } from '../../lib/notify.js';
import { useDeskFee, useDeskMoney, type DeskMoney, type SayPaid } from './take-payment.js';
import { classNames } from '../../lib/class-names.js';
import { AmountField, useAmount } from '../fees/amount-field.js';
import { chargesOf, amountText } from '../fees/money.js';

interface DeskPaymentProps {
  /** Whose money it is, as the borrow is now; nothing while nobody pays. */
  borrow: BorrowView | undefined;
  /** Who pays: the reader their fee, or the library what it owes them. */
  kind?: DeskMoney;
  /** What is said of it, by a screen that has a place of its own for that. */
  say?: SayPaid;
  onClose: () => void;
}

const WORDS: Record<
  DeskMoney,
  {
    title: string;
    lead: string;
    amount: string;
    did: (inputs: { amount: string }) => string;
    /** Of an amount that is none. */
    didAny: string;
    settled: string;
  }
> = {
  payment: {
    title: m.borrow_pay_title(),
    lead: m.borrow_pay_lead(),
    amount: m.borrow_pay_now(),
    did: m.borrow_received,
    didAny: m.borrow_received_money(),
    settled: m.borrow_pay_settled(),
  },
  refund: {
    title: m.borrow_refund_title(),
    lead: m.borrow_refund_lead(),
    amount: m.borrow_refund_now(),
    did: m.borrow_handed_over,
    didAny: m.borrow_handed_over_money(),
    settled: m.borrow_refund_settled(),
  },
};
const ACTIONS = { payment: 'pay', refund: 'refund' } as const;

/** The window in which a librarian says that money changed hands. It stays though its row leaves the list. */
export function DeskPayment({
  borrow,
  kind = 'payment',
  say = (words) => notify.success(words),
  onClose,
}: DeskPaymentProps) {
  // Held outside the window: who closes it after an unclear answer and comes back asks for the same payment.
  const payment = useDeskMoney(kind, say);
  if (!borrow) return null;
  const close = () => {
    if (payment.isPending) return;
    payment.reset();
    onClose();
  };
  const { title, lead } = WORDS[kind];
  return (
    <Dialog title={title} lead={lead} keep onClose={close}>
      <Payment key={borrow.id} {...{ borrow, kind, payment }} onClose={close} onPaid={onClose} />
    </Dialog>
  );
}

interface PaymentProps {
  borrow: BorrowView;
  kind: DeskMoney;
  payment: ReturnType<typeof useDeskMoney>;
  onClose: () => void;
  onPaid: () => void;
}

function Payment({ borrow, kind, payment, onClose, onPaid }: PaymentProps) {
  const fee = useDeskFee(borrow.id);
  const amount = fee.data && (kind === 'payment' ? fee.data.due : fee.data.refund);
  // After an unclear answer what was typed may be paid already: of what is due then it is asked anew.
  const now = useAmount(amount ?? 0);
  const busy = payment.isPending;
  const words = WORDS[kind];
  const charges = chargesOf(borrow);
  // Of a book that is gone alone, it is no matter when it was due.
  const isLate =
    charges.length === 0 || charges.some(({ kind }) => kind === 'late') || (fee.data?.daysLate ?? 0) > 0;
  const left = amount === undefined ? 0 : amount - (now.grosze ?? amount);
  const settled = amount === 0 || (!busy && !borrow.availableActions.includes(ACTIONS[kind]));
  const isSure = amount !== undefined && !settled && !busy && !fee.isFetching;
  const record = () => {
    if (!isSure) return;
    now.use((sum) => {
      const body = kind === 'payment' ? { amount: sum, due: amount } : { amount };
      payment.mutate({ query: { borrowId: borrow.id }, body }, { onSuccess: onPaid });
    });
  };
  return (
    <>
      <dl
        className={classNames(
          'flex flex-col gap-2',
          '[&>div]:grid [&>div]:grid-cols-[8rem_minmax(0,1fr)] [&>div]:gap-3',
          '[&>div]:items-baseline [&_dd]:wrap-anywhere [&_li+li]:mt-1',
          'to-480:[&>div]:grid-cols-[6.5rem_minmax(0,1fr)]',
        )}
      >
        <Fact name={m.common_reader()}>{borrow.user.fullname}</Fact>
        {kind === 'refund' || charges.length === 0 ? (
          <Fact name={borrow.borrowedBooks.length === 1 ? m.common_book() : m.common_books()}>
            <ul role="list">
              {borrow.borrowedBooks.map(({ bookId, title }) => (
                <li key={bookId}>{title}</li>
              ))}
            </ul>
          </Fact>
        ) : (
          charges.map(({ name, titles, amount: charged }) => (
            <Fact key={`${name} ${titles.join()}`} name={name}>
              <ul role="list">
                {titles.map((title) => (
                  <li key={title}>{title}</li>
                ))}
              </ul>
              <span className="quiet tabular-nums">{amountText(charged)}</span>
            </Fact>
          ))
        )}
        {kind === 'payment' && isLate && (
          <>
            <Fact name={m.common_due_date()}>
              <Day time={borrow.dueDate} />
            </Fact>
            <Fact name={m.borrow_late()}>
              {fee.data ? m.common_days({ count: fee.data.daysLate }) : <Skeleton width="4rem" />}
            </Fact>
          </>
        )}
        <Fact
          className="mt-2 pt-3 border-t border-line [&_dd]:text-4 [&_dd]:tabular-nums [&_dd]:leading-[1.2]"
          name={words.amount}
        >
          {amount === undefined ? <Skeleton width="6rem" /> : money(amount)}
        </Fact>
      </dl>
      {kind === 'payment' && amount !== undefined && !settled && (
        <AmountField
          amount={now}
          label={m.borrow_paid_now({ currency: moneyUnit() })}
          hint={left > 0 ? m.borrow_part_leaves({ amount: money(left) }) : m.borrow_part_is_enough()}
          wrong={m.fees_paid_between}
          onEnter={record}
        />
      )}
      {fee.isError && !fee.data && <ErrorState of={fee} />}
      {settled ? (
        <Notice look="news">{words.settled}</Notice>
      ) : (
        payment.isError && <Notice>{sentenceOf(payment.error)}</Notice>
      )}
      <DialogButtons>
        <Button onClick={onClose}>{settled ? m.common_close() : m.common_cancel()}</Button>
        {amount !== undefined && !settled && (
          <Button
            look="primary"
            busy={busy || fee.isFetching}
            onClick={(event) => {
              // The amount may have changed since the first half of a double click.
              if (event.detail <= 1) record();
            }}
            onKeyDown={(event) => {
              // Nor is a key that is held down another yes.
              if (event.repeat) event.preventDefault();
            }}
          >
            {now.grosze === undefined ? words.didAny : words.did({ amount: money(now.grosze) })}
          </Button>
        )}
      </DialogButtons>
    </>
  );
}
