import * as calls from '#contracts/borrowing/borrow-calls.js';
import type { BorrowAction } from '#contracts/borrowing/borrow-events.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import type { SignedInUser } from '#contracts/accounts/account-views.js';
import { allows } from '#contracts/allows.js';
import type { Allowed } from '#contracts/permissions.js';
import { payAtDesk, refundAtDesk } from '#contracts/payments/payment.js';
import { useUser } from '../../lib/session.js';

/** By which permissions staff do what can be done with a borrow. */
const BY: Record<BorrowAction, readonly Allowed[]> = {
  issue: calls.issueBooks.may,
  return: calls.returnBooks.may,
  'take-back': calls.takeBackBooks.may,
  renew: calls.renewBorrow.forOthers,
  'renew-beyond': calls.renewBorrow.forOthers,
  cancel: calls.cancelRent.forOthers,
  pay: payAtDesk.may,
  refund: refundAtDesk.may,
  waive: calls.waiveFee.may,
  'mark-lost': calls.markLost.may,
  'mark-found': calls.markFound.may,
};

/** What somebody of staff may do with a borrow of a reader now: what it allows, and they may. */
export function staffActionsOf(borrow: BorrowView, user: SignedInUser | null): BorrowAction[] {
  return borrow.availableActions.filter((action) => allows(BY[action], user?.permissions ?? []));
}

export function useStaffActions(borrow: BorrowView): BorrowAction[] {
  return staffActionsOf(borrow, useUser());
}
