import * as m from '#words/messages.js';
import type { BookRefusal, VisitRefusal } from './self-service.js';

/** What is said to a reader whose card opens nothing, on whatever screen. */
export const VISIT_TEXTS: Record<VisitRefusal, () => string> = {
  CardUnknown: m.kiosk_card_unknown,
  CardReplaced: m.kiosk_card_replaced,
  CardBlocked: m.kiosk_card_blocked,
  PinNeeded: m.kiosk_pin_enter,
  PinWrong: m.kiosk_pin_wrong,
  PinNotSet: m.kiosk_pin_not_set,
  TooManyAttempts: m.kiosk_pin_too_often,
};

/** Why something was not done with a book, on whatever screen. */
export const BOOK_TEXTS: Record<BookRefusal, () => string> = {
  CopyNotFound: m.kiosk_refused_unknown,
  CopyOutOfService: m.kiosk_refused_out_of_service,
  CopyNotOnShelf: m.kiosk_refused_lent,
  CopyHeldForOther: m.kiosk_refused_held,
  BookAlreadyBorrowed: m.kiosk_refused_yours,
  LimitReached: m.kiosk_refused_limit,
  ReadingRoomOnly: m.kiosk_refused_reading_room,
  FeeNotPaid: m.kiosk_refused_fee,
  ReaderBlocked: m.kiosk_refused_blocked,
  RenewalsUsedUp: m.kiosk_refused_renewals,
  RenewalTooEarly: m.kiosk_refused_early,
  SomebodyWaits: m.kiosk_refused_waited_for,
  BorrowOverdue: m.kiosk_refused_overdue,
  BorrowNotIssued: m.kiosk_refused_not_yours,
  AskStaff: m.kiosk_refused_ask,
};
