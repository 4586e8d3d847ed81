import { z } from 'zod';
import type { Queryable } from './database.js';
import { queryRow } from './query-rows.js';

/** Somebody with an account, or the one whom the log still knows where the account is gone. */
export interface Person {
  /** Of the account; where that is gone, what the log calls the person. */
  id: string;
  /** What the log, and all that is made of it, calls the person. */
  pseudonym: string;
  /** null where there is no account. */
  fullname: string | null;
}

const personRow = z.object({ id: z.string(), pseudonym: z.string(), fullname: z.string() });

/** The person whom the log calls so. */
export async function personByPseudonym(database: Queryable, pseudonym: string): Promise<Person> {
  const text = 'select id, pseudonym, fullname from account where pseudonym = $1';
  return (
    (await queryRow(database, personRow, text, [pseudonym])) ?? { id: pseudonym, pseudonym, fullname: null }
  );
}
