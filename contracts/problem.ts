import { z } from 'zod';

/** Every refusal of the product, with its HTTP status. */
export const PROBLEMS = {
  // The request itself
  ValidationFailed: 400,
  NotSignedIn: 401,
  SessionEnded: 401,
  NotAllowed: 403,
  NotFound: 404,
  IdempotencyKeyReused: 422,
  TooManyAttempts: 429,
  CrossSiteRequest: 403,
  /** The request names a host that the installation does not answer for. */
  UnknownHost: 421,
  // The catalogue
  IsbnTaken: 409,
  /** The check digit is wrong; some old books have such numbers, so a person can confirm it. */
  IsbnDoubtful: 409,
  NameTaken: 409,
  InUse: 409,
  EditedMeanwhile: 409,
  ExternalBookNotFound: 404,
  ExternalServiceUnavailable: 503,
  /** It was forgotten, or its row is none that waits for a decision. */
  ImportNotFound: 404,
  /** Somebody works on it, or it was undone. */
  ImportBusy: 409,
  // Lists of books
  /** There is none of this owner with this id, or its link has ended. */
  ListNotFound: 404,
  /** It is one of the lists that every reader has. */
  ListStays: 409,
  TooManyLists: 409,
  ListFull: 409,
  BookNotListed: 404,
  // Borrowing
  BookNotFound: 404,
  BorrowNotFound: 404,
  CopiesUnavailable: 409,
  /** There is no copy with this code, or it is no code. */
  CopyNotFound: 404,
  /** It is lent or kept for a reader. */
  CopyNotOnShelf: 409,
  CopyWithdrawn: 409,
  /** It is marked lost, damaged or withdrawn, and was scanned to be handed over. */
  CopyOutOfService: 409,
  BookAlreadyBorrowed: 409,
  TooManyBooks: 409,
  /** The same at the desk; a librarian may go beyond it, as beyond others (`LIMITS` of `borrow-events`). */
  LimitReached: 409,
  /** The book is never lent. */
  ReadingRoomOnly: 409,
  FeeNotPaid: 409,
  BooksDoNotMatch: 409,
  BorrowNotRented: 409,
  BorrowNotIssued: 409,
  /** It was not lost, or was found since. */
  BookNotLost: 409,
  BorrowOverdue: 409,
  BorrowNotOverdue: 409,
  RenewalsUsedUp: 409,
  /** It would give no day more. */
  RenewalTooEarly: 409,
  /** A renewal names a due date that the borrow does not have and never had. */
  DueDateUnknown: 409,
  CollectionStillPossible: 409,
  RentAbandoned: 409,
  NothingToCharge: 409,
  NothingToPay: 409,
  WrongAmount: 409,
  /** The amount due differs from the one that was shown; `detail` names it. */
  FeeChanged: 409,
  /** Nothing that the reader has paid is to be given back. */
  NothingToRefund: 409,
  /** Nobody waives, takes, gives or takes back what they owe themselves, or are owed. */
  OwnFee: 409,
  /** More of one borrow than the librarian may waive alone: somebody else can be asked to approve it. */
  WaiverAboveLimit: 403,
  /** There is a request for a waiver of this borrow. */
  WaiverAskedFor: 409,
  /** It was approved, declined or withdrawn, or the fee has changed since; `detail` says which. */
  WaiverAnswered: 409,
  /** Too long ago, or undone already. */
  NothingToUndo: 409,
  /** Something depends on it since; `detail` says what. */
  UndoBlocked: 409,
  ConcurrentChange: 409,
  // Holds
  /** There is none of this reader with this id, or it is over. */
  HoldNotFound: 404,
  AlreadyOnHold: 409,
  TooManyHolds: 409,
  /** A copy is kept for the reader already: the hold can only be cancelled. */
  HoldReady: 409,
  HoldNotPaused: 409,
  /** The day named is over, or is not after today. */
  DayPassed: 409,
  /** A hold can be placed before another one of the same title that still waits, and before no other. */
  MoveImpossible: 409,
  /** The copy to be lent is kept for another reader: the same call with `evenIfHeld` lends it. */
  CopyHeldForOther: 409,
  /** The copy of a return that is to be undone is kept for another reader: as above. */
  ReturnedCopyHeld: 409,
  /** Somebody waits for the title, so its loan is not renewed. */
  SomebodyWaits: 409,
  // Stock-taking
  StockTakingNotFound: 404,
  /** It is paused or finished, and takes neither scans nor decisions. */
  StockTakingClosed: 409,
  /** It was scanned at no shelf, so it cannot be given the mark of one. */
  ShelfUnknown: 409,
  // Readers at the desk
  /** A librarian has blocked the reader or the card: nothing is rented or handed out until that is taken away. */
  ReaderBlocked: 403,
  CardUnknown: 404,
  /** Another card has taken its place. */
  CardReplaced: 409,
  /** The reader has neither borrowed nor brought back anything today. */
  NothingToday: 409,
  // Devices by which readers help themselves
  /** It is no code of a kiosk, was used, or is over. */
  DeviceCodeWrong: 400,
  DeviceClosed: 409,
  /** The reader has gone, or another one has come. */
  VisitOver: 409,
  // Accounts
  UsernameTaken: 409,
  EmailTaken: 409,
  /** A reader of this name and day of birth is registered: perhaps it is the same. */
  ReaderExists: 409,
  WrongCredentials: 401,
  EmailNotConfirmed: 403,
  LinkInvalid: 400,
  LastAdmin: 409,
  /** What a provider answered does not hold, was used, or was asked for by another browser: it has to be begun again. */
  SignOnFailed: 400,
  /** The provider does not answer. */
  SignOnUnavailable: 503,
  /** The provider vouches for them, but nobody here is who it names, or may sign in by it. */
  SignOnRefused: 403,
  /** Staff sign in by a provider here (`STAFF_SSO`). */
  StaffSignOnRequired: 403,
  /** An admin or auditor has no second factor yet, and `STAFF_MFA` requires one: nothing but adding one is open. */
  SecondFactorRequired: 403,
  /** The call needs `POST Account/confirm` first, by password or second factor. */
  ConfirmationNeeded: 403,
  /** A code, recovery code or passkey that is wrong or was used before. */
  ProofRefused: 400,
  /** What was begun has to be begun again: it took too long, or is done. */
  TicketInvalid: 400,
  /** The address by which the product is reached can have no passkeys. */
  PasskeysImpossible: 409,
  /** The secret of a code app cannot be decrypted with the secrets that are set. */
  SecretUnreadable: 503,
  // Payments
  TransactionNotFound: 404,
  PaymentNotCompleted: 409,
  /** The installation has no payment provider: fees are paid at the desk. */
  OnlinePaymentOff: 409,
  BackupsNotSet: 409,
  /** Below the provider's minimum: it can be paid at the desk. */
  AmountTooSmall: 409,
  PaymentProviderUnavailable: 503,
  // Auditing
  LookNotRecorded: 503,
  // Reports
  ReportNotFound: 404,
  ReportNotReady: 409,
  ReportTooLarge: 409,
  NothingToPrint: 409,
  ReportFailed: 503,
  PrinterUnavailable: 503,
  // The rules
  RulesNotFound: 404,
  /** They would apply backwards, or before every process knows them. */
  RulesTooSoon: 409,
  RulesUnchanged: 409,
  /** Another version was made since the one that the change was made on. */
  RulesChangedMeanwhile: 409,
  /** What is in force is changed, and not withdrawn. */
  RulesInForce: 409,
  RulesDraftNotFound: 404,
  TooManyRulesDrafts: 409,
  /** Trials are kept for a day. */
  TrialNotFound: 404,
  /** There is one at a time; `detail` says whose. */
  TrialUnderWay: 409,
  /** It was cancelled, has failed, or is not done yet. */
  TrialNotDone: 409,
  // The installation
  /** This process has not been able to read the rules of the library for a while, and does not guess. */
  RulesUnknown: 503,
  EventStoreUnavailable: 503,
  /** A release with another read model is building its lists; `detail` gives the progress. */
  ListsBeingBuilt: 503,
  /** The event log is not the one that the lists were built from. */
  WrongEventLog: 503,
  /** The stream of a reader has an event that this release cannot read or apply: an operator has to act. */
  HistoryUnreadable: 500,
  DatabaseUnavailable: 503,
  /** Whatever it waited for; a call that changes something may have done so. */
  AnswerTookTooLong: 503,
  ServerClosing: 503,
  Unexpected: 500,
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

/**
 * Whether a rule of the library refused a command, on a state that was known: asked again on the same state, the answer is
 * the same. What is away, busy, invalid or not allowed is no such answer.
 */
export function isRefusalByRule(code: ProblemCode): boolean {
  return (PROBLEMS[code] === 404 || PROBLEMS[code] === 409) && code !== 'ConcurrentChange';
}

/**
 * The body of every refused call (RFC 9457, `application/problem+json`). `detail` is a sentence for the
 * person at the screen; `errors` maps the invalid fields of a request to their messages.
 */
export const problemSchema = z.object({
  code: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
  correlationId: z.string().optional(),
});

export type Problem = z.infer<typeof problemSchema>;
