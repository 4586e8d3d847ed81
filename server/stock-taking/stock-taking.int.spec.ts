import { randomUUID } from 'node:crypto';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import type { Paged } from '#contracts/paging.js';
import type {
  Finding,
  FindingKind,
  Resolution,
  ResolvedAnswer,
  ResolvingAction,
  ScanAnswer,
  StockTaking,
  StockTakingStanding,
} from '#contracts/stock-taking/stock-taking.js';
import { atDesk, doAtDesk, historyOf, rent, setLabel } from '../../test-support/product/borrow-steps.js';
import { invalid, keyed, refusal } from '../../test-support/product/caller.js';
import { waitFor } from '../../test-support/wait-for.js';
import { startProduct, type TestAccount } from '../../test-support/product/product.js';
import { atEnd, shared } from '../../test-support/shared.js';

describe('a stock-taking', () => {
  const product = shared(() => startProduct());
  const admin = shared(() => product.account('Admin'));
  const other = shared(() => product.account('Admin'));

  const code = (bookId: number, copy: number) => copyCode({ bookId, copy });
  const start = async (shelves: StockTaking['shelves'] = null) => {
    const answer = await admin.post('StockTaking', { name: 'Autumn', shelves });
    expect(answer.status).toBe(201);
    return (answer.body as StockTaking).id;
  };
  const scan = async (id: string, codes: string[], shelf: string | null = null, by = admin) =>
    (await by.post(`StockTaking/${id}/scans`, { codes, shelf })).body as ScanAnswer;
  const verdicts = async (id: string, codes: string[], shelf: string | null = null) =>
    (await scan(id, codes, shelf)).map(({ verdict }) => verdict);
  const standing = async (id: string) => (await admin.get(`StockTaking/${id}`)).body as StockTakingStanding;
  const findings = async (id: string, kind: FindingKind, page = 1, size = 50) => {
    const path = `StockTaking/${id}/findings?kind=${kind}&pageNumber=${page}&pageSize=${size}`;
    return (await admin.get(path)).body as Paged<Finding>;
  };
  const codesOf = async (id: string, kind: FindingKind) =>
    (await findings(id, kind, 1, 100)).items.map((finding) => finding.code);
  const resolve = async (
    id: string,
    kind: FindingKind,
    action: ResolvingAction,
    more: { codes?: string[]; batch?: string } = {},
    by = admin,
  ) =>
    (await by.post(`StockTaking/${id}/resolve`, { kind, action, batch: randomUUID(), ...more }))
      .body as ResolvedAnswer;
  const copy = async (id: string) => (await admin.get(`Copy/${id}`)).body;
  const mark = (id: string, shelfMark: string) => admin.put(`Copy/${id}`, { shelfMark });
  const issued = async (bookId: number, to?: TestAccount) => {
    const borrow = await rent(product, to ?? (await product.account()), [bookId]);
    expect((await doAtDesk(admin, 'issue-books', borrow)).status).toBe(200);
    return borrow;
  };
  const lost = async (to?: TestAccount) => {
    const bookId = await product.book(1, 'Eden');
    const borrow = await issued(bookId, to);
    expect((await admin.post(atDesk('mark-lost', borrow), { bookId, as: 'lost' })).status).toBe(200);
    return { ...borrow, code: code(bookId, 1) };
  };
  /** Nothing is on these shelves. */
  const onEmptyShelves = (name: string) => start({ from: name, until: name });
  const isRight = async () => expect(await product.differences()).toEqual([]);
  atEnd(isRight);

  it('of the whole house tells what is missing, found, unknown and seen, whoever scans it', async () => {
    const [lalka, quo] = [await product.book(3, 'Lalka'), await product.book(2, 'Quo vadis')];
    await admin.post(`Copy/${code(lalka, 3)}/lost`);
    await admin.post(`Copy/${code(quo, 2)}/withdraw`);
    // It came from elsewhere with a label of its own.
    await setLabel(product, lalka, '3900');
    const id = await start();
    expect(await standing(id)).toMatchObject({
      ...{ name: 'Autumn', shelves: null, state: 'open', expected: 3, seen: 0 },
      open: { missing: 3, found: 0, unknown: 0 },
    });
    const codes = [` ${code(quo, 1).replaceAll('-', ' - ')} `, code(quo, 9), '9788308049969', code(quo, 2)];
    const answers = await Promise.all([scan(id, ['3900', code(lalka, 3)]), scan(id, codes, null, other)]);
    expect(answers.flat().map(({ verdict }) => verdict)).toEqual([
      ...['in-place', 'found'],
      ...['in-place', 'unknown', 'unknown', 'found'],
    ]);
    expect(answers[0]?.[1]).toMatchObject({
      code: code(lalka, 3),
      title: 'Lalka',
      condition: 'lost',
      again: false,
    });
    expect(await standing(id)).toMatchObject({
      ...{ expected: 3, seen: 2, scanned: 6 },
      open: { missing: 1, found: 2, unknown: 2, misplaced: 0, unmarked: 0, lent: 0 },
    });
    expect(await codesOf(id, 'missing')).toEqual([code(lalka, 2)]);
    expect(await codesOf(id, 'found')).toEqual(expect.arrayContaining([code(lalka, 3), code(quo, 2)]));
    expect(await codesOf(id, 'unknown')).toEqual(expect.arrayContaining([code(quo, 9), '9788308049969']));

    // Everything is dealt with, and the catalogue is as the shelves are.
    await resolve(id, 'missing', 'lost');
    await resolve(id, 'found', 'bring-back', { codes: [code(lalka, 3)] });
    await resolve(id, 'found', 'leave');
    await resolve(id, 'unknown', 'leave');
    expect(await standing(id)).toMatchObject({
      ...{ expected: 3, seen: 3, resolved: 5 },
      open: { missing: 0, found: 0, unknown: 0 },
    });
    expect((await copy(code(lalka, 2))).state).toBe('lost');
    expect((await copy(code(lalka, 3))).state).toBe('on-shelf');
    expect((await copy(code(quo, 2))).state).toBe('withdrawn');
  });

  it('keeps each scan once, however often and by how many it is sent', async () => {
    const bookId = await product.book(40);
    const id = await start();
    const codes = Array.from({ length: 40 }, (_, n) => code(bookId, n + 1));
    const halves = [codes.slice(0, 25), codes.slice(15), codes.slice(0, 25)];
    await Promise.all(halves.map((half, n) => scan(id, half, null, n === 1 ? other : admin)));
    expect((await standing(id)).scanned).toBe(40);
    const [first, second] = await scan(id, [code(bookId, 1), code(bookId, 1)]);
    expect([first?.again, second?.again]).toEqual([true, true]);
    expect((await scan(id, ['x-1', 'x-1'])).map(({ again }) => again)).toEqual([false, true]);
    // The same request to begin one is the same stock-taking.
    const headers = keyed();
    const begun = await Promise.all(
      [1, 2].map(() => admin.post('StockTaking', { name: 'Once', shelves: null }, headers)),
    );
    expect(begun[0]?.body.id).toBe(begun[1]?.body.id);
  });

  it('that is paused takes nothing, and goes on where it was when it is taken up again', async () => {
    const bookId = await product.book(2);
    const id = await start();
    await scan(id, [code(bookId, 1)]);
    expect((await admin.put(`StockTaking/${id}`, { state: 'paused' })).body.state).toBe('paused');
    const refusal = { status: 409, body: { code: 'StockTakingClosed' } };
    expect(await other.post(`StockTaking/${id}/scans`, { codes: [code(bookId, 2)] })).toMatchObject(refusal);
    expect(
      await admin.post(`StockTaking/${id}/resolve`, { kind: 'missing', action: 'lost', batch: randomUUID() }),
    ).toMatchObject(refusal);
    expect((await standing(id)).scanned).toBe(1);
    await admin.put(`StockTaking/${id}`, { state: 'open' });
    expect(await verdicts(id, [code(bookId, 2)])).toEqual(['in-place']);
    await admin.put(`StockTaking/${id}`, { state: 'finished' });
    expect(await admin.post(`StockTaking/${id}/scans`, { codes: ['x'] })).toMatchObject(refusal);
    const { items, totalCount } = (await admin.get('StockTaking')).body as Paged<StockTaking>;
    expect(items.find((each) => each.id === id)).toMatchObject({ state: 'finished', scanned: 2 });
    expect(totalCount).toBe(items.length);
    expect((await admin.get(`StockTaking/${randomUUID()}`)).body.code).toBe('StockTakingNotFound');
  });

  it('that was finished long ago keeps its figures and what it found, and no scan', async () => {
    const bookId = await product.book(3, 'Pan Wołodyjowski');
    const finished = await start({ from: 'W 1', until: 'W 2' });
    for (const number of [1, 2, 3]) await mark(code(bookId, number), `W ${number}`);
    await scan(finished, [code(bookId, 1), code(bookId, 3), 'no label'], 'W 1');
    await resolve(finished, 'unknown', 'leave', { codes: ['no label'] });
    const recent = await start();
    await scan(recent, [code(bookId, 1)]);
    for (const id of [finished, recent]) await admin.put(`StockTaking/${id}`, { state: 'finished' });
    const before = await standing(finished);
    expect(before).toMatchObject({
      ...{ scanned: 3, scansKept: true, expected: 2, seen: 1, resolved: 1 },
      open: { missing: 1, misplaced: 1, unknown: 0 },
    });
    const [missing, misplaced] = [await findings(finished, 'missing'), await findings(finished, 'misplaced')];
    const close = () => product.runJob('upkeep', 'close-stock-takings', {});
    expect(await close()).toEqual({ closed: 0 });
    await product.database.query(
      `update stock_taking set state_at = state_at - interval '31 days' where id = $1`,
      [finished],
    );
    expect(await close()).toEqual({ closed: 1 });

    const scans = 'select stock_taking_id as id from stock_scan where stock_taking_id = any($1::uuid[])';
    expect((await product.database.query(scans, [[finished, recent]])).rows).toEqual([{ id: recent }]);
    expect(await standing(finished)).toEqual({ ...before, scansKept: false });
    expect(await findings(finished, 'missing')).toEqual(missing);
    // Who scanned it is not kept.
    const [first] = misplaced.items;
    expect(await findings(finished, 'misplaced')).toEqual({
      ...misplaced,
      items: [{ ...first, scan: { ...first?.scan, by: null } }],
    });
    expect((await findings(finished, 'unknown')).items).toEqual([]);
    const decided = (await admin.get(`StockTaking/${finished}/resolutions`)).body as Paged<Resolution>;
    expect(decided.items).toMatchObject([{ code: 'no label', kind: 'unknown', action: 'leave' }]);
    expect(await admin.put(`StockTaking/${finished}`, { state: 'open' })).toMatchObject(
      refusal(409, 'StockTakingClosed'),
    );
    expect((await admin.put(`StockTaking/${recent}`, { state: 'open' })).status).toBe(200);
    expect(await close()).toEqual({ closed: 0 });
  });

  it('of some shelves asks for what stands on them, numbers by their value, as one walks along', async () => {
    const bookId = await product.book(8);
    const marks = ['S 2', 'S 3 POL/12', 'S 3 POL/2', 'S 12', 'S 13 A', 'S 130', 'SA 3'];
    for (const [n, shelfMark] of marks.entries()) await mark(code(bookId, n + 1), shelfMark);
    const id = await start({ from: 'S 3', until: 'S 13' });
    expect((await findings(id, 'missing')).items.map(({ shelfMark }) => shelfMark)).toEqual([
      ...['S 3 POL/2', 'S 3 POL/12', 'S 12', 'S 13 A'],
    ]);
    expect(await standing(id)).toMatchObject({ expected: 4, seen: 0, open: { missing: 4 } });
    expect((await findings(id, 'missing', 2, 3)).items).toHaveLength(1);
    // Not said where: it is enough that it is of these shelves.
    expect(await verdicts(id, [code(bookId, 2), code(bookId, 1), code(bookId, 8)])).toEqual([
      ...['in-place', 'misplaced', 'unmarked'],
    ]);
    expect(await verdicts(id, [code(bookId, 3)], 's 3')).toEqual(['in-place']);
    expect(await verdicts(id, [code(bookId, 4), code(bookId, 6), code(bookId, 7)], 'S 13')).toEqual([
      ...['misplaced', 'misplaced', 'misplaced'],
    ]);
    // Taken to its shelf and scanned there.
    expect(await verdicts(id, [code(bookId, 4)], 'S 12')).toEqual(['in-place']);
    expect(await codesOf(id, 'misplaced')).toEqual([code(bookId, 1), code(bookId, 6), code(bookId, 7)]);
    expect(await codesOf(id, 'missing')).toEqual([code(bookId, 5)]);
  });

  it('gives copies the mark of the shelf where they stand, and takes that back', async () => {
    const bookId = await product.book(3);
    await mark(code(bookId, 1), 'M 1');
    const id = await start();
    const [first, second] = [code(bookId, 1), code(bookId, 2)];
    expect(await verdicts(id, [first, second], 'M 7')).toEqual(['misplaced', 'unmarked']);
    expect(await verdicts(id, [code(bookId, 3)])).toEqual(['in-place']);
    const batch = randomUUID();
    expect(await resolve(id, 'misplaced', 'move', { batch })).toEqual({ done: 1, refused: [], next: null });
    expect(await resolve(id, 'unmarked', 'move', { batch })).toMatchObject({ done: 1 });
    expect((await copy(second)).shelfMark).toBe('M 7');
    expect((await standing(id)).open).toMatchObject({ misplaced: 0, unmarked: 0 });
    const listed = (await admin.get(`StockTaking/${id}/resolutions`)).body as Paged<Resolution>;
    expect(listed.items.map((each) => `${each.code} ${each.action} ${each.kind}`).sort()).toEqual([
      ...[`${first} move misplaced`, `${second} move unmarked`],
    ]);
    expect((await admin.post(`StockTaking/${id}/undo`, { batch })).body).toMatchObject({
      done: 2,
      refused: [],
    });
    expect([(await copy(first)).shelfMark, (await copy(second)).shelfMark]).toEqual(['M 1', null]);
    expect((await standing(id)).open).toMatchObject({ misplaced: 1, unmarked: 1 });
    // Put back by hand: dealt with, until it is seen elsewhere once more.
    await resolve(id, 'misplaced', 'leave');
    expect((await standing(id)).open.misplaced).toBe(0);
    await scan(id, [code(bookId, 1)], 'M 9');
    expect((await standing(id)).open.misplaced).toBe(1);
  });

  it('takes back what was decided as long as nothing else has happened to the copy', async () => {
    const bookId = await product.book(4);
    await admin.post(`Copy/${code(bookId, 4)}/damaged`);
    for (const n of [1, 2, 3]) await mark(code(bookId, n), 'U 1');
    const id = await start({ from: 'U 1', until: 'U 1' });
    await scan(id, [code(bookId, 4)]);
    const batch = randomUUID();
    expect(await resolve(id, 'missing', 'lost', { batch })).toMatchObject({ done: 3 });
    await resolve(id, 'found', 'bring-back', { batch });
    await admin.post(`Copy/${code(bookId, 2)}/found`);
    const { body } = await admin.post(`StockTaking/${id}/undo`, { batch });
    expect(body).toMatchObject({
      done: 3,
      refused: [
        { code: code(bookId, 2), reason: expect.stringContaining('Something else has since happened') },
      ],
    });
    const states = await Promise.all([1, 2, 3, 4].map(async (n) => (await copy(code(bookId, n))).state));
    expect(states).toEqual(['on-shelf', 'on-shelf', 'on-shelf', 'damaged']);
    expect((await copy(code(bookId, 1))).history.map(({ type }: { type: string }) => type)).toEqual([
      ...['CopyMoved', 'CopyLost', 'CopyFound'],
    ]);
    expect((await standing(id)).open).toMatchObject({ missing: 3, found: 1 });
  });

  it('that found a reader’s lost book brings their charge back where that was a mistake, until they have the money', async () => {
    const { reader, borrowId, code: copyId } = await lost();
    const view = async () => (await historyOf(reader))[0];
    const before = await view();
    const id = await onEmptyShelves('F 1');
    await scan(id, [copyId]);
    const decide = () => resolve(id, 'found', 'bring-back', { codes: [copyId] });
    const undo = async () =>
      (await admin.post(`StockTaking/${id}/undo`, { codes: [copyId] })).body as ResolvedAnswer;
    expect(await decide()).toMatchObject({ done: 1, refused: [] });
    // Before or after the charge was taken back: it is the same.
    expect(await undo()).toMatchObject({ done: 1, refused: [] });
    expect(await view()).toMatchObject({
      books: before?.books,
      fineDue: 50,
      refundDue: 0,
      status: 'Not_Paid',
    });
    expect(await copy(copyId)).toMatchObject({
      state: 'lost',
      history: [{ type: 'CopyLost' }, { type: 'CopyFound' }, { type: 'CopyLost' }],
    });
    await isRight();

    const pay = (call: string) => admin.post(`Payment/${call}?borrowId=${borrowId}`, { amount: 5000 });
    expect((await pay('desk')).status).toBe(200);
    expect(await decide()).toMatchObject({ done: 1, refused: [] });
    await waitFor(async () => (await view())?.refundDue === 50);
    expect((await pay('refund')).status).toBe(200);
    expect(await undo()).toMatchObject({
      done: 0,
      refused: [{ reason: expect.stringContaining('Money has since been refunded to the reader') }],
    });
    expect(await view()).toMatchObject({ fineDue: 0, refundDue: 0, books: [{ state: 'returned' }] });
    expect(await copy(copyId)).toMatchObject({ state: 'on-shelf' });
  });

  it('leaves a librarian’s own lost book to be found by another one', async () => {
    const { code: copyId } = await lost(other);
    const id = await onEmptyShelves('G 1');
    await scan(id, [copyId]);
    const decide = (by: TestAccount) => resolve(id, 'found', 'bring-back', { codes: [copyId] }, by);
    expect(await decide(other)).toMatchObject({
      done: 0,
      refused: [{ reason: expect.stringContaining('please ask another librarian') }],
    });
    expect(await copy(copyId)).toMatchObject({ state: 'lost' });
    expect((await findings(id, 'found')).items).toHaveLength(1);
    expect(await decide(admin)).toMatchObject({ done: 1, refused: [] });
  });

  it('is decided on once where two librarians do so at the same moment', async () => {
    const bookId = await product.book(12);
    const codes = Array.from({ length: 12 }, (_, n) => code(bookId, n + 1));
    for (const each of codes) await mark(each, 'T 1');
    const id = await start({ from: 'T 1', until: 'T 1' });
    const answers = await Promise.all([
      resolve(id, 'missing', 'lost', { codes }),
      resolve(id, 'missing', 'lost', { codes }, other),
    ]);
    expect(answers.map(({ done }) => done).sort()).toEqual([0, 12]);
    expect(answers.flatMap(({ refused }) => refused)).toHaveLength(12);
    for (const each of codes) {
      const stored = await product.log.readStream('copies', each);
      expect(stored.map(({ event }) => event.type)).toEqual(['CopyMoved', 'CopyLost']);
    }
  });

  it('says of a copy that is here that a reader is said to have it, until they are rid of it', async () => {
    const bookId = await product.book(1);
    await mark(code(bookId, 1), 'L 1');
    const borrow = await issued(bookId);
    const id = await start({ from: 'L 1', until: 'L 1' });
    expect(await standing(id)).toMatchObject({ expected: 0, open: { missing: 0 } });
    expect(await verdicts(id, [code(bookId, 1)], 'L 1')).toEqual(['lent']);
    const { items } = await findings(id, 'lent');
    expect(items).toMatchObject([{ code: code(bookId, 1), borrow: { user: { id: borrow.reader.id } } }]);
    expect((await doAtDesk(admin, 'take-back-books', borrow)).status).toBe(200);
    expect((await standing(id)).open.lent).toBe(0);
    // Lent after it was seen here: as it should be.
    await issued(bookId);
    expect((await standing(id)).open.lent).toBe(0);
  });

  it('takes a copy that is only presumed to be lent for another one of its title that nobody sees', async () => {
    const bookId = await product.book(3);
    await issued(bookId);
    const id = await start();
    // Lent by its title: copy 1 is presumed, and stands here. So a reader has 2 or 3.
    expect(await verdicts(id, [code(bookId, 1)])).toEqual(['in-place']);
    expect(await codesOf(id, 'missing')).not.toContain(code(bookId, 2));
    expect(await codesOf(id, 'missing')).toContain(code(bookId, 3));
    expect(await verdicts(id, [code(bookId, 2)])).toEqual(['in-place']);
    expect(await codesOf(id, 'missing')).not.toContain(code(bookId, 3));
    // All three are here: then the reader has none.
    await scan(id, [code(bookId, 3)]);
    expect(await codesOf(id, 'lent')).toEqual([code(bookId, 1)]);
  });

  it('misses nothing that came back over the desk since it began, nor what waits for its reader', async () => {
    const [bookId, rented] = [await product.book(1), await product.book(1)];
    const borrow = await issued(bookId);
    await rent(product, await product.account(), [rented]);
    const id = await start();
    await doAtDesk(admin, 'take-back-books', borrow);
    const missing = await codesOf(id, 'missing');
    expect(missing).not.toContain(code(bookId, 1));
    expect(missing).not.toContain(code(rented, 1));
  });

  it('refuses what makes no sense, and says why', async () => {
    const bookId = await product.book(1);
    const id = await start();
    const codes = Array.from({ length: 501 }, (_, n) => String(n));
    for (const [path, body, errors] of [
      ['', { name: ' ', shelves: null }, 'name'],
      ['', { name: 'A', shelves: { from: '!', until: 'B' } }, 'shelves.from'],
      [`/${id}/scans`, { codes }, { codes: ['At most 500 codes in one call.'] }],
      [`/${id}/resolve`, { kind: 'lent', action: 'lost', batch: randomUUID() }, 'action'],
    ] as const)
      expect(await admin.post(`StockTaking${path}`, body)).toMatchObject(invalid(errors));
    // What is not among the findings, or no longer, is not touched.
    await scan(id, [code(bookId, 1)]);
    expect(await resolve(id, 'missing', 'lost', { codes: [code(bookId, 1)] })).toMatchObject({
      done: 0,
      refused: [{ code: code(bookId, 1), reason: expect.stringContaining('has been dealt with') }],
    });
    expect((await copy(code(bookId, 1))).state).toBe('on-shelf');
  });
});
