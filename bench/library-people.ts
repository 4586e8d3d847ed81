import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { z } from 'zod';
import type { Role } from '#contracts/permissions.js';
import { openDataSource } from '#platform/database/data-source.js';
import { SigningKeys } from '#platform/signing-keys.js';
import { openDatabase } from '#platform/database/database.js';
import { createLogger } from '#platform/logging.js';
import { queryRows } from '#platform/database/query-rows.js';
import { beginSession } from '../server/accounts/sessions/begin-session.js';
import { createAccount } from '../server/accounts/registration/create-account.js';
import type { ProductProcess } from './product-process.js';

/** Somebody with an account and a session. */
export interface Person {
  id: string;
  /** What the log calls the person. */
  pseudonym: string;
  username: string;
  token: string;
}

const NO_PASSWORD = 'no password opens this account';
const ORIGIN = { device: 'Benchmark', network: 'this machine' };

/** Writes accounts past the registration, which would hash a password for each, and signs them in. */
export async function makePeople(
  product: Pick<ProductProcess, 'databaseUrl' | 'secret'>,
  count: number,
  roles: Role[],
): Promise<Person[]> {
  const database = openDatabase(product.databaseUrl, 1, createLogger('warn'));
  const source = await openDataSource(database);
  const keys = new SigningKeys({ JWT_SECRET: product.secret });
  try {
    const people: Person[] = [];
    for (let index = 0; index < count; index += 1) {
      const username = `bench-${randomUUID().slice(0, 13)}`;
      const { id, pseudonym } = await createAccount(
        source.manager,
        {
          username,
          email: `${username}@lectern.example`,
          passwordHash: NO_PASSWORD,
          firstname: 'Zofia',
          lastname: `Nałkowska ${index}`,
          dateOfBirth: '1984-11-10',
          gender: 'Female',
          country: 'Poland',
          city: 'Warszawa',
          adress: 'ul. Koszykowa 26',
          postalCode: '00-553',
          roles,
          emailConfirmed: true,
        },
        new Date(),
      );
      const account = { id, username, roles, session: 1, passwordHash: NO_PASSWORD, language: null };
      const begun = await beginSession(database, keys, account, ORIGIN, new Date());
      if (!begun) throw new Error('The account that was just written is not there.');
      people.push({ id, pseudonym, username, token: begun.token });
    }
    return people;
  } finally {
    await source.destroy();
  }
}

/** Puts books on the shelf. @returns their ids */
export async function makeBooks(databaseUrl: string, count: number, copies: number): Promise<number[]> {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    const rows = await queryRows(
      database,
      z.object({ id: z.int() }),
      `with p as (insert into publisher (name) values ('Benchmark Press') on conflict (name) do update set name = excluded.name returning id)
       insert into book (isbn, title, publisher_id, published, copies_total, copies_available)
       select $1 || n, 'A book to measure with, volume ' || n, p.id, '2001-01-01', $3, $3
       from p, generate_series(1, $2) as n returning id`,
      [`bench-${randomUUID()}-`, count, copies],
    );
    return rows.map(({ id }) => id);
  } finally {
    await database.end();
  }
}
