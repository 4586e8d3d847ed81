import { randomBytes } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { PERMISSIONS, type Allowed, type Permission } from '#contracts/permissions.js';
import type { Call } from '#contracts/call.js';
import { READ_MODEL } from '#platform/database/read-model.js';
import { accountSteps } from '../../test-support/product/account-steps.js';
import { caller, type Answer } from '../../test-support/product/caller.js';
import { declaredCalls } from '../../test-support/product/declared-calls.js';
import { bindKiosk } from '../../test-support/product/kiosk.js';
import { startProduct, type TestAccount } from '../../test-support/product/product.js';
import { registration, TEST_PASSWORD } from '../../test-support/product/registrations.js';
import { shared } from '../../test-support/shared.js';
import { StandingClock } from '../../test-support/test-clock.js';
import { waitFor } from '../../test-support/wait-for.js';

const NEW_ACCOUNT = { ...registration(), username: '{unique}', email: '{unique}@people.example' };
const UNKNOWN_LINK = { email: '{unique}@people.example', token: 'wrong', newPassword: TEST_PASSWORD };

/**
 * Every call of the app, and what it answers to those who may make it: a line a call, in the order in which they are made. Whoever
 * may not is refused; who that is follows from the call's declaration, and so does how many statuses a line has.
 *
 * They are a guest, the reader whose own things are asked for, another reader, somebody who has all permissions but those that the
 * call names, somebody who has exactly one of those, and a device by which readers help themselves. Who comes with a token that
 * ran out, was revoked or is forged has to be answered as the guest is. What stands in braces is named in `world`; a path without
 * `at` has what is usual in it. Where a call is let through, any answer but 401 and 403 may show it: a line without a body can
 * expect a 400 there.
 */
const MATRIX: [call: string, statuses: string, sent?: { at?: string; body?: unknown }][] = [
  ['POST Account/register', '201 201 201 201 201', { body: NEW_ACCOUNT }],
  ['POST Account/confirm-email', '400 400 400 400 400', { body: { userId: '{reader}', token: 'x' } }],
  ['POST Account/resend-confirmation-email', '200 200 200 200 200', { body: { username: '{unique}' } }],
  ['POST Account/forgot-password', '200 200 200 200 200', { body: { email: '{unique}@people.example' } }],
  ['POST Account/reset-password', '400 400 400 400 400', { body: UNKNOWN_LINK }],
  ['POST Account/login', '200 200 200 200 200', { body: { username: '{member}', password: TEST_PASSWORD } }],

  [
    'POST Account/login/second-factor',
    '400 400 400 400 400',
    { body: { ticket: 'unknown', code: '000000' } },
  ],
  // No page asks, so there is none that passkeys could belong to.
  ['POST Account/login/passkey-options', '409 409 409 409 409'],
  ['POST Account/login/passkey', '400 400 400 400 400'],
  ['GET Account/sign-on', '200 200 200 200 200'],
  ['POST Account/sign-on/:key', '404 404 404 404 404'],
  ['POST Account/sign-on/:key/confirm', '404 404 404 404'],
  // The answer itself is no JSON.
  ['GET Account/sign-on/:key/back', '400 400 400 400 400'],
  ['POST Account/sign-on/:key/complete', '404 404 404 404 404', { body: { state: 'unknown' } }],
  ['POST Account/sign-on/:key/register', '400 400 400 400 400'],
  ['POST Account/sign-on/:key/logout', '404 404 404 404 404', { body: { logout_token: 'none' } }],
  ['GET SignOn', '200'],
  // Valid, it is for those alone who may do everything.
  ['PUT SignOn', '400'],
  ['POST SignOn/:key/try', '404'],
  ['POST Account/confirm', '400 400 400 400', { body: { code: '000000' } }],
  ['POST Account/confirm/passkey-options', '409 409 409 409'],
  ['GET Account/second-factor', '200 200 200 200'],
  ['POST Account/second-factor/code-app', '201 201 201 201'],
  ['POST Account/second-factor/code-app/confirm', '400 400 400 400', { body: { code: '000000' } }],
  ['DELETE Account/second-factor/code-app', '200 200 200 200'],
  ['POST Account/second-factor/recovery-codes', '404 404 404 404'],
  ['POST Account/second-factor/passkeys/options', '409 409 409 409'],
  ['POST Account/second-factor/passkeys', '400 400 400 400'],
  ['PUT Account/second-factor/passkeys/:id', '404 404 404 404', { body: { name: 'Mine' } }],
  ['DELETE Account/second-factor/passkeys/:id', '404 404 404 404'],

  ['GET User', '200'],
  ['GET User/profile', '200 200 200 200'],
  ['GET User/userId/:id', '200 403 403 200'],
  ['PUT User', '200 403 403 200', { at: 'User?id={reader}', body: registration() }],
  ['POST User/register', '400'],
  ['PUT User/membership', '200', { at: 'User/membership?id={subject}', body: { until: null } }],
  ['PUT User/roles', '200', { at: 'User/roles?id={subject}', body: { roles: ['Reader'] } }],
  // Not the reader's own: a session that it ended could make no further call.
  ['POST User/end-sessions', '403 403 403 200', { at: 'User/end-sessions?id={subject}' }],
  ['GET PermissionSet', '200'],
  ['POST PermissionSet', '400'],
  ['PUT PermissionSet/:id', '400', { at: 'PermissionSet/{subject}' }],
  ['DELETE PermissionSet/:id', '404', { at: 'PermissionSet/{subject}' }],
  ['GET User/role-changes', '200', { at: 'User/role-changes?id={subject}' }],

  ['POST Reader/find', '200', { body: { scan: 'Nobody at all' } }],
  ['GET Reader/panel', '200', { at: 'Reader/panel?id={reader}' }],
  ['GET Reader/mine', '200 200 200 200'],
  ['POST Reader/card/replace', '200', { at: 'Reader/card/replace?id={subject}' }],
  ['PUT Reader/card/block', '200', { at: 'Reader/card/block?id={subject}', body: { blocked: true } }],
  [
    'PUT Reader/notice',
    '200',
    {
      at: 'Reader/notice?id={subject}',
      body: { message: 'Please say that his umbrella is here.', blocks: false },
    },
  ],
  ['DELETE Reader/notice', '200', { at: 'Reader/notice?id={subject}' }],
  ['PUT Reader/card/pin', '200', { at: 'Reader/card/pin?id={subject}', body: { pin: '8052' } }],
  ['PUT Reader/mine/pin', '400 400 400 400', { body: { pin: '1' } }],

  ['GET Book', '200 200 200 200 200'],
  ['GET Book/covers', '200 200 200 200 200', { at: 'Book/covers?ids={book}' }],
  ['GET Book/facets', '200 200 200 200 200', { at: 'Book/facets?genre=1' }],
  ['GET Book/suggest', '200 200 200 200 200', { at: 'Book/suggest?SearchTerm=a' }],
  ['GET Book/shelves', '200 200 200 200 200'],
  ['GET Book/:id', '200 200 200 200 200', { at: 'Book/{book}' }],
  ['GET Book/:id/series', '200 200 200 200 200', { at: 'Book/{book}/series' }],
  ['GET Book/:id/related', '200 200 200 200 200', { at: 'Book/{book}/related' }],
  ['GET Book/:id/whereabouts', '200 200 200 200 200', { at: 'Book/{book}/whereabouts' }],
  ['GET Book/:id/cover', '404 404 404 404 404', { at: 'Book/{book}/cover' }],
  ['POST Book', '400'],
  ['POST Book/rows', '400'],
  ['PUT Book/:id', '400', { at: 'Book/{book}' }],
  ['GET Book/:id/copies', '200', { at: 'Book/{book}/copies' }],
  ['POST Desk/scan', '404', { body: { scan: '4711-2-3' } }],
  ['POST Desk/visit-over', '200', { at: 'Desk/visit-over?userId={reader}' }],
  ['GET Copy/:id', '404'],
  ['POST Copy', '404', { body: { bookId: 999_999 } }],
  ['PUT Copy/:id', '404', { body: { note: 'x' } }],
  ['POST Copy/:id/withdraw', '404'],
  ['POST Copy/:id/lost', '404'],
  ['POST Copy/:id/damaged', '404'],
  ['POST Copy/:id/found', '404'],
  ['POST Rules/what-if', '400'],
  ['GET Rules/what-if', '200'],
  ['GET Rules/what-if/:id', '404'],
  ['DELETE Rules/what-if/:id', '404'],
  ['GET Rules/what-if/:id/readers', '404'],
  ['GET Library', '200'],
  ['PUT Library', '400'],
  ['PUT Library/logo', '400'],
  ['DELETE Library/logo', '200'],
  ['GET Library/changes', '200'],
  ['GET Library/letters', '200'],
  ['PUT Library/letters', '400'],
  ['GET Library/letters/:letter', '200', { at: 'Library/letters/visit?language=en' }],
  ['PUT Library/letters/:letter', '400'],
  ['POST Library/letters/:letter/preview', '400'],
  ['POST Library/letters/:letter/test', '400'],
  ['GET Library/demo', '200'],
  ['POST Library/demo', '409'],
  ['DELETE Library/demo', '404'],
  ['GET Library/logo/:digest', '404 404 404 404 404', { at: `Library/logo/${'0'.repeat(32)}` }],
  ['GET Library/pages/:page', '404 404 404 404 404', { at: 'Library/pages/imprint' }],
  ['GET Rules', '200'],
  ['GET Rules/hours', '200 200 200 200 200'],
  ['GET Rules/:version', '200', { at: 'Rules/1' }],
  ['POST Rules', '400'],
  ['DELETE Rules/:version', '404'],
  ['GET Rules/draft', '200'],
  ['GET Rules/draft/:id', '404'],
  ['POST Rules/draft', '400'],
  ['PUT Rules/draft/:id', '400'],
  ['DELETE Rules/draft/:id', '200'],
  ['GET StockTaking', '200'],
  ['POST StockTaking', '400'],
  ['GET StockTaking/:id', '404'],
  ['PUT StockTaking/:id', '404', { body: { state: 'paused' } }],
  ['POST StockTaking/:id/scans', '404', { body: { codes: ['x'] } }],
  ['GET StockTaking/:id/findings', '404', { at: 'StockTaking/{reader}/findings?kind=missing' }],
  ['POST StockTaking/:id/resolve', '404', { body: { kind: 'missing', action: 'leave', batch: '{reader}' } }],
  ['POST StockTaking/:id/undo', '404', { body: { batch: '{reader}' } }],
  ['GET StockTaking/:id/resolutions', '404'],
  ['DELETE Book/:id', '404', { at: 'Book/999999' }],
  ['DELETE Book/delete-multiple', '404', { body: [999_999] }],
  [
    'GET BookExternalFetch/fetch-from-external',
    '400',
    { at: 'BookExternalFetch/fetch-from-external?isbn=1' },
  ],
  ['GET BookSource', '200'],
  ['PUT BookSource', '409', { body: { version: 99, sources: [] } }],
  ['GET BookSource/try', '400', { at: 'BookSource/try?isbn=1' }],
  ['POST BookSource/:id/harvest', '404'],

  ['GET Author', '200 200 200 200 200'],
  ['GET Author/paginated', '200 200 200 200 200'],
  ['GET Author/:id', '404 404 404 404 404', { at: 'Author/999999' }],
  ['POST Author/add', '400'],
  ['POST Author/merge', '400'],
  ['PUT Author/:id', '404', { at: 'Author/999999' }],
  ['DELETE Author/:id', '404', { at: 'Author/999999' }],

  ['GET Genre', '200 200 200 200 200'],
  ['GET Genre/paginated', '200 200 200 200 200'],
  ['GET Genre/:id', '404 404 404 404 404', { at: 'Genre/999999' }],
  ['POST Genre/add', '400'],
  ['POST Genre/merge', '400'],
  ['PUT Genre/:id', '404', { at: 'Genre/999999' }],
  ['DELETE Genre', '404', { at: 'Genre?id=999999' }],

  ['GET Publisher', '200 200 200 200 200'],
  ['GET Publisher/paginated', '200 200 200 200 200'],
  ['GET Publisher/:id', '404 404 404 404 404', { at: 'Publisher/999999' }],
  ['POST Publisher/add', '400'],
  ['POST Publisher/merge', '400'],
  ['PUT Publisher/:id', '404', { at: 'Publisher/999999' }],
  ['DELETE Publisher/:id', '404', { at: 'Publisher/999999' }],

  ['GET SearchReport', '200'],
  ['GET SearchReport/file', '400', { at: 'SearchReport/file?format=x' }],
  ['POST Book/merge', '400'],
  ['GET Merge', '200'],
  ['POST Merge/:id/undo', '404'],
  ['POST ReaderImport', '400'],
  ['GET ReaderImport', '200'],
  ['GET ReaderImport/:id', '404'],
  ['GET ReaderImport/:id/rows', '404'],
  ['GET ReaderImport/:id/refused', '404'],
  ['PUT ReaderImport/:id/rows/:place', '404', { body: { accountId: null } }],
  ['POST ReaderImport/:id/run', '404'],
  ['PUT ReaderImport/:id/invitations', '404', { body: { state: 'running', perHour: 100 } }],
  ['DELETE ReaderImport/:id', '404'],
  ['POST MarcImport', '400'],
  ['GET MarcImport', '200'],
  ['GET MarcImport/:id', '404'],
  ['GET MarcImport/:id/rows', '404'],
  ['PUT MarcImport/:id/wins', '404', { body: { wins: [] } }],
  ['PUT MarcImport/:id/chosen', '404', { body: { chosen: true, outcome: 'new' } }],
  ['PUT MarcImport/:id/rows/:place', '404', { body: { bookId: null } }],
  ['POST MarcImport/:id/run', '404'],
  ['POST MarcImport/:id/undo', '404'],
  ['DELETE MarcImport/:id', '404'],
  ['GET Export/books', '404', { at: 'Export/books?format=csv&list={reader}' }],
  ['GET Duplicate', '200', { at: 'Duplicate?Kind=author' }],
  ['GET Duplicate/compare', '200', { at: 'Duplicate/compare?Kind=book&ids=1' }],
  ['GET Duplicate/not-the-same', '200'],
  ['POST Duplicate/not-the-same', '400'],
  ['DELETE Duplicate/not-the-same', '404', { at: 'Duplicate/not-the-same?Kind=author&one=1&other=2' }],

  ['POST Borrow/rent-books', '200 200 200 200', { body: { bookIds: ['{book}'] } }],
  [
    'POST Borrow/issue-books',
    '200',
    { at: 'Borrow/issue-books?borrowId={borrow}&userId={reader}', body: { bookIds: ['{borrowed}'] } },
  ],
  ['POST Borrow/renew', '409 404 404 404', { at: 'Borrow/renew?borrowId={borrow}' }],
  [
    'POST Borrow/return-books',
    '200',
    { at: 'Borrow/return-books?borrowId={borrow}&userId={reader}', body: { bookIds: ['{borrowed}'] } },
  ],
  ['GET Borrow', '200'],
  ['GET Borrow/details', '200', { at: 'Borrow/details?borrowId={borrow}' }],
  ['GET Borrow/history', '200 200 200 200'],
  ['POST Borrow/lend', '400'],
  ['POST Borrow/take-back-books', '400'],
  ['POST Borrow/rebind-copies', '400'],
  // Of others' rents, an admin alone may say anything; of an unknown one of their own, anybody.
  [
    'POST Borrow/cancel-rent',
    '404 403 403 404',
    { at: 'Borrow/cancel-rent?borrowId=00000000-0000-4000-8000-000000000001&userId={reader}' },
  ],
  ['POST Borrow/waive-fee', '400'],
  ['GET Borrow/waiver-requests', '200'],
  ['POST Borrow/waiver-requests', '400'],
  ['POST Borrow/waiver-requests/:id', '404', { body: { answer: 'withdraw' } }],
  ['POST Borrow/mark-lost', '400'],
  ['POST Borrow/mark-found', '400'],
  ['POST Borrow/undo', '400'],

  ['POST Hold', '400 400 400 400'],
  ['GET Hold', '200', { at: 'Hold?bookId={book}' }],
  ['GET Hold/mine', '200 403 403 200', { at: 'Hold/mine?userId={reader}' }],
  ['GET Hold/prospect', '200 200 200 200', { at: 'Hold/prospect?bookId={book}' }],
  ['GET Hold/queues', '200'],
  ['GET Hold/shelf', '200'],
  ['GET Hold/lapsed', '200'],
  // Of others' holds, a reader does not even learn that they are there.
  ['DELETE Hold/:id', '404 404 404 404'],
  ['POST Hold/:id/pause', '400 400 400 400'],
  ['POST Hold/:id/resume', '404 404 404 404'],
  ['POST Hold/:id/needed-until', '400 400 400 400'],
  ['POST Hold/:id/move', '400'],

  ['GET List/mine', '200 200 200 200'],
  // The answer itself is no JSON.
  ['GET List/mine/file', '400 400 400 400', { at: 'List/mine/file?format=x' }],
  ['POST List/shared', '404 404 404 404 404', { body: { token: 'x'.repeat(43) } }],
  ['POST List', '400 400 400 400'],
  // Of others' lists, nobody learns that they are there.
  ['GET List/:id', '200 404 404 404', { at: 'List/{list}' }],
  ['PUT List/:id', '200 404 404 404', { at: 'List/{list}', body: { name: 'Of the sea' } }],
  ['POST List/:id/books', '200 404 404 404', { at: 'List/{list}/books', body: { bookId: '{book}' } }],
  ['PUT List/:id/books/:bookId', '200 404 404 404', { at: 'List/{list}/books/{book}', body: { place: 1 } }],
  ['DELETE List/:id/books/:bookId', '200 404 404 404', { at: 'List/{list}/books/{book}' }],
  ['POST List/:id/share', '201 404 404 404', { at: 'List/{list}/share' }],
  ['DELETE List/:id/share', '200 404 404 404', { at: 'List/{list}/share' }],
  ['DELETE List/:id', '200 404 404 404', { at: 'List/{list}' }],
  ['GET ReadingList', '200'],
  ['GET ReadingList/home', '200 200 200 200 200'],
  ['GET ReadingList/:id', '404 404 404 404 404'],
  ['GET ReadingList/:id/file', '404'],
  ['POST ReadingList', '400'],
  ['PUT ReadingList/:id', '400'],
  ['PUT ReadingList/:id/place', '404', { body: { place: 1 } }],
  ['DELETE ReadingList/:id', '404'],
  ['POST ReadingList/:id/books', '404', { body: { bookId: 1 } }],
  ['PUT ReadingList/:id/books/:bookId', '404', { body: { place: 1 } }],
  ['DELETE ReadingList/:id/books/:bookId', '404'],

  ['POST Payment/create', '409 404 404 404', { at: 'Payment/create?borrowId={borrow}' }],
  ['POST Payment/confirm', '404 404 404 404', { at: 'Payment/confirm?transactionId=unknown' }],
  ['GET Payment/terms', '200 200 200 200'],
  ['GET Payment/desk', '200', { at: 'Payment/desk?borrowId={borrow}' }],
  ['POST Payment/desk', '409', { at: 'Payment/desk?borrowId={borrow}', body: { amount: 50 } }],
  ['POST Payment/refund', '409', { at: 'Payment/refund?borrowId={borrow}', body: { amount: 50 } }],
  ['GET Payment/till', '200', { at: 'Payment/till?day=2026-11-05' }],
  // The answer itself is no JSON.
  ['GET Payment/till/file', '400', { at: 'Payment/till/file?day=today' }],
  ['GET fine/:id', '200 404 404 200', { at: 'fine/{borrow}' }],

  ['GET Borrow/fee', '200 404 404 404', { at: 'Borrow/fee?borrowId={borrow}' }],
  ['GET Audit/readers', '200'],
  ['GET Audit/readers/:readerId/events', '200'],
  ['GET Audit/readers/:readerId/events/:revision', '200'],
  ['GET Audit/readers/:readerId/timeline', '200'],
  ['GET Audit/readers/:readerId/state', '200'],
  // The answer itself is no JSON.
  ['GET Audit/readers/:readerId/export', '400', { at: 'Audit/readers/{reader}/export?format=x' }],
  ['GET Audit/borrows/:borrowId', '200'],
  ['GET Audit/borrows/:borrowId/fee', '200'],
  ['GET Audit/holds/:holdId', '404', { at: 'Audit/holds/{subject}' }],
  ['GET Audit/looks', '200'],

  ['GET Insight/titles', '200', { at: 'Insight/titles?from=2026-01-01&to=2026-12-31' }],
  ['GET Insight/genres', '200', { at: 'Insight/genres?from=2026-01-01&to=2026-12-31' }],
  ['GET Insight/idle', '200', { at: 'Insight/idle?from=2026-01-01&to=2026-12-31' }],
  ['GET Insight/hours', '200', { at: 'Insight/hours?from=2026-01-01&to=2026-12-31' }],
  ['GET Insight/wanted', '200', { at: 'Insight/wanted?from=2026-01-01&to=2026-12-31' }],
  ['GET Insight/events', '200', { at: 'Insight/events?from=2026-01-01&to=2026-12-31' }],
  // The answer itself is no JSON.
  ['GET Insight/file', '400', { at: 'Insight/file?of=nothing' }],

  ['GET Dashboard/followers', '200'],
  ['GET Dashboard/house', '200'],
  ['POST Dashboard/house/backup', '409'],
  ['GET events', '200'],
  ['GET Webhook', '200'],
  ['POST Webhook', '400'],
  ['GET Webhook/changes', '200'],
  ['PUT Webhook/:id', '400'],
  ['POST Webhook/:id/secret', '404'],
  ['PUT Webhook/:id/on', '404', { body: { from: 'off' } }],
  ['DELETE Webhook/:id', '404'],
  ['GET Webhook/:id/deliveries', '404'],
  ['POST Webhook/:id/deliveries', '404', { body: { again: null } }],
  ['GET Device', '200'],
  ['POST Device', '400'],
  ['PUT Device/:id', '400'],
  ['POST Device/:id/secret', '404'],
  ['DELETE Device/:id', '404'],
  ['POST SelfService/bind', '400 400 400 400 400', { body: { code: '00000000' } }],
  ['GET SelfService/kiosk', '200'],
  ['POST SelfService/visit', '200', { body: { card: '1234' } }],
  ['GET SelfService/visit/:visit', '409'],
  ['POST SelfService/visit/:visit/take', '409', { body: { code: 'x' } }],
  ['POST SelfService/visit/:visit/renew', '409', { body: { borrowId: null } }],
  ['POST SelfService/give-back', '200', { body: { code: '4711-2-3' } }],
  ['DELETE SelfService/visit/:visit', '200'],
  ['GET Dashboard/queues', '200'],
  ['POST Dashboard/queues-pass', '200'],
  // With an option that there is not, so that nothing is printed.
  ['GET Dashboard/bookRaport', '400', { at: 'Dashboard/bookRaport?x=1' }],
  ['GET Dashboard/generate-stickers', '400', { at: 'Dashboard/generate-stickers?columns=0' }],
  ['POST Dashboard/reports', '400', { body: { kind: 'nothing' } }],
  ['GET Dashboard/reports', '200'],
  ['GET Dashboard/reports/:id/file', '404', { at: 'Dashboard/reports/{subject}/file' }],
  ['GET Dashboard/today', '200'],
  ['GET Dashboard/last-events', '200'],
  ['GET Dashboard/stats', '200'],

  [
    'POST Account/check-registration',
    '200 200 200 200 200',
    { body: { username: 'nobody-yet', email: 'nobody-yet@example.org' } },
  ],
  ['POST Account/check-password', '200 200 200 200 200', { body: { password: TEST_PASSWORD } }],
  // With a wrong present password, so that nothing is changed.
  [
    'POST Account/change-password',
    '400 400 400 400',
    { body: { currentPassword: 'Wrong#2026', newPassword: TEST_PASSWORD } },
  ],
  // Where there is an account already.
  [
    'POST Account/first-admin',
    '400 400 400 400 400',
    {
      body: {
        ...{ code: 'x', username: 'first', email: 'first@example.org', firstname: 'A', lastname: 'B' },
        ...{ password: TEST_PASSWORD, confirmPassword: TEST_PASSWORD },
      },
    },
  ],
  ['PUT Account/language', '200 200 200 200', { body: { language: 'en' } }],
  ['GET Account/sessions', '200 200 200 200'],
  ['POST Account/sessions/end-others', '200 200 200 200'],
  ['DELETE Account/sessions/:id', '404 404 404 404', { at: 'Account/sessions/{subject}' }],
  // The last: who made it can make no further call.
  ['POST Account/logout', '200 200 200 200'],
];

/** What stands in a path whose line says nothing else: an id is somebody's, and so of nothing else. */
const USUAL: Record<string, string> = {
  ...{ id: '{reader}', readerId: '{reader}', visit: '{reader}', borrowId: '{borrow}', bookId: '1' },
  ...{ key: 'none', letter: 'visit', place: '1', revision: '0', version: '999' },
};

/** Who makes each call. Those with and without permission are others for each, by what it names. */
const PEOPLE = ['guest', 'reader', 'other', 'unpermitted', 'permitted', 'device'] as const;
type Person = (typeof PEOPLE)[number];
/** Answered as the guest is. */
const STRANGERS = ['expired', 'revoked', 'unsigned', 'signed by another', 'of another issuer'] as const;

/** The provider's own call is there only where it is set. */
const UNSERVED = 'POST Payment/webhook';
const calls = new Map(
  [...(await declaredCalls()).keys()].map((call) => [`${call.method} ${call.path}`, call]),
);

/** The permissions that a call names, each of which opens it, for others where it is open to everybody for themselves. */
const namedBy = ({ may, forOthers = [] }: Pick<Call, 'may' | 'forOthers'>): Permission[] => [
  ...may.filter((each) => each !== 'Everybody' && each !== 'SignedIn' && each !== 'Device'),
  ...forOthers,
];
const allBut = (named: readonly Permission[]) => PERMISSIONS.filter((each) => !named.includes(each));
/** Names those who have some permissions and no other. */
const nameOf = (permissions: readonly Permission[]) => permissions.join('+');

describe('who may make which call', () => {
  // As it stands still, no call that is refused a minute after the start notes when its session was used last.
  const clock = new StandingClock();

  const tokens = new Map<string, string>();
  let device = '';
  /** What the lines of the matrix name in braces. */
  const world = new Map<string, string | number>();

  const product = shared(() => startProduct(clock, { jobs: { rounds: false } }));
  beforeAll(async () => {
    const [reader, admin, subject] = [
      await product.account(),
      await product.account('Reader', 'Admin'),
      await product.account(),
    ];
    const [other, revoked] = [await product.account(), await product.account('Reader', 'Admin')];
    for (const [name, { token }] of Object.entries({ reader, other, revoked })) tokens.set(name, token);
    const wanted = [...calls.values()].flatMap((call) => {
      const named = namedBy(call);
      return [allBut(named), ...named.map((each) => [each])];
    });
    await Promise.all(
      [...new Map(wanted.map((each) => [nameOf(each), each])).values()].map(async (permissions) => {
        const [set] = await product.rows<{ id: string }>(
          'insert into permission_set (name, permissions) values ($1, $2) returning id',
          ...[nameOf(permissions), permissions],
        );
        tokens.set(nameOf(permissions), (await product.account('Reader', set?.id ?? '')).token);
      }),
    );
    await product.database.query('update account set session = session + 1 where id = $1', [revoked.id]);
    device = (await bindKiosk(product.url, admin)).cookie;
    for (const [name, token] of Object.entries(await badTokens(admin))) tokens.set(name, token);
    const borrowed = await product.book(1);
    const { body } = await reader.post('Borrow/rent-books', { bookIds: [borrowed] });
    await waitFor(
      async () => (await product.database.query(`select from ${READ_MODEL}.borrow`)).rowCount === 1,
    );
    const { body: list } = await reader.post('List', { name: 'Of whales' });
    for (const [name, value] of Object.entries({
      reader: reader.id,
      subject: subject.id,
      member: (await accountSteps(product).account()).username,
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
    const claims = { name: 'admin', role: ['Reader', 'Admin'], session: 1, sid };
    const HOUR = 3_600_000;
    const inHours = (hours: number) => new Date(clock.now().getTime() + hours * HOUR);
    const saying = <Token extends SignJWT | UnsecuredJWT>(token: Token, issuer = 'lectern', hours = 1) =>
      token
        .setSubject(adminId)
        .setIssuer(issuer)
        .setIssuedAt(inHours(hours - 8))
        .setExpirationTime(inHours(hours)) as Token;
    const { JWT_SECRET } = product.settings;
    const signed = (issuer?: string, hours?: number, secret = JWT_SECRET) =>
      saying(new SignJWT(claims), issuer, hours)
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .sign(new TextEncoder().encode(secret));
    return {
      expired: await signed('lectern', -1),
      unsigned: saying(new UnsecuredJWT(claims)).encode(),
      'signed by another': await signed('lectern', 1, 'another-secret-another-secret-another'),
      'of another issuer': await signed('elsewhere'),
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
    const client = caller(product.url, tokens.get(who) ?? '', who === 'device' ? device : undefined);
    const method = call.split(' ')[0]?.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
    return method === 'get' ? client.get(path) : client[method](path, sent);
  }

  /** A digest of each table, but for what jobs write by and by, and sessions that are over and removed some time. */
  async function everythingKept(): Promise<string[]> {
    const tables = await product.rows<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema in ('public', '${READ_MODEL}', 'eventstore')
         and table_name not in ('outbox', 'account_token', 'process_heartbeat', 'part_state')`,
    );
    const digests = tables.map(
      ({ name }) =>
        `select '${name} ' || md5(coalesce(string_agg(t::text, '' order by t::text), '')) as digest from ${name} t
         ${name === 'public.session' ? 'where expires > $1' : 'where $1::timestamptz is not null'}`,
    );
    const rows = await product.rows<{ digest: string }>(digests.join(' union all '), clock.now());
    // PostgreSQL may look at the tables at once, and answers in no order.
    return rows.map(({ digest }) => digest).sort();
  }

  // spec 6.1
  it('is said here of every call of the app, and of no other', () => {
    const served = [...calls.keys()].filter((call) => call !== UNSERVED);
    expect(MATRIX.map(([call]) => call).sort()).toEqual(served.sort());
  });

  const usual = (call: string) =>
    call.replace(/.* /, '').replace(/:(\w+)/g, (part, name: string) => USUAL[name] ?? part);
  const lines = MATRIX.map(([call, statuses, { at = usual(call), body } = {}]) => {
    const answers = statuses.split(' ').map(Number);
    const declared = calls.get(call) ?? { may: [] as Allowed[] };
    const named = namedBy(declared);
    const isAllowed = (who: Person) =>
      // Wherever it is nobody’s own call, a device is a guest.
      who === 'device'
        ? declared.may.includes('Device')
        : declared.may.includes('Everybody') ||
          (who !== 'guest' && declared.may.includes('SignedIn')) ||
          (who === 'permitted' && named.length > 0);
    const allowed = PEOPLE.filter(isAllowed);
    if (allowed.length !== answers.length) throw new Error(`${call} may be made by ${allowed.join(', ')}`);
    const expected = new Map<string, number>(
      PEOPLE.map((who) => [
        who === 'unpermitted'
          ? nameOf(allBut(named))
          : who === 'permitted'
            ? nameOf(named.length === 0 ? PERMISSIONS : named.slice(0, 1))
            : who,
        isAllowed(who) ? (answers[allowed.indexOf(who)] ?? 0) : who === 'guest' ? 401 : 403,
      ]),
    );
    const atTheDoor = expected.get('guest') ?? 0;
    for (const who of STRANGERS) expected.set(who, atTheDoor);
    if (!isAllowed('device')) expected.set('device', atTheDoor);
    return { call, request: at, body, expected, alsoPermitted: named.slice(1) };
  });
  const isRefused = (status: number) => status === 401 || status === 403;

  // First, while nothing else is done: of what follows, some is projected and sent by and by.
  // spec 3.3, 6.1, 7.1, 7.5, 7.12
  it('refuses all others, and what is refused leaves no trace', async () => {
    const before = await everythingKept();
    for (const { call, request, body, expected } of lines) {
      const refused = [...expected].filter(([, status]) => isRefused(status));
      const answers = await Promise.all(
        refused.map(async ([who]) => {
          const { status, body: said } = await ask(call, request, body, who);
          return [who, `${status} ${said.code}`];
        }),
      );
      expect([call, answers]).toEqual([call, refused.map(([who, status]) => [who, withCode(who, status)])]);
    }
    expect(await everythingKept()).toEqual(before);
  });

  // spec 3.3, 6.1, 7.1, 7.5, 7.12
  it('lets in whoever may, with each permission that a call names', async () => {
    for (const { call, request, body, expected, alsoPermitted } of lines) {
      const allowed = [...expected].filter(([, status]) => !isRefused(status));
      const statusFor = async (who: string) => (await ask(call, request, body, who)).status;
      const answers = await Promise.all(allowed.map(async ([who]) => [who, await statusFor(who)]));
      expect([call, answers]).toEqual([call, allowed]);
      const others = await Promise.all(
        alsoPermitted.map(async (who) => [who, isRefused(await statusFor(who))]),
      );
      expect([call, others]).toEqual([call, alsoPermitted.map((who) => [who, false])]);
    }
  });
});

/** The status and the code of a refusal. */
function withCode(who: string, status: number): string {
  if (status === 403) return '403 NotAllowed';
  return ['expired', 'revoked'].includes(who) ? '401 SessionEnded' : '401 NotSignedIn';
}
