import { useState, type ComponentType } from 'react';
import type { BorrowAction } from '#contracts/borrowing/borrow-events.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { Button } from '../../../components/form/button.js';
import { Confirmation } from '../../../components/dialog/confirmation.js';
import { plnText } from '../../fees/money.js';
import { useBorrowCommand, type CommandAction } from '../borrow-commands.js';
import { useOpenedToPay } from '../borrow-link.js';
import { debtOf, titlesOf } from '../borrow-texts.js';
import { DeskPayment } from '../desk-payment.js';
import { MarkFound, MarkLost } from '../losses.js';
import { RenewButton } from '../renew-button.js';
import { StepButton } from '../step-button.js';
import { WaiveFee } from '../waive-fee.js';

/** What takes more than a button has a window. */
type Opened = Exclude<BorrowAction, CommandAction> | 'cancel';
const WINDOWS: Record<
  Exclude<Opened, 'pay' | 'refund'>,
  { button: string; Window: ComponentType<{ borrow: BorrowView; onClose: () => void }> }
> = {
  waive: { button: 'Waive', Window: WaiveFee },
  cancel: { button: 'Cancel rent', Window: CancelRent },
  'mark-found': { button: 'Found again', Window: MarkFound },
  'mark-lost': { button: 'Lost or damaged', Window: MarkLost },
};
const IN_WINDOWS = Object.keys(WINDOWS) as (keyof typeof WINDOWS)[];

/** Everything that is allowed now, as the server says; the next thing to do is filled. */
export function DrawerActions({ borrow }: { borrow: BorrowView }) {
  const { availableActions } = borrow;
  const may = (action: (typeof availableActions)[number]) => availableActions.includes(action);
  const toPay = useOpenedToPay() && may('pay');
  const [open, setOpen] = useState<Opened | undefined>(toPay ? 'pay' : undefined);
  const close = () => setOpen(undefined);
  const debt = debtOf(borrow);
  const Window = open === undefined || open === 'pay' || open === 'refund' ? undefined : WINDOWS[open].Window;
  if (availableActions.length === 0 && open === undefined) {
    return <p className="note">Nothing is left to do here.</p>;
  }
  return (
    <>
      <StepButton borrow={borrow} look="primary" />
      {may('issue') && may('return') && <StepButton borrow={borrow} action="issue" />}
      {may('pay') && (
        <Button look="primary" data-step="pay" onClick={() => setOpen('pay')}>
          Take payment{debt && `: ${debt}`}
        </Button>
      )}
      {may('refund') && (
        <Button look="primary" data-step="refund" onClick={() => setOpen('refund')}>
          Pay out {plnText(borrow.refundDue)}
        </Button>
      )}
      {may('take-back') && !may('return') && <TakeBack borrow={borrow} />}
      {may('renew') && <RenewButton borrow={borrow} />}
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
      Take back, fee stays
    </Button>
  );
}

function CancelRent({ borrow, onClose }: { borrow: BorrowView; onClose: () => void }) {
  const command = useBorrowCommand();
  return (
    <Confirmation
      question="Cancel what was rented and not collected?"
      action="Cancel the rent"
      refusal="Keep it"
      busy={command.isPending}
      onConfirm={() => command.mutate({ action: 'cancel', borrow }, { onSuccess: onClose })}
      onDecline={() => !command.isPending && onClose()}
    >
      {titlesOf(borrow)}, {borrow.user.fullname}. The copies go back to the shelf.
    </Confirmation>
  );
}
