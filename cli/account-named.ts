import type { Queryable } from '#platform/database/database.js';

export interface NamedAccount {
  id: string;
  username: string;
  email: string;
  /** Whether its e-mail address is confirmed: before that nobody signs in with it. */
  isConfirmed: boolean;
}

/**
 * The account of a user name, or of an e-mail address where nobody has it as a name.
 * @throws an Error with a sentence for the person at the terminal
 */
export async function accountNamed(database: Queryable, name: string): Promise<NamedAccount> {
  const { rows } = await database.query<NamedAccount>(
    `select id, username, email, email_confirmed as "isConfirmed" from account
     where lower(username) = lower($1) or lower(email) = lower($1)
     order by lower(username) = lower($1) desc limit 1`,
    [name],
  );
  const [account] = rows;
  if (!account) throw new Error(`There is no account with the name ${name}.`);
  return account;
}
