import * as m from '#words/messages.js';
import { z } from 'zod';
import type { Queryable } from './database.js';
import { queryRow, queryRows } from './query-rows.js';

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

const deviceRow = z.object({ id: z.string(), name: z.string() });

/** The names of those whom the log names by ids which are devices, by which readers help themselves. */
export async function deviceNames(database: Queryable, ids: readonly string[]): Promise<Map<string, string>> {
  const text = 'select id, name from device where id = any($1::uuid[])';
  const rows = await queryRows(database, deviceRow, text, [ids]);
  return new Map(rows.map(({ id, name }) => [id, m.self_service_by({ name })]));
}
