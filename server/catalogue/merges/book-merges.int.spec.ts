import { copyCode } from '#contracts/catalogue/copy-code.js';
import { addNewBooks } from '../../../test-support/product/new-books.js';
import { refusal } from '../../../test-support/product/caller.js';
import { startProduct } from '../../../test-support/product/product.js';
import { waitFor } from '../../../test-support/wait-for.js';
import { atEnd, shared } from '../../../test-support/shared.js';
import { MARC_IMPORTS } from '../marc-import/marc-imports.js';
import { runMarcImport } from '../marc-import/run-marc.js';
import { stageMarc } from '../marc-import/stage-marc.js';
import { writeIso2709 } from '../marc/iso-2709.js';
import { dataField } from '../marc/marc-fields.js';

describe('a merge of books', () => {
  const product = shared(() => startProduct());
  const admin = shared(() => product.account('Admin', 'Auditor'));
  const reader = shared(() => product.account());

  const merge = (keep: number, ...others: number[]) => admin.post('Book/merge', { keep, merge: others });
  const undo = (id: string) => admin.post(`Merge/${id}/undo`);
  const book = async (id: number) => (await reader.get(`Book/${id}`)).body;
  const counts = async (id: number) =>
    (await product.rows('select copies_total, copies_available from book where id = $1', id))[0];
  const lend = async (id: number) => {
    const rented = (await reader.post('Borrow/rent-books', { bookIds: [id] })).body;
    const address = `borrowId=${rented.borrowId}&userId=${reader.id}`;
    expect((await admin.post(`Borrow/issue-books?${address}`, { bookIds: [id] })).status).toBe(200);
    return address;
  };
  /** @returns the call that undoes it */
  const giveBack = async (id: number, address: string) => {
    expect((await admin.post(`Borrow/return-books?${address}`, { bookIds: [id] })).status).toBe(200);
    const { items } = (await admin.get('Borrow?SortBy=All&pageSize=100')).body;
    const borrow = items.find((each: { id: string }) => address.includes(each.id));
    return () => admin.post(`Borrow/undo?${address}`, { revision: borrow.undo[0].revision });
  };
  const inOrder = async () => expect(await product.differences()).toEqual([]);
  atEnd(inOrder);

  it('takes over copies, lists and what is lacking, reads old numbers, and is undone as one', async () => {
    const [kept, gone] = [await product.book(2, 'Solaris'), await product.book(3, 'SOLARIS')];
    const undoReturn = await giveBack(gone, await lend(gone));
    await admin.put(`Copy/${copyCode({ bookId: gone, copy: 2 })}`, { shelfMark: 'LEM 4', note: null });
    await admin.post(`Copy/${copyCode({ bookId: gone, copy: 3 })}/withdraw`);
    await product.rows(`update copy set label = '3900417' where book_id = $1 and copy = 2`, gone);
    await product.rows(`insert into marc_record values ($1, 'b1', 'PL-Wa', 'marcxml', '\\x00ff')`, gone);
    const records = () => product.rows(`select book_id, control from marc_record where bytes = '\\x00ff'`);
    await product.rows(
      `update book set series = 'Planets', volume = '2', price = 1250, language = 'pl', isbn = '9788308049051',
         original_title = 'Солярис', other_titles = '{Solaris. A Novel}',
         photo_url = '/api/Book/' || id || '/cover?v=abc' where id = $1`,
      gone,
    );
    await product.rows(`update book set description = '' where id = $1`, kept);
    await product.rows('insert into book_reading (book_id, ratings) values ($1, 200000)', gone);
    await product.rows(`insert into book_cover values ($1, 'abc', '\\x00ff')`, gone);
    const { body: list } = await admin.post('ReadingList', {
      name: 'Planets',
      description: '',
      onHome: true,
    });
    await product.rows('insert into reading_list_book values ($1, $2, 7, now())', list.id, gone);
    const [keptBefore, goneBefore] = [await book(kept), await book(gone)];
    const listed = () =>
      product.rows('select book_id, place from reading_list_book where list_id = $1', list.id);

    const merged = await merge(kept, gone);
    expect(merged).toMatchObject({
      status: 200,
      body: { kind: 'book', kept: { id: kept, name: 'Solaris' }, merged: [{ id: gone, name: 'SOLARIS' }] },
    });
    expect(await book(gone)).toEqual(await book(kept));
    expect(await book(kept)).toMatchObject({
      ...{
        id: kept,
        title: 'Solaris',
        description: goneBefore.description,
        series: 'Planets',
        volume: '2',
        language: 'pl',
        originalTitle: 'Солярис',
        otherTitles: ['Solaris. A Novel'],
      },
      ...{ copiesTotal: 4, copiesAvailable: 4, price: 12.5, photo: { url: `/api/Book/${kept}/cover?v=abc` } },
    });
    const ratings = () =>
      product.rows('select ratings from book_reading where book_id in ($1, $2) order by book_id', kept, gone);
    expect(await ratings()).toEqual([{ ratings: 200_000 }]);
    expect((await admin.get(`Book/covers?ids=${gone}`)).body).toMatchObject([{ id: gone, title: 'Solaris' }]);
    expect(await listed()).toEqual([{ book_id: kept, place: 7 }]);
    // Its ISBN is still on the copies: it is searched for and scanned, and a file that names it adds no second book.
    const isbn = String(goneBefore.isbn);
    expect((await reader.get(`Book?SearchTerm=${isbn}`)).body.items).toMatchObject([{ id: kept }]);
    expect((await admin.post('Desk/scan', { scan: isbn })).body).toMatchObject({ book: { id: kept } });
    expect((await admin.get(`BookExternalFetch/fetch-from-external?isbn=${isbn}`)).body).toMatchObject({
      exists: true,
      id: kept,
    });
    await addNewBooks(product.database, [{ isbn, title: 'SOLARIS' }]);
    expect(await product.rows(`select id from book where isbn = $1 and title = 'SOLARIS'`, isbn)).toEqual([]);
    const marks = (await admin.get(`Book/${kept}/copies`)).body.items as { shelfMark: string | null }[];
    expect(marks.map(({ shelfMark }) => shelfMark)).toEqual([null, null, null, 'LEM 4']);
    // So is the label that a copy came with, and the record.
    const labelled = async () => (await admin.post('Desk/scan', { scan: '3900417' })).body.copy.code;
    expect(await labelled()).toBe(copyCode({ bookId: kept, copy: 4 }));
    expect(await records()).toEqual([{ book_id: kept, control: 'b1' }]);
    const old = copyCode({ bookId: gone, copy: 2 });
    expect(await admin.get(`Copy/${old}`)).toMatchObject(
      refusal(
        404,
        'CopyNotFound',
        `The copy ${old} is ${copyCode({ bookId: kept, copy: 4 })} since its book was merged. Use that code, and print a new label.`,
      ),
    );
    expect(await undoReturn()).toMatchObject(
      refusal(409, 'UndoBlocked', 'The copy of “SOLARIS” has since been used again. Nothing was undone.'),
    );
    // What was lent before is read as lent of the one that stays.
    await product.runJob('upkeep', 'count-loans', {});
    expect(await product.rows('select loans from book_reading where book_id = $1', kept)).toEqual([
      { loans: 1 },
    ]);
    const year = new Date().getUTCFullYear();
    const days = `from=${year}-01-01&to=${year}-12-31`;
    expect((await admin.get(`Insight/titles?${days}`)).body.items).toContainEqual(
      expect.objectContaining({ bookId: kept, title: 'Solaris', loans: 1 }),
    );
    expect((await admin.get(`Insight/events?${days}&what=Issued&bookId=${kept}`)).body.totalCount).toBe(1);
    await inOrder();
    await product.rebuild();
    await inOrder();

    expect((await undo(merged.body.id)).status).toBe(200);
    expect(await book(gone)).toEqual({ ...goneBefore, version: expect.any(Number) });
    expect(await book(kept)).toEqual({ ...keptBefore, version: expect.any(Number) });
    expect(await ratings()).toEqual([{ ratings: null }, { ratings: 200_000 }]);
    expect(await listed()).toEqual([{ book_id: gone, place: 7 }]);
    expect((await admin.get(`Copy/${old}`)).body).toMatchObject({ shelfMark: 'LEM 4', label: '3900417' });
    expect(await labelled()).toBe(old);
    expect(await records()).toEqual([{ book_id: gone, control: 'b1' }]);
    const found = (await reader.get('Book?SearchTerm=solaris&SortBy=Title')).body.items;
    expect(found.map(({ id }: { id: number }) => id).sort()).toEqual([kept, gone].sort());
    await giveBack(gone, await lend(gone));
    await inOrder();
    await product.rebuild();
  });

  it('keeps the record of each, so that one that comes again is of the book that stayed', async () => {
    const [own, other] = ['m-own', 'm-other'].map((control) => ({
      leader: '00000nam a2200000 i 4500',
      fields: [{ tag: '001', value: control }, dataField('245', '00', ['a', 'Katar /'])],
    }));
    async function* file() {
      yield Buffer.concat([own, other].flatMap((record) => (record ? [writeIso2709(record)] : [])));
    }
    const staged = () =>
      stageMarc(product.database, file(), {
        ...{ name: 'k.mrc', form: 'iso2709', wins: [], copies: 1, startedBy: null, now: new Date() },
      });
    const run = async (id: string) => {
      await MARC_IMPORTS.move(product.database, id, ['staged'], 'running');
      await runMarcImport(product.database, id);
      return (await MARC_IMPORTS.rowsOf(product.database, id, undefined, { offset: 0, limit: 9 })).items;
    };
    const [kept = 0, gone = 0] = (await run(await staged())).map(({ bookId }) => bookId ?? 0);
    expect((await merge(kept, gone)).status).toBe(200);
    expect(await run(await staged())).toMatchObject([
      { outcome: 'same', bookId: kept },
      { outcome: 'changed', bookId: kept },
    ]);
    expect(await product.rows('select control from marc_record where book_id = $1', kept)).toEqual([
      { control: 'm-own' },
    ]);
  });

  it('is refused while one that would go is lent or waited for, and goes the other way round', async () => {
    const [lent, quiet] = [await product.book(1, 'Fiasko'), await product.book(1, 'Fiasco')];
    const address = await lend(lent);
    const other = await product.account();
    expect((await other.post('Hold', { bookId: lent })).status).toBeLessThan(300);
    expect(await merge(quiet, lent)).toMatchObject(
      refusal(
        409,
        'InUse',
        `“Fiasko” (no. ${lent}) cannot be merged away right now: 1 copy is lent or kept for readers, and 1 reader waits for it. Nothing was merged. Keep this one instead, or merge later.`,
      ),
    );
    const merged = await merge(lent, quiet);
    expect(merged.status).toBe(200);
    // The copy that came with the other one is kept for the reader who waits: it cannot go back now.
    await waitFor(async () => (await counts(lent))?.copies_available === 0);
    expect(await undo(merged.body.id)).toMatchObject(
      refusal(
        409,
        'UndoBlocked',
        `The copy ${copyCode({ bookId: lent, copy: 2 })}, which came from “Fiasco”, is not on the shelf. Undo the merge when it is back.`,
      ),
    );
    await giveBack(lent, address);
  });

  it('names what is wrong, and is done once for a key', async () => {
    const [kept, gone] = [await product.book(1, 'Eden'), await product.book(2, 'Eden!')];
    expect((await merge(kept, kept)).body.errors).toHaveProperty('merge');
    expect(await merge(kept, 999_999)).toMatchObject(
      refusal(404, 'BookNotFound', 'The book 999999 is not in the catalogue. Nothing was merged.'),
    );
    await admin.post(`Copy/${copyCode({ bookId: gone, copy: 1 })}/lost`);
    expect((await merge(kept, gone)).body.detail).toContain('is marked lost. Nothing was merged.');
    await admin.post(`Copy/${copyCode({ bookId: gone, copy: 1 })}/found`);
    const headers = { 'Idempotency-Key': 'the-one-merge-of-books' };
    const answers = await Promise.all(
      [1, 2, 3].map(() => admin.post('Book/merge', { keep: kept, merge: [gone] }, headers)),
    );
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await counts(kept)).toEqual({ copies_total: 3, copies_available: 3 });
  });

  it('leads on through further merges, each undone by itself', async () => {
    const [a, b, c] = [await product.book(1, 'A'), await product.book(1, 'B'), await product.book(1, 'C')];
    const first = (await merge(b, a)).body;
    const second = (await merge(c, b)).body;
    expect((await book(a)).id).toBe(c);
    expect((await admin.get(`Copy/${copyCode({ bookId: a, copy: 1 })}`)).body.detail).toContain(
      copyCode({ bookId: c, copy: 3 }),
    );
    expect((await undo(first.id)).body.detail).toBe(
      'B was itself merged into C since. Undo that merge first.',
    );
    await undo(second.id);
    expect((await book(a)).id).toBe(b);
    await undo(first.id);
    expect((await book(a)).id).toBe(a);
  });

  it('lends no copy twice and loses none where readers rent in the same moment', async () => {
    const readers = await Promise.all([1, 2, 3, 4].map(() => product.account()));
    for (let round = 0; round < 3; round += 1) {
      const [kept, gone] = [await product.book(2, `Kept ${round}`), await product.book(2, `Gone ${round}`)];
      const [merged, ...rents] = await Promise.all([
        merge(kept, gone),
        ...readers.map((each, n) => each.post('Borrow/rent-books', { bookIds: [n % 2 === 0 ? kept : gone] })),
      ]);
      const ofKept = rents.filter((_, n) => n % 2 === 0).map(({ status }) => status);
      const ofGone = rents.filter((_, n) => n % 2 === 1).map(({ status }) => status);
      expect(ofKept).toEqual([200, 200]);
      const out = 2 + ofGone.filter((status) => status === 200).length;
      if (merged?.status === 200) {
        expect(ofGone).toEqual([404, 404]);
        expect(await counts(kept)).toEqual({ copies_total: 4, copies_available: 2 });
      } else {
        expect(merged).toMatchObject(refusal(409, 'InUse'));
        expect(out).toBeGreaterThan(2);
      }
      await inOrder();
    }
  });
});
