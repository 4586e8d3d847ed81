import { z } from 'zod';
import { queryRow } from '#platform/database/query-rows.js';
import { hashPassword } from '../server/accounts/passwords/passwords.js';
import type { TestAccount, TestProduct } from '../test-support/product/product.js';

/** How somebody signs in, and where letters to them go. */
export interface Credentials {
  username: string;
  email: string;
  password: string;
}

/** The password of every account that got one by `givePassword`. */
export const PASSWORD = 'Sekret#2026';

/** Gives an account that a test made a password of its own. */
export async function givePassword(product: TestProduct, account: TestAccount): Promise<Credentials> {
  const found = await queryRow(
    product.database,
    z.object({ username: z.string(), email: z.string() }),
    'update account set password_hash = $2 where id = $1 returning username, email',
    [account.id, await hashPassword(PASSWORD)],
  );
  if (!found) throw new Error('There is no such account.');
  return { ...found, password: PASSWORD };
}

/** A reader who has books at home, and what was written down about them. */
export interface Borrower extends Credentials {
  account: TestAccount;
  borrowId: string;
  titles: string[];
  bookIds: number[];
}

/** Rents books to a new reader and hands them over. */
export async function lendTo(
  product: TestProduct,
  librarian: TestAccount,
  titles: string[],
): Promise<Borrower> {
  const account = await product.account();
  const bookIds: number[] = [];
  for (const title of titles) bookIds.push(await product.book(1, title));
  const { body } = await account.post('Borrow/rent-books', { bookIds });
  const { borrowId } = body as { borrowId: string };
  const issued = await librarian.post(`Borrow/issue-books?borrowId=${borrowId}&userId=${account.id}`, {
    bookIds,
  });
  if (issued.status !== 200) throw new Error(`The books were not issued: ${JSON.stringify(issued.body)}`);
  return { ...(await givePassword(product, account)), account, borrowId, titles, bookIds };
}
