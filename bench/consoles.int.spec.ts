import { setTimeout as sleep } from 'node:timers/promises';
import { startProduct, type TestAccount } from '../test-support/product/product.js';
import { waitFor } from '../test-support/wait-for.js';
import { atEnd, shared } from '../test-support/shared.js';
import { Console, type Rows } from './console.js';
import { READ_MODEL } from '#platform/database/read-model.js';

const CUTS = 100;
const BORROWS_OF_A_READER = 6;

describe('consoles whose connections are cut while borrows move', () => {
  const consoles: Console[] = [];
  const product = shared(() => startProduct());
  atEnd(() => {
    for (const each of consoles) each.close();
  });

  async function rows(): Promise<Rows> {
    const borrows = await product.database.query(
      `select borrow_id::text as id, reader_id::text as reader, position::text as position, status from ${READ_MODEL}.borrow`,
    );
    const copies = await product.database.query('select id, copies_available as available from book');
    return { borrows: borrows.rows, copies: copies.rows.map(({ id, available }) => [id, available]) };
  }

  it('show what the rows say when all is over, after a hundred cuts', async () => {
    const admin = await product.account('Reader', 'Admin');
    const readers = await Promise.all([1, 2, 3, 4].map(() => product.account()));
    const books = await Promise.all([1, 2, 3].map(() => product.book(20)));
    const plans = [admin, admin, admin, ...readers, ...readers].map(({ token, pseudonym }, at) =>
      at < 3 ? { token } : { token, pseudonym },
    );
    for (const plan of plans) consoles.push(new Console(product.url, plan, undefined, 20));
    await Promise.all(consoles.map(({ hello }) => hello));

    const borrow = async (reader: TestAccount, bookId: number | undefined) => {
      const { body } = await reader.post('Borrow/rent-books', { bookIds: [bookId] });
      for (const what of ['issue-books', 'return-books']) {
        const path = `Borrow/${what}?borrowId=${body.borrowId}&userId=${reader.id}`;
        expect((await admin.post(path, { bookIds: [bookId] })).status).toBe(200);
      }
    };
    let isOver = false;
    const traffic = Promise.all(
      readers.map(async (reader) => {
        for (let at = 0; at < BORROWS_OF_A_READER; at += 1) await borrow(reader, books[at % books.length]);
      }),
    ).finally(() => (isOver = true));
    const cutting = (async () => {
      for (let cut = 0; cut < CUTS; cut += 1) {
        consoles[cut % consoles.length]?.cut();
        await sleep(isOver ? 0 : 15);
      }
    })();
    await Promise.all([traffic, cutting]);

    await waitFor(async () => {
      const last = await rows();
      const isAll = last.borrows.length === readers.length * BORROWS_OF_A_READER;
      return isAll && consoles.every((each) => each.agrees(last));
    });
    expect(consoles.reduce((sum, { returns }) => sum + returns, 0)).toBeGreaterThan(consoles.length);
  });
});
