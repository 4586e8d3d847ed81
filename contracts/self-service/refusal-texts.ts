import * as m from '#words/messages.js';

/** Why a reader cannot go on at a device, as whatever screen says it. */
export const VISIT_TEXTS = {
  CardUnknown: m.kiosk_card_unknown,
  CardReplaced: m.kiosk_card_replaced,
  /** The card itself, as if it were lost: whoever holds it is told nothing. */
  CardBlocked: m.kiosk_card_blocked,
  PinNeeded: m.kiosk_pin_enter,
  PinWrong: m.kiosk_pin_wrong,
  PinNotSet: m.kiosk_pin_not_set,
  TooManyAttempts: m.kiosk_pin_too_often,
};
export type VisitRefusal = keyof typeof VISIT_TEXTS;
export const VISIT_REFUSALS = Object.keys(VISIT_TEXTS) as [VisitRefusal, ...VisitRefusal[]];

/** Why something was not done with a book: problems of the desk as far as a reader can do something about them. */
export const BOOK_TEXTS = {
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
  /** Whatever else stands in the way: the desk can see what it is. */
  AskStaff: m.kiosk_refused_ask,
};
export type BookRefusal = keyof typeof BOOK_TEXTS;
export const BOOK_REFUSALS = Object.keys(BOOK_TEXTS) as [BookRefusal, ...BookRefusal[]];
