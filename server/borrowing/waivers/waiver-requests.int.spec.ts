import type { WaiverRequest } from '#contracts/borrowing/waiver-requests.js';
import { atDesk, eventsOf, lend, type TestBorrow } from '../../../test-support/product/borrow-steps.js';
import { breakingOff } from '../../../test-support/database/broken-off.js';
import { keyed } from '../../../test-support/product/caller.js';
import { openLive } from '../../../test-support/product/live-socket.js';
import { startProduct, type TestAccount } from '../../../test-support/product/product.js';
import { atEnd, shared } from '../../../test-support/shared.js';
import { waitFor } from '../../../test-support/wait-for.js';

describe('a waiver above one’s limit', () => {
  const product = shared(() => startProduct());
  const admin = shared(() => product.account('Reader', 'Admin'));
  const librarian = shared(() => product.account('Reader', 'Librarian'));
  atEnd(async () => expect(await product.differences()).toEqual([]));

  /** A reader who has lost a book, which costs 50 PLN. */
  const owing = async (reader?: TestAccount) => {
    const bookId = await product.book(1);
    const borrow = await lend(admin, reader ?? (await product.account()), [bookId]);
    expect((await admin.post(atDesk('mark-lost', borrow), { bookId, as: 'lost' })).status).toBe(200);
    return borrow;
  };
  const waive = (by: TestAccount, fee: TestBorrow, amount: number) =>
    by.post(atDesk('waive-fee', fee), { amount, reason: 'illness' });
  const ask = (by: TestAccount, fee: TestBorrow, amount: number, key = keyed()) =>
    by.post(atDesk('waiver-requests', fee), { amount, reason: 'illness', note: 'Was in hospital' }, key);
  const asked = async (...sent: Parameters<typeof ask>) => (await ask(...sent)).body.id as string;
  const answer = (by: TestAccount, id: string, word: string, note?: string) =>
    by.post(`Borrow/waiver-requests/${id}`, { answer: word, note });
  const seenBy = async (by: TestAccount, id: string) =>
    ((await by.get('Borrow/waiver-requests')).body as WaiverRequest[]).find((each) => each.id === id);
  const waivers = async ({ reader, borrowId }: TestBorrow) =>
    (await eventsOf(product, reader, 'FeeWaived')).filter((event) => event.borrowId === borrowId);

  it('is refused alone, however it is split', async () => {
    const fee = await owing();
    expect(await waive(librarian, fee, 2_001)).toMatchObject({
      status: 403,
      body: {
        code: 'WaiverAboveLimit',
        detail:
          'You can waive up to 20.00 PLN of one borrow alone. Nothing was waived. You can ask a colleague who may waive more for approval.',
      },
    });
    expect((await waive(librarian, fee, 1_500)).status).toBe(200);
    expect((await waive(librarian, fee, 501)).body).toMatchObject({
      code: 'WaiverAboveLimit',
      detail: expect.stringContaining('you have waived 15.00 PLN of this one'),
    });
    expect((await waive(librarian, fee, 500)).status).toBe(200);
    expect((await waive(admin, fee, 3_000)).status).toBe(200);
    // Of another borrow they may waive as much again.
    expect((await waive(librarian, await owing(fee.reader), 2_000)).status).toBe(200);
  });

  it('is approved by somebody else, and both are named wherever it is told', async () => {
    const fee = await owing();
    const id = await asked(librarian, fee, 3_000);
    expect(await seenBy(librarian, id)).toMatchObject({
      ...{ isOwn: true, mayBe: ['withdraw'], state: 'open', amount: 30, due: 50, note: 'Was in hospital' },
      borrow: { id: fee.borrowId, user: { id: fee.reader.id } },
    });
    expect(await seenBy(admin, id)).toMatchObject({ isOwn: false, mayBe: ['approve', 'decline'] });
    expect(await answer(admin, id, 'approve')).toEqual({ status: 200, body: { state: 'approved' } });
    const [by, askedBy] = [admin.pseudonym, librarian.pseudonym];
    expect(await waivers(fee)).toMatchObject([{ amount: 3_000, waivedBy: by, askedBy, actor: by }]);
    const nameOf = async (who: TestAccount) => (await who.get('User/profile')).body.fullname as string;
    const [asker, approver] = [await nameOf(librarian), await nameOf(admin)];
    const both = `${approver}, asked by ${asker}`;
    const { steps } = (await admin.get(`Borrow/details?borrowId=${fee.borrowId}`)).body;
    expect(steps.at(-1)).toMatchObject({ type: 'FeeWaived', by: both, reason: 'illness' });
    const auditor = await product.account('Reader', 'Auditor');
    const told = await auditor.get(`Audit/borrows/${fee.borrowId}/fee`);
    expect(told.body.waivers[0].sentence).toContain(both);
    const events = await auditor.get(`Audit/readers/${fee.reader.id}/events?kind=FeeWaived`);
    expect(events.body.items).toMatchObject([
      { actor: { id: admin.id }, askedBy: { id: librarian.id }, note: 'Was in hospital' },
    ]);
    expect(await seenBy(librarian, id)).toMatchObject({ state: 'approved', answeredBy: approver });
    expect(await seenBy(admin, id)).toBeUndefined();
  });

  it('is neither asked for oneself, nor approved by who asked or may not waive as much', async () => {
    const fee = await owing();
    const id = await asked(librarian, fee, 3_000);
    const second = await product.account('Reader', 'Librarian');
    const debtor = await product.account('Reader', 'Admin');
    for (const [who, word] of [
      [librarian, 'approve'],
      [librarian, 'decline'],
      [second, 'approve'],
      [second, 'decline'],
      [admin, 'withdraw'],
    ] as const) {
      expect([word, (await answer(who, id, word, 'No')).body.code]).toEqual([word, 'NotAllowed']);
    }
    expect(await seenBy(second, id)).toMatchObject({ state: 'open', mayBe: [] });
    const own = await owing(debtor);
    expect((await ask(debtor, own, 3_000)).body.code).toBe('OwnFee');
    const ofDebtor = await asked(librarian, own, 3_000);
    expect((await answer(debtor, ofDebtor, 'approve')).body.code).toBe('NotAllowed');
    expect((await ask(librarian, fee, 5_001)).body.code).toBe('WrongAmount');
    expect((await ask(librarian, await owing(), 5_001)).body.code).toBe('WrongAmount');
    expect(await waivers(fee)).toEqual([]);
  });

  it('counts what the approver waived of the borrow before, and is looked at when they approve', async () => {
    const set = await admin.post('PermissionSet', {
      ...{ name: 'Up to 40', permissions: ['waive', 'desk'], waiverLimit: 4_000 },
    });
    const approver = await product.account('Reader', set.body.id as string);
    const fee = await owing();
    expect((await waive(approver, fee, 1_500)).status).toBe(200);
    const id = await asked(librarian, fee, 3_000);
    expect((await answer(approver, id, 'approve')).body.code).toBe('WaiverAboveLimit');
    // Nobody has answered it: another may, and so may they once their limit is higher.
    expect(await seenBy(approver, id)).toMatchObject({ state: 'open', answeredBy: null });
    const change = (version: number, waiverLimit: number) =>
      admin.put(`PermissionSet/${set.body.id}`, {
        ...{ name: 'Up to 40', permissions: ['waive', 'desk'], waiverLimit, version },
      });
    await change(1, 2_000);
    expect((await answer(approver, id, 'approve')).body.code).toBe('NotAllowed');
    await change(2, 4_500);
    expect((await answer(approver, id, 'approve')).status).toBe(200);
    expect((await waivers(fee)).map(({ amount }) => amount)).toEqual([1_500, 3_000]);
  });

  it('is waived once when several approve it at once, and the others are told who did', async () => {
    const others = await Promise.all([1, 2, 3].map(() => product.account('Reader', 'Admin')));
    const fee = await owing();
    const id = await asked(librarian, fee, 3_000);
    const answers = await Promise.all([
      ...others.map((each) => answer(each, id, 'approve')),
      answer(admin, id, 'decline', 'No'),
      answer(librarian, id, 'withdraw'),
    ]);
    const done = answers.filter(({ status }) => status === 200);
    expect(done).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ body }) => body.code)).toEqual(refused.map(() => 'WaiverAnswered'));
    const approved = done[0]?.body.state === 'approved';
    expect(await waivers(fee)).toHaveLength(approved ? 1 : 0);
    // Whoever did it may hear of it again.
    const winner = approved ? others.find((_, at) => answers[at]?.status === 200) : undefined;
    if (winner) expect((await answer(winner, id, 'approve')).status).toBe(200);
    expect(await waivers(fee)).toHaveLength(approved ? 1 : 0);
  });

  it('is refused and closed where the fee was paid or changed meanwhile', async () => {
    const fee = await owing();
    const id = await asked(librarian, fee, 3_000);
    const paid = await admin.post(`Payment/desk?borrowId=${fee.borrowId}`, { amount: 1_000, due: 5_000 });
    expect(paid.status).toBe(200);
    expect((await answer(admin, id, 'approve')).body).toMatchObject({
      code: 'WaiverAnswered',
      detail:
        'The fee was paid or changed since this was asked for. Nothing was waived, and the request is closed.',
    });
    expect(await seenBy(librarian, id)).toMatchObject({ state: 'overtaken', mayBe: [] });
    expect(await waivers(fee)).toEqual([]);
    // Of the fee as it is now, it can be asked for again.
    expect((await ask(librarian, fee, 3_000)).status).toBe(201);
  });

  it('is asked for once by one key, has one request at a time, and is withdrawn or declined with a word', async () => {
    const fee = await owing();
    const key = keyed();
    const [one, two] = await Promise.all([ask(librarian, fee, 3_000, key), ask(librarian, fee, 3_000, key)]);
    expect([one.status, two.status, two.body.id]).toEqual([201, 201, one.body.id]);
    expect((await ask(librarian, fee, 3_000)).body.code).toBe('WaiverAskedFor');
    expect((await answer(librarian, one.body.id as string, 'withdraw')).body.state).toBe('withdrawn');
    expect(await seenBy(librarian, one.body.id as string)).toBeUndefined();
    const id = await asked(librarian, fee, 4_000);
    expect((await answer(admin, id, 'decline')).body.errors).toEqual({ note: ['Please say why.'] });
    expect((await answer(admin, id, 'decline', 'Too much')).body.state).toBe('declined');
    expect(await seenBy(librarian, id)).toMatchObject({ state: 'declined', answer: 'Too much' });
    expect((await answer(admin, id, 'approve')).body.code).toBe('WaiverAnswered');
    expect(await waivers(fee)).toEqual([]);
  });

  it('that broke off as it was stored is completed by whoever looks next, as who approved it', async () => {
    const fee = await owing();
    const id = await asked(librarian, fee, 3_000);
    const brokenOffAt = await breakingOff(product.database, ['waiver_request', 'state']);
    await brokenOffAt('UPDATE approved', async () => {
      expect((await answer(admin, id, 'approve')).status).toBe(503);
    });
    expect(await waivers(fee)).toHaveLength(1);
    expect((await answer(librarian, id, 'withdraw')).body.code).toBe('WaiverAnswered');
    expect(await seenBy(librarian, id)).toMatchObject({ state: 'approved' });
    expect(await waivers(fee)).toMatchObject([{ waivedBy: admin.pseudonym }]);
    expect(await waivers(fee)).toHaveLength(1);
  });

  it('is told at once to who may waive, and its end to who asked', async () => {
    const reader = await product.account();
    const [approver, asker, outsider] = await Promise.all(
      [admin, librarian, reader].map(({ token }) => openLive(product.url, token)),
    );
    const told: string[] = [];
    approver?.on('waivers', () => told.push('who may waive'));
    outsider?.on('waivers', () => told.push('a reader'));
    const answered = new Promise((resolve) => asker?.on('waiverAnswered', resolve));
    const fee = await owing();
    const id = await asked(librarian, fee, 3_000);
    await waitFor(() => told.length > 0);
    await answer(admin, id, 'approve');
    expect(await answered).toEqual({ borrowId: fee.borrowId, amount: 3_000, state: 'approved' });
    expect(told).not.toContain('a reader');
  });
});
