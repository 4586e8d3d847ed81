import * as m from '#words/messages.js';
import Link2 from 'lucide-react/icons/link-2';
import Printer from 'lucide-react/icons/printer';
import { useState, type ComponentType } from 'react';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { borrowNumber } from '#contracts/borrowing/queue-search.js';
import { Drawer, drawerTool } from '../../../components/dialog/drawer.js';
import { Marked } from '../../../components/display/marked.js';
import { Loaded, Skeleton, SkeletonLines } from '../../../components/list/placeholders.js';
import { notify } from '../../../lib/notify.js';
import { useNow } from '../../../lib/use-now.js';
import { knownBorrows } from '../../live/recent-messages.js';
import { useCloseBorrow, useOpenedToPay } from '../borrow-link.js';
import { debtOf, noteOf, titlesOf } from '../borrow-texts.js';
import { StatusBadge } from '../status-badge.js';
import { BorrowFacts, BorrowTimeline } from './borrow-facts.js';
import { useBorrowDetails } from './get-borrow-details.js';
import { PrintedBorrow } from './printed-borrow.js';
import type { BorrowAction } from '#contracts/borrowing/borrow-events.js';
import { Button } from '../../../components/form/button.js';
import { Confirmation } from '../../../components/dialog/confirmation.js';
import { amountText } from '../../fees/money.js';
import { useBorrowCommand, type CommandAction } from '../borrow-commands.js';
import { DeskPayment } from '../desk-payment.js';
import { MarkFound, MarkLost } from '../losses.js';
import { useStaffActions } from '../staff-actions.js';
import { RenewButton, StepButton } from '../step-button.js';
import { WaiveFee } from '../waive-fee.js';
import { WaiversOfBorrow } from '../waiver-requests.js';

/** A borrow with everything that is known of it and everything that can be done with it now. */
export function BorrowDrawer({ id }: { id: string }) {
  const close = useCloseBorrow();
  const details = useBorrowDetails(id);
  const [printing, setPrinting] = useState(false);
  // What a list has of it is there at once.
  const borrow = details.data?.borrow ?? knownBorrows.get(id);
  return (
    <>
      <Drawer
        onClose={close}
        over={
          <>
            <span>
              <Marked
                parts={m.borrow_numbered.parts({ number: borrowNumber(id) })}
                as={{ number: (digits) => <span className="tabular-nums">{digits}</span> }}
              />
            </span>
            {borrow && <StatusBadge status={borrow.status} />}
          </>
        }
        title={
          borrow ? borrow.user.fullname : details.isError ? m.borrow_unknown() : <Skeleton width="12rem" />
        }
        tools={
          <>
            <button
              type="button"
              className={drawerTool}
              aria-label={m.borrow_copy_link()}
              onClick={() => void copyLink()}
            >
              <Link2 size={18} aria-hidden="true" />
            </button>
            {details.data && (
              <button
                type="button"
                className={drawerTool}
                aria-label={m.common_print()}
                onClick={() => setPrinting(true)}
              >
                <Printer size={18} aria-hidden="true" />
              </button>
            )}
          </>
        }
        actions={borrow && <DrawerActions borrow={borrow} />}
      >
        {borrow && <Standing borrow={borrow} />}
        <WaiversOfBorrow id={id} />
        {borrow && <BorrowFacts borrow={borrow} reader={details.data?.reader} />}
        <Loaded
          of={details}
          waiting={<SkeletonLines label={m.borrow_loading_events()} widths={[70, 90, 55]} />}
        >
          {(data) => <BorrowTimeline details={data} />}
        </Loaded>
      </Drawer>
      {printing && details.data && <PrintedBorrow details={details.data} onDone={() => setPrinting(false)} />}
    </>
  );
}

/** The one line that says how things stand. */
function Standing({ borrow }: { borrow: BorrowView }) {
  const note = noteOf(borrow, useNow(true));
  const debt = debtOf(borrow);
  if (!note && !debt) return null;
  return (
    <p
      className="mb-4 data-late:text-danger data-late:font-semibold"
      data-late={note?.late || debt !== undefined || undefined}
    >
      {[note?.text, debt && m.borrow_money_to_pay({ amount: debt })].filter(Boolean).join(', ')}
    </p>
  );
}

async function copyLink(): Promise<void> {
  try {
    await navigator.clipboard.writeText(window.location.href);
    notify.success(m.borrow_link_copied());
  } catch {
    notify.error(m.borrow_link_not_copied());
  }
}

/** What takes more than a button has a window. */
type Opened = Exclude<BorrowAction, CommandAction | 'renew-beyond'> | 'cancel';
const WINDOWS: Record<
  Exclude<Opened, 'pay' | 'refund'>,
  { button: string; Window: ComponentType<{ borrow: BorrowView; onClose: () => void }> }
> = {
  waive: { button: m.borrow_waive(), Window: WaiveFee },
  cancel: { button: m.borrow_cancel_rent(), Window: CancelRent },
  'mark-found': { button: m.borrow_found(), Window: MarkFound },
  'mark-lost': { button: m.borrow_lost_or_damaged(), Window: MarkLost },
};
const IN_WINDOWS = Object.keys(WINDOWS) as (keyof typeof WINDOWS)[];

/** Everything that is allowed now, as the server says; the next thing to do is filled. */
function DrawerActions({ borrow }: { borrow: BorrowView }) {
  const actions = useStaffActions(borrow);
  const may = (action: BorrowAction) => actions.includes(action);
  const toPay = useOpenedToPay() && may('pay');
  const [open, setOpen] = useState<Opened | undefined>(toPay ? 'pay' : undefined);
  const close = () => setOpen(undefined);
  const debt = debtOf(borrow);
  const Window = open === undefined || open === 'pay' || open === 'refund' ? undefined : WINDOWS[open].Window;
  if (actions.length === 0 && open === undefined) {
    return <p className="note">{m.borrow_nothing_left()}</p>;
  }
  return (
    <>
      <StepButton borrow={borrow} look="primary" />
      {may('issue') && may('return') && <StepButton borrow={borrow} action="issue" />}
      {may('pay') && (
        <Button look="primary" data-step="pay" onClick={() => setOpen('pay')}>
          {debt ? m.borrow_take_payment_of({ amount: debt }) : m.common_take_payment()}
        </Button>
      )}
      {may('refund') && (
        <Button look="primary" data-step="refund" onClick={() => setOpen('refund')}>
          {m.borrow_pay_out({ amount: amountText(borrow.refundDue) })}
        </Button>
      )}
      {may('take-back') && !may('return') && <TakeBack borrow={borrow} />}
      <RenewButton borrow={borrow} />
      {IN_WINDOWS.filter(may).map((action) => (
        <Button key={action} data-step={action} onClick={() => setOpen(action)}>
          {WINDOWS[action].button}
        </Button>
      ))}
      <DeskPayment borrow={open === 'pay' ? borrow : undefined} onClose={close} />
      <DeskPayment borrow={open === 'refund' ? borrow : undefined} kind="refund" onClose={close} />
      {Window && <Window borrow={borrow} onClose={close} />}
    </>
  );
}

/** Books that are brought are never refused: what is owed for them is paid later. */
function TakeBack({ borrow }: { borrow: BorrowView }) {
  const command = useBorrowCommand();
  return (
    <Button
      data-step="take-back"
      busy={command.isPending}
      onClick={(event) => event.detail < 2 && command.mutate({ action: 'take-back', borrow })}
      onKeyDown={(event) => {
        if (event.repeat) event.preventDefault();
      }}
    >
      {m.borrow_take_back()}
    </Button>
  );
}

function CancelRent({ borrow, onClose }: { borrow: BorrowView; onClose: () => void }) {
  const command = useBorrowCommand();
  return (
    <Confirmation
      question={m.borrow_cancel_this_question()}
      action={m.borrow_cancel_the_rent()}
      refusal={m.borrow_keep_rent()}
      busy={command.isPending}
      onConfirm={() => command.mutate({ action: 'cancel', borrow }, { onSuccess: onClose })}
      onDecline={() => !command.isPending && onClose()}
    >
      {m.borrow_cancel_detail({ titles: titlesOf(borrow), name: borrow.user.fullname })}
    </Confirmation>
  );
}
