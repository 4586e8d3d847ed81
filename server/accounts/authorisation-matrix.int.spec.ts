import { randomBytes } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { READ_MODEL } from '#platform/database/read-model.js';
import {
  caller,
  makeAccount,
  startProduct,
  type Answer,
  type TestAccount,
} from '../../test-support/product.js';
import { registration, TEST_PASSWORD } from '../../test-support/registrations.js';
import { StandingClock } from '../../test-support/test-clock.js';
import { waitFor } from '../../test-support/wait-for.js';
import { withoutRounds } from '../../test-support/without-rounds.js';
import { shared } from '../../test-support/shared.js';
import { createAccount } from './registration/create-account.js';
import { hashPassword } from './passwords/passwords.js';

const FORM = {
  firstname: 'Maria',
  lastname: 'Skłodowska',
  dateOfBirth: '1967-11-07',
  gender: 'Female',
  country: 'France',
  adress: 'rue Cuvier 10',
  city: 'Paris',
  postalCode: '75-005',
};
const NEW_ACCOUNT = { ...registration(), username: '{unique}', email: '{unique}@people.example' };
const UNKNOWN_LINK = { email: '{unique}@people.example', token: 'wrong', newPassword: TEST_PASSWORD };

/**
 * Every call of the app, and what it answers to whom: a line a call, in the order in which they are made.
 *
 * The columns are a guest, the reader whose own things are asked for, another reader, an auditor and an admin.
 * Who comes with a token that ran out, was revoked or is forged has to be answered as the guest is. What stands in
 * braces is named in `world`. Where a call is let through, any answer but 401 and 403 may show it: a line without a
 * body can expect a 400 there.
 */
const MATRIX: [call: string, request: string, statuses: string, body?: unknown][] = [
  ['POST Account/register', 'Account/register', '201 201 201 201 201', NEW_ACCOUNT],
  [
    'POST Account/confirm-email',
    'Account/confirm-email',
    '400 400 400 400 400',
    { userId: '{reader}', token: 'x' },
  ],
  [
    'POST Account/resend-confirmation-email',
    'Account/resend-confirmation-email',
    '200 200 200 200 200',
    { username: '{unique}' },
  ],
  [
    'POST Account/forgot-password',
    'Account/forgot-password',
    '200 200 200 200 200',
    { email: '{unique}@people.example' },
  ],
  ['POST Account/reset-password', 'Account/reset-password', '400 400 400 400 400', UNKNOWN_LINK],
  [
    'POST Account/login',
    'Account/login',
    '200 200 200 200 200',
    { username: '{member}', password: TEST_PASSWORD },
  ],

  [
    'POST Account/login/second-factor',
    'Account/login/second-factor',
    '400 400 400 400 400',
    { ticket: 'unknown', code: '000000' },
  ],
  // No page asks, so there is none that passkeys could belong to.
  ['POST Account/login/passkey-options', 'Account/login/passkey-options', '409 409 409 409 409', {}],
  ['POST Account/login/passkey', 'Account/login/passkey', '400 400 400 400 400', {}],
  ['POST Account/confirm', 'Account/confirm', '401 400 400 400 400', { code: '000000' }],
  ['POST Account/confirm/passkey-options', 'Account/confirm/passkey-options', '401 409 409 409 409'],
  ['GET Account/second-factor', 'Account/second-factor', '401 200 200 200 200'],
  ['POST Account/second-factor/code-app', 'Account/second-factor/code-app', '401 201 201 201 201'],
  [
    'POST Account/second-factor/code-app/confirm',
    'Account/second-factor/code-app/confirm',
    '401 400 400 400 400',
    { code: '000000' },
  ],
  ['DELETE Account/second-factor/code-app', 'Account/second-factor/code-app', '401 200 200 200 200'],
  [
    'POST Account/second-factor/recovery-codes',
    'Account/second-factor/recovery-codes',
    '401 404 404 404 404',
  ],
  [
    'POST Account/second-factor/passkeys/options',
    'Account/second-factor/passkeys/options',
    '401 409 409 409 409',
  ],
  ['POST Account/second-factor/passkeys', 'Account/second-factor/passkeys', '401 400 400 400 400', {}],
  [
    'PUT Account/second-factor/passkeys/:id',
    'Account/second-factor/passkeys/unknown',
    '401 404 404 404 404',
    { name: 'Mine' },
  ],
  [
    'DELETE Account/second-factor/passkeys/:id',
    'Account/second-factor/passkeys/unknown',
    '401 404 404 404 404',
  ],

  ['GET User', 'User', '401 403 403 403 200'],
  ['GET User/profile', 'User/profile', '401 200 200 200 200'],
  ['GET User/userId/:id', 'User/userId/{reader}', '401 200 403 403 200'],
  ['PUT User', 'User?id={reader}', '401 200 403 403 200', FORM],
  ['PUT User/roles', 'User/roles?id={subject}', '401 403 403 403 200', { roles: ['Auditor'] }],
  // Not the reader's own: a session that it ended could make no further call.
  ['POST User/end-sessions', 'User/end-sessions?id={subject}', '401 403 403 403 200'],
  ['GET User/role-changes', 'User/role-changes?id={subject}', '401 403 403 200 200'],

  ['POST Reader/find', 'Reader/find', '401 403 403 403 200', { scan: 'Nobody at all' }],
  ['GET Reader/panel', 'Reader/panel?id={reader}', '401 403 403 403 200'],
  ['GET Reader/mine', 'Reader/mine', '401 200 200 200 200'],
  ['POST Reader/card/replace', 'Reader/card/replace?id={subject}', '401 403 403 403 200'],
  ['POST Reader/slip', 'Reader/slip?id={subject}', '401 403 403 403 409'],
  ['PUT Reader/card/block', 'Reader/card/block?id={subject}', '401 403 403 403 200', { blocked: true }],
  [
    'PUT Reader/notice',
    'Reader/notice?id={subject}',
    '401 403 403 403 200',
    { message: 'Please say that his umbrella is here.', blocks: false },
  ],
  ['DELETE Reader/notice', 'Reader/notice?id={subject}', '401 403 403 403 200'],

  ['GET Book', 'Book', '200 200 200 200 200'],
  ['GET Book/covers', 'Book/covers?ids={book}', '200 200 200 200 200'],
  ['GET Book/facets', 'Book/facets?genre=1', '200 200 200 200 200'],
  ['GET Book/suggest', 'Book/suggest?SearchTerm=a', '200 200 200 200 200'],
  ['GET Book/shelves', 'Book/shelves', '200 200 200 200 200'],
  ['GET Book/:id', 'Book/{book}', '200 200 200 200 200'],
  ['GET Book/:id/series', 'Book/{book}/series', '200 200 200 200 200'],
  ['GET Book/:id/related', 'Book/{book}/related', '200 200 200 200 200'],
  ['GET Book/:id/whereabouts', 'Book/{book}/whereabouts', '200 200 200 200 200'],
  ['GET Book/:id/cover', 'Book/{book}/cover', '404 404 404 404 404'],
  ['POST Book', 'Book', '401 403 403 403 400'],
  ['PUT Book/:id', 'Book/{book}', '401 403 403 403 400'],
  ['GET Book/:id/copies', 'Book/{book}/copies', '401 403 403 403 200'],
  ['POST Desk/scan', 'Desk/scan', '401 403 403 403 404', { scan: '4711-2-3' }],
  ['GET Copy/:id', 'Copy/none', '401 403 403 403 404'],
  ['POST Copy', 'Copy', '401 403 403 403 404', { bookId: 999_999 }],
  ['PUT Copy/:id', 'Copy/none', '401 403 403 403 404', { note: 'x' }],
  ['POST Copy/:id/withdraw', 'Copy/none/withdraw', '401 403 403 403 404'],
  ['POST Copy/:id/lost', 'Copy/none/lost', '401 403 403 403 404'],
  ['POST Copy/:id/damaged', 'Copy/none/damaged', '401 403 403 403 404'],
  ['POST Copy/:id/found', 'Copy/none/found', '401 403 403 403 404'],
  ['POST Rules/what-if', 'Rules/what-if', '401 403 403 400 400', {}],
  ['GET Rules/what-if', 'Rules/what-if', '401 403 403 200 200'],
  ['GET Rules/what-if/:id', 'Rules/what-if/{reader}', '401 403 403 404 404'],
  ['DELETE Rules/what-if/:id', 'Rules/what-if/{reader}', '401 403 403 404 404'],
  ['GET Rules/what-if/:id/readers', 'Rules/what-if/{reader}/readers', '401 403 403 403 404'],
  ['GET Rules', 'Rules', '401 403 403 200 200'],
  ['GET Rules/hours', 'Rules/hours', '200 200 200 200 200'],
  ['GET Rules/:version', 'Rules/1', '401 403 403 200 200'],
  ['POST Rules', 'Rules', '401 403 403 403 400', {}],
  ['DELETE Rules/:version', 'Rules/999', '401 403 403 403 404'],
  ['GET Rules/draft', 'Rules/draft', '401 403 403 200 200'],
  ['GET Rules/draft/:id', 'Rules/draft/{reader}', '401 403 403 404 404'],
  ['POST Rules/draft', 'Rules/draft', '401 403 403 403 400', {}],
  ['PUT Rules/draft/:id', 'Rules/draft/{reader}', '401 403 403 403 400', {}],
  ['DELETE Rules/draft/:id', 'Rules/draft/{reader}', '401 403 403 403 200'],
  ['GET StockTaking', 'StockTaking', '401 403 403 403 200'],
  ['POST StockTaking', 'StockTaking', '401 403 403 403 400', {}],
  ['GET StockTaking/:id', 'StockTaking/{reader}', '401 403 403 403 404'],
  ['PUT StockTaking/:id', 'StockTaking/{reader}', '401 403 403 403 404', { state: 'paused' }],
  ['POST StockTaking/:id/scans', 'StockTaking/{reader}/scans', '401 403 403 403 404', { codes: ['x'] }],
  ['GET StockTaking/:id/findings', 'StockTaking/{reader}/findings?kind=missing', '401 403 403 403 404'],
  [
    'POST StockTaking/:id/resolve',
    'StockTaking/{reader}/resolve',
    '401 403 403 403 404',
    { kind: 'missing', action: 'leave', batch: '{reader}' },
  ],
  ['POST StockTaking/:id/undo', 'StockTaking/{reader}/undo', '401 403 403 403 404', { batch: '{reader}' }],
  ['GET StockTaking/:id/resolutions', 'StockTaking/{reader}/resolutions', '401 403 403 403 404'],
  ['DELETE Book/:id', 'Book/999999', '401 403 403 403 404'],
  ['DELETE Book/delete-multiple', 'Book/delete-multiple', '401 403 403 403 404', [999_999]],
  [
    'GET BookExternalFetch/fetch-from-external',
    'BookExternalFetch/fetch-from-external?isbn=1',
    '401 403 403 403 400',
  ],

  ['GET Author', 'Author', '200 200 200 200 200'],
  ['GET Author/paginated', 'Author/paginated', '200 200 200 200 200'],
  ['GET Author/:id', 'Author/999999', '404 404 404 404 404'],
  ['POST Author/add', 'Author/add', '401 403 403 403 400', {}],
  ['POST Author/merge', 'Author/merge', '401 403 403 403 400', {}],
  ['PUT Author/:id', 'Author/999999', '401 403 403 403 400', {}],
  ['DELETE Author/:id', 'Author/999999', '401 403 403 403 404'],

  ['GET Genre', 'Genre', '200 200 200 200 200'],
  ['GET Genre/paginated', 'Genre/paginated', '200 200 200 200 200'],
  ['GET Genre/:id', 'Genre/999999', '404 404 404 404 404'],
  ['POST Genre/add', 'Genre/add', '401 403 403 403 400', {}],
  ['POST Genre/merge', 'Genre/merge', '401 403 403 403 400', {}],
  ['PUT Genre/:id', 'Genre/999999', '401 403 403 403 400', {}],
  ['DELETE Genre', 'Genre?id=999999', '401 403 403 403 404'],

  ['GET Publisher', 'Publisher', '200 200 200 200 200'],
  ['GET Publisher/paginated', 'Publisher/paginated', '200 200 200 200 200'],
  ['GET Publisher/:id', 'Publisher/999999', '404 404 404 404 404'],
  ['POST Publisher/add', 'Publisher/add', '401 403 403 403 400', {}],
  ['POST Publisher/merge', 'Publisher/merge', '401 403 403 403 400', {}],
  ['PUT Publisher/:id', 'Publisher/999999', '401 403 403 403 400', {}],
  ['DELETE Publisher/:id', 'Publisher/999999', '401 403 403 403 404'],

  ['GET SearchReport', 'SearchReport', '401 403 403 403 200'],
  ['GET SearchReport/file', 'SearchReport/file?format=x', '401 403 403 403 400'],
  ['POST Book/merge', 'Book/merge', '401 403 403 403 400', {}],
  ['GET Merge', 'Merge', '401 403 403 403 200'],
  ['POST Merge/:id/undo', 'Merge/{reader}/undo', '401 403 403 403 404'],
  ['GET Duplicate', 'Duplicate?Kind=author', '401 403 403 403 200'],
  ['GET Duplicate/compare', 'Duplicate/compare?Kind=book&ids=1', '401 403 403 403 200'],
  ['GET Duplicate/not-the-same', 'Duplicate/not-the-same', '401 403 403 403 200'],
  ['POST Duplicate/not-the-same', 'Duplicate/not-the-same', '401 403 403 403 400', {}],
  [
    'DELETE Duplicate/not-the-same',
    'Duplicate/not-the-same?Kind=author&one=1&other=2',
    '401 403 403 403 404',
  ],

  ['POST Borrow/rent-books', 'Borrow/rent-books', '401 200 200 200 200', { bookIds: ['{book}'] }],
  [
    'POST Borrow/issue-books',
    'Borrow/issue-books?borrowId={borrow}&userId={reader}',
    '401 403 403 403 200',
    { bookIds: ['{borrowed}'] },
  ],
  ['POST Borrow/renew', 'Borrow/renew?borrowId={borrow}', '401 409 404 404 404'],
  [
    'POST Borrow/return-books',
    'Borrow/return-books?borrowId={borrow}&userId={reader}',
    '401 403 403 403 200',
    { bookIds: ['{borrowed}'] },
  ],
  ['GET Borrow', 'Borrow', '401 403 403 403 200'],
  ['GET Borrow/details', 'Borrow/details?borrowId={borrow}', '401 403 403 403 200'],
  ['GET Borrow/history', 'Borrow/history', '401 200 200 200 200'],
  ['POST Borrow/lend', 'Borrow/lend', '401 403 403 403 400'],
  ['POST Borrow/take-back-books', 'Borrow/take-back-books', '401 403 403 403 400'],
  ['POST Borrow/rebind-copies', 'Borrow/rebind-copies', '401 403 403 403 400'],
  // Of others' rents, an admin alone may say anything; of an unknown one of their own, anybody.
  [
    'POST Borrow/cancel-rent',
    'Borrow/cancel-rent?borrowId=00000000-0000-4000-8000-000000000001&userId={reader}',
    '401 404 403 403 404',
  ],
  ['POST Borrow/waive-fee', 'Borrow/waive-fee', '401 403 403 403 400'],
  ['POST Borrow/mark-lost', 'Borrow/mark-lost', '401 403 403 403 400'],
  ['POST Borrow/mark-found', 'Borrow/mark-found', '401 403 403 403 400'],
  ['POST Borrow/undo', 'Borrow/undo', '401 403 403 403 400'],

  ['POST Hold', 'Hold', '401 400 400 400 400'],
  ['GET Hold', 'Hold?bookId={book}', '401 403 403 403 200'],
  ['GET Hold/mine', 'Hold/mine?userId={reader}', '401 200 403 403 200'],
  ['GET Hold/prospect', 'Hold/prospect?bookId={book}', '401 200 200 200 200'],
  ['GET Hold/shelf', 'Hold/shelf', '401 403 403 403 200'],
  ['GET Hold/lapsed', 'Hold/lapsed', '401 403 403 403 200'],
  // Of others' holds, a reader does not even learn that they are there.
  ['DELETE Hold/:id', 'Hold/00000000-0000-4000-8000-000000000001', '401 404 404 404 404'],
  ['POST Hold/:id/pause', 'Hold/00000000-0000-4000-8000-000000000001/pause', '401 400 400 400 400'],
  ['POST Hold/:id/resume', 'Hold/00000000-0000-4000-8000-000000000001/resume', '401 404 404 404 404'],
  [
    'POST Hold/:id/needed-until',
    'Hold/00000000-0000-4000-8000-000000000001/needed-until',
    '401 400 400 400 400',
  ],
  ['POST Hold/:id/move', 'Hold/00000000-0000-4000-8000-000000000001/move', '401 403 403 403 400'],

  ['GET List/mine', 'List/mine', '401 200 200 200 200'],
  // The answer itself is no JSON.
  ['GET List/mine/file', 'List/mine/file?format=x', '401 400 400 400 400'],
  ['POST List/shared', 'List/shared', '404 404 404 404 404', { token: 'x'.repeat(43) }],
  ['POST List', 'List', '401 400 400 400 400', {}],
  // Of others' lists, nobody learns that they are there.
  ['GET List/:id', 'List/{list}', '401 200 404 404 404'],
  ['PUT List/:id', 'List/{list}', '401 200 404 404 404', { name: 'Of the sea' }],
  ['POST List/:id/books', 'List/{list}/books', '401 200 404 404 404', { bookId: '{book}' }],
  ['PUT List/:id/books/:bookId', 'List/{list}/books/{book}', '401 200 404 404 404', { place: 1 }],
  ['DELETE List/:id/books/:bookId', 'List/{list}/books/{book}', '401 200 404 404 404'],
  ['POST List/:id/share', 'List/{list}/share', '401 201 404 404 404'],
  ['DELETE List/:id/share', 'List/{list}/share', '401 200 404 404 404'],
  ['DELETE List/:id', 'List/{list}', '401 200 404 404 404'],
  ['GET ReadingList', 'ReadingList', '401 403 403 403 200'],
  ['GET ReadingList/home', 'ReadingList/home', '200 200 200 200 200'],
  ['GET ReadingList/:id', 'ReadingList/{reader}', '404 404 404 404 404'],
  ['GET ReadingList/:id/file', 'ReadingList/{reader}/file', '401 403 403 403 404'],
  ['POST ReadingList', 'ReadingList', '401 403 403 403 400', {}],
  ['PUT ReadingList/:id', 'ReadingList/{reader}', '401 403 403 403 400', {}],
  ['PUT ReadingList/:id/place', 'ReadingList/{reader}/place', '401 403 403 403 404', { place: 1 }],
  ['DELETE ReadingList/:id', 'ReadingList/{reader}', '401 403 403 403 404'],
  ['POST ReadingList/:id/books', 'ReadingList/{reader}/books', '401 403 403 403 404', { bookId: 1 }],
  ['PUT ReadingList/:id/books/:bookId', 'ReadingList/{reader}/books/1', '401 403 403 403 404', { place: 1 }],
  ['DELETE ReadingList/:id/books/:bookId', 'ReadingList/{reader}/books/1', '401 403 403 403 404'],

  ['POST Payment/create', 'Payment/create?borrowId={borrow}', '401 409 404 404 404'],
  ['POST Payment/confirm', 'Payment/confirm?transactionId=unknown', '401 404 404 404 404'],
  ['GET Payment/terms', 'Payment/terms', '401 200 200 200 200'],
  ['GET Payment/desk', 'Payment/desk?borrowId={borrow}', '401 403 403 403 200'],
  ['POST Payment/desk', 'Payment/desk?borrowId={borrow}', '401 403 403 403 409', { amount: 50 }],
  ['POST Payment/refund', 'Payment/refund?borrowId={borrow}', '401 403 403 403 409', { amount: 50 }],
  ['GET fine/:id', 'fine/{borrow}', '401 200 404 200 200'],

  ['GET Borrow/fee', 'Borrow/fee?borrowId={borrow}', '401 200 404 404 404'],
  ['GET Audit/readers', 'Audit/readers', '401 403 403 200 200'],
  ['GET Audit/readers/:readerId/events', 'Audit/readers/{reader}/events', '401 403 403 200 200'],
  ['GET Audit/readers/:readerId/events/:revision', 'Audit/readers/{reader}/events/0', '401 403 403 200 200'],
  ['GET Audit/readers/:readerId/timeline', 'Audit/readers/{reader}/timeline', '401 403 403 200 200'],
  ['GET Audit/readers/:readerId/state', 'Audit/readers/{reader}/state', '401 403 403 200 200'],
  // The answer itself is no JSON.
  ['GET Audit/readers/:readerId/export', 'Audit/readers/{reader}/export?format=x', '401 403 403 400 400'],
  ['GET Audit/borrows/:borrowId', 'Audit/borrows/{borrow}', '401 403 403 200 200'],
  ['GET Audit/borrows/:borrowId/fee', 'Audit/borrows/{borrow}/fee', '401 403 403 200 200'],
  ['GET Audit/holds/:holdId', 'Audit/holds/{subject}', '401 403 403 404 404'],
  ['GET Audit/looks', 'Audit/looks', '401 403 403 200 200'],

  ['GET Insight/titles', 'Insight/titles?from=2026-01-01&to=2026-12-31', '401 403 403 200 200'],
  ['GET Insight/genres', 'Insight/genres?from=2026-01-01&to=2026-12-31', '401 403 403 200 200'],
  ['GET Insight/idle', 'Insight/idle?from=2026-01-01&to=2026-12-31', '401 403 403 200 200'],
  ['GET Insight/hours', 'Insight/hours?from=2026-01-01&to=2026-12-31', '401 403 403 200 200'],
  ['GET Insight/wanted', 'Insight/wanted?from=2026-01-01&to=2026-12-31', '401 403 403 200 200'],
  ['GET Insight/events', 'Insight/events?from=2026-01-01&to=2026-12-31', '401 403 403 200 200'],
  // The answer itself is no JSON.
  ['GET Insight/file', 'Insight/file?of=nothing', '401 403 403 400 400'],

  ['GET Dashboard/followers', 'Dashboard/followers', '401 403 403 403 200'],
  ['GET Dashboard/house', 'Dashboard/house', '401 403 403 403 200'],
  ['POST Dashboard/house/backup', 'Dashboard/house/backup', '401 403 403 403 409'],
  ['GET Dashboard/queues', 'Dashboard/queues', '401 403 403 403 200'],
  ['POST Dashboard/queues-pass', 'Dashboard/queues-pass', '401 403 403 403 200'],
  // With an option that there is not, so that nothing is printed.
  ['GET Dashboard/bookRaport', 'Dashboard/bookRaport?x=1', '401 403 403 403 400'],
  ['GET Dashboard/generate-stickers', 'Dashboard/generate-stickers?columns=0', '401 403 403 403 400'],
  ['POST Dashboard/reports', 'Dashboard/reports', '401 403 403 403 400', { kind: 'nothing' }],
  ['GET Dashboard/reports', 'Dashboard/reports', '401 403 403 403 200'],
  ['GET Dashboard/reports/:id/file', 'Dashboard/reports/{subject}/file', '401 403 403 403 404'],
  ['GET Dashboard/today', 'Dashboard/today', '401 403 403 403 200'],
  ['GET Dashboard/last-events', 'Dashboard/last-events', '401 403 403 403 200'],
  ['GET Dashboard/stats', 'Dashboard/stats', '401 403 403 403 200'],

  [
    'POST Account/check-password',
    'Account/check-password',
    '200 200 200 200 200',
    { password: TEST_PASSWORD },
  ],
  // With a wrong present password, so that nothing is changed.
  [
    'POST Account/change-password',
    'Account/change-password',
    '401 400 400 400 400',
    { currentPassword: 'Wrong#2026', newPassword: TEST_PASSWORD },
  ],
  ['GET Account/sessions', 'Account/sessions', '401 200 200 200 200'],
  ['POST Account/sessions/end-others', 'Account/sessions/end-others', '401 200 200 200 200'],
  ['DELETE Account/sessions/:id', 'Account/sessions/{subject}', '401 404 404 404 404'],
  // The last: who made it can make no further call.
  ['POST Account/logout', 'Account/logout', '401 200 200 200 200'],
];

const PEOPLE = ['guest', 'reader', 'other', 'auditor', 'admin'] as const;
/** Answered as the guest is. */
const STRANGERS = ['expired', 'revoked', 'unsigned', 'signed by another', 'of another issuer'] as const;

withoutRounds();

describe('who may make which call', () => {
  // As it stands still, no call that is refused a minute after the start notes when its session was used last.
  const clock = new StandingClock();

  const tokens = new Map<string, string>();
  /** What the lines of the matrix name in braces. */
  const world = new Map<string, string | number>();

  const product = shared(() => startProduct(clock));
  beforeAll(async () => {
    const [reader, other, auditor, admin, revoked, subject] = [
      await product.account(),
      await product.account(),
      await product.account('Reader', 'Auditor'),
      await product.account('Reader', 'Admin'),
      await product.account('Reader', 'Admin'),
      await product.account(),
    ];
    for (const [name, { token }] of Object.entries({ reader, other, auditor, admin, revoked })) {
      tokens.set(name, token);
    }
    await product.database.query('update account set session = session + 1 where id = $1', [revoked.id]);
    for (const [name, token] of Object.entries(await badTokens(admin))) tokens.set(name, token);
    const { password, confirmPassword: _same, ...member } = registration();
    await createAccount(
      product.dataSource.manager,
      { ...member, passwordHash: await hashPassword(password), roles: ['Reader'], emailConfirmed: true },
      new Date(),
    );
    const borrowed = await product.book(1);
    const { body } = await reader.post('Borrow/rent-books', { bookIds: [borrowed] });
    await waitFor(
      async () => (await product.database.query(`select from ${READ_MODEL}.borrow`)).rowCount === 1,
    );
    const { body: list } = await reader.post('List', { name: 'Of whales' });
    for (const [name, value] of Object.entries({
      reader: reader.id,
      subject: subject.id,
      member: member.username,
      book: await product.book(20),
      borrowed,
      borrow: body.borrowId as string,
      list: list.id as string,
    })) {
      world.set(name, value);
    }
  });

  /** Tokens that would open everything to the admin, were they good. */
  async function badTokens({ id: adminId, sid }: TestAccount): Promise<Record<string, string>> {
    const longAgo = { now: () => new Date(clock.now().getTime() - 9 * 3_600_000) };
    const expired = await makeAccount(product.url, product.settings.JWT_SECRET, product.database, longAgo, [
      'Reader',
      'Admin',
    ]);
    const claims = { name: 'admin', role: ['Reader', 'Admin'], session: 1, sid };
    const now = clock.now();
    const until = new Date(now.getTime() + 3_600_000);
    const signed = (secret: string, issuer: string) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setSubject(adminId)
        .setIssuer(issuer)
        .setIssuedAt(now)
        .setExpirationTime(until)
        .sign(new TextEncoder().encode(secret));
    return {
      expired: expired.token,
      unsigned: new UnsecuredJWT(claims)
        .setSubject(adminId)
        .setIssuer('lectern')
        .setIssuedAt(now)
        .setExpirationTime(until)
        .encode(),
      'signed by another': await signed('another-secret-another-secret-another', 'lectern'),
      'of another issuer': await signed(product.settings.JWT_SECRET, 'elsewhere'),
    };
  }

  /** Puts what is named in braces in its place, a number as a number. */
  function filled(text: string): string {
    const value = (name: string) =>
      name === 'unique' ? `u-${randomBytes(6).toString('hex')}` : (world.get(name) ?? `no ${name} in world`);
    const unique = value('unique');
    return text
      .replace(/"{(\w+)}"/g, (_all, name: string) => JSON.stringify(name === 'unique' ? unique : value(name)))
      .replace(/{(\w+)}/g, (_all, name: string) => String(name === 'unique' ? unique : value(name)));
  }

  async function ask(call: string, request: string, body: unknown, who: string): Promise<Answer> {
    const path = filled(request);
    const sent: unknown = body === undefined ? undefined : JSON.parse(filled(JSON.stringify(body)));
    // A guest's header has a word and no token.
    const calls = caller(product.url, tokens.get(who) ?? '');
    const method = call.split(' ')[0]?.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
    return method === 'get' ? calls.get(path) : calls[method](path, sent);
  }

  /** A digest of everything that is kept, but for what jobs write by and by, and sessions that are over and removed some time. */
  async function everythingKept(): Promise<string> {
    const { rows: tables } = await product.database.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema in ('public', '${READ_MODEL}', 'eventstore')
         and table_name not in ('outbox', 'account_token', 'process_heartbeat', 'part_state') order by 1`,
    );
    const { rows } = await product.database.query<{ digest: string }>(
      tables
        .map(
          ({ name }) =>
            `select '${name} ' || md5(coalesce(string_agg(t::text, '' order by t::text), '')) as digest from ${name} t
             ${name === 'public.session' ? 'where expires > $1' : 'where $1::timestamptz is not null'}`,
        )
        .join(' union all '),
      [clock.now()],
    );
    // PostgreSQL may look at the tables at once, and answers in no order.
    return rows
      .map(({ digest }) => digest)
      .sort()
      .join('\n');
  }

  // spec 6.1
  it('is said here of every call of the app, and of no other', () => {
    const calls = product.routes.map(({ method, path }) => `${method} ${path}`);
    expect(MATRIX.map(([call]) => call).sort()).toEqual(calls.sort());
  });

  // As objects: of a row that is one value short, Jest would take the last parameter for a callback.
  const lines = MATRIX.map(([call, request, statuses, body]) => {
    const columns = statuses.split(' ').map(Number);
    const expected = new Map<string, number>(PEOPLE.map((who, column) => [who, columns[column] ?? 0]));
    const atTheDoor = expected.get('guest') ?? 0;
    for (const who of STRANGERS) expected.set(who, atTheDoor);
    return { call, request, body, expected };
  });
  const isRefused = (status: number) => status === 401 || status === 403;
  const groupOf = (call: string) => /^\S+ (\w+)/.exec(call)?.[1] ?? '';
  const groups = [...new Set(MATRIX.map(([call]) => groupOf(call)))];

  // First, while nothing else is done: of what follows, some is projected and sent by and by.
  // spec 3.3, 6.1, 7.1, 7.5, 7.12
  it.each(groups)('%s: what is refused leaves no trace', async (group) => {
    const before = await everythingKept();
    for (const { call, request, body, expected } of lines.filter((line) => groupOf(line.call) === group)) {
      const refused = [...expected].filter(([, status]) => isRefused(status));
      const answers: Record<string, string> = { call };
      for (const [who] of refused) {
        const answer = await ask(call, request, body, who);
        answers[who] = `${answer.status} ${answer.body.code}`;
      }
      expect(answers).toEqual(
        Object.fromEntries([['call', call], ...refused.map(([who, status]) => [who, withCode(who, status)])]),
      );
    }
    expect(await everythingKept()).toBe(before);
  });

  // spec 3.3, 6.1, 7.1, 7.5, 7.12
  it.each(lines)('$call', async ({ call, request, body, expected }) => {
    const allowed = [...expected].filter(([, status]) => !isRefused(status));
    const answers: Record<string, number> = {};
    for (const [who] of allowed) answers[who] = (await ask(call, request, body, who)).status;
    expect(answers).toEqual(Object.fromEntries(allowed));
  });
});

/** The status and the code of a refusal. */
function withCode(who: string, status: number): string {
  if (status === 403) return '403 NotAllowed';
  return ['expired', 'revoked'].includes(who) ? '401 SessionEnded' : '401 NotSignedIn';
}
