import type { SignedInUser } from '../accounts/account-views.js';
import type { BorrowView } from '../borrowing/borrow-views.js';
import type { WaiverRequestState } from '../borrowing/waiver-requests.js';
import type { DashboardStats } from '../dashboard/stats.js';
import type { ImportProgress } from '../imports.js';
import type { ProblemCode } from '../problem.js';
import type { ReportKind, ReportState } from '../reports/report.js';

/**
 * Everything that goes over the live socket. `position` is the log position that the message speaks of, a
 * decimal number: a client that has seen a later one for the same thing ignores the message.
 */
export interface ServerToClient {
  /**
   * Sent once after the handshake: how far the read models are, and the identity of the log that positions speak of. Those
   * of another log say nothing: after a log was moved, a client starts over. Null while it is not known. `build` is which
   * site this server has: a page of another one can be reloaded; null where it has none.
   */
  hello: (message: { position: string; log: string | null; build: string | null }) => void;
  /** What the account may do, as the server judges it from now on. After the handshake, and whenever it changes. */
  roles: (message: Pick<SignedInUser, 'roles' | 'permissions'> & { mustAddSecondFactor: boolean }) => void;
  /** A borrow came to be or changed. To whoever may see all borrows, and to the reader whose borrow it is. */
  borrow: (message: { position: string; borrow: BorrowView }) => void;
  /** The dashboard's counters, at most ten times a second. To whoever may see them. */
  counters: (message: { position: string; stats: DashboardStats }) => void;
  /** Copies on the shelf changed. To everybody who is signed in. */
  copies: (message: { position: string; books: { bookId: number; copiesAvailable: number }[] }) => void;
  /**
   * The holds on these titles changed, and so may the places of all who wait. To everybody who is signed in. Whose own holds
   * changed is told so beside it, without titles.
   */
  holds: (message: { position: string; books: { bookId: number; holds: number }[]; mine: boolean }) => void;
  /** The rules of the library changed, or will, or a draft of them did: who shows them asks for them. To everybody who is signed in. */
  rules: () => void;
  /** A waiver was asked for, or such a request was answered. To whoever may waive. */
  waivers: () => void;
  /** What became of a request of one's own; `amount` in grosze. */
  waiverAnswered: (message: { borrowId: string; amount: number; state: WaiverRequestState }) => void;
  /** A report that somebody asked for came further. To whoever may print. `progress` is in percent. */
  report: (message: { reportId: string; kind: ReportKind; state: ReportState; progress: number }) => void;
  /** An import came further: so many rows of so many. To whoever may import what it brings. */
  importProgress: (message: ImportProgress) => void;
  /** Too much changed for single messages: refetch the lists. */
  refetch: (message: { position: string }) => void;
  /** A reader's history that this socket watches has grown; the events are then asked for. */
  readerEvents: (message: { readerId: string; revision: number }) => void;
  /**
   * This server process is about to close: reconnect, each client at a random moment within so many
   * milliseconds. Another process, or this one's successor, takes the client in.
   */
  restarting: (message: { withinMs: number }) => void;
  /** The session is over; the socket is closed after this. */
  sessionEnded: (message: { reason: 'expired' | 'revoked' }) => void;
}

/** A message that was not obeyed, and why. */
export interface LiveRefusal {
  kind: 'refused';
  code: ProblemCode;
  detail: string;
}

/** The answer to a client that was away: the borrows that changed meanwhile, or that it has to refetch its lists. */
export type ResumeAnswer =
  | { kind: 'missed'; position: string; borrows: BorrowView[]; stats?: DashboardStats }
  | { kind: 'refetch'; position: string }
  | LiveRefusal;

/** Whether a reader's history is watched from now on; `revision` is that of its last event, -1 where there is none. */
export type WatchAnswer = { kind: 'watching'; revision: number } | LiveRefusal;

export interface ClientToServer {
  /** After a reconnect: `position` is the last one this client has seen. */
  resume: (message: { position: string }, answer: (answer: ResumeAnswer) => void) => void;
  /** Whoever may audit: subscribe to new events of this reader. Recorded in the access log. Send it again after a reconnect. */
  watchReader: (message: { readerId: string }, answer: (answer: WatchAnswer) => void) => void;
  unwatchReader: (message: { readerId: string }) => void;
}

/** The path of the socket; the handshake's `auth` carries `{ token, language }`, the language that refusals are said in. */
export const LIVE_PATH = '/socket.io';
