import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import pg from 'pg';
import { z } from 'zod';
import type { Role } from '#contracts/accounts/account-views.js';
import { openDataSource } from '#platform/database/data-source.js';
import { openDatabase } from '#platform/database/database.js';
import { createLogger } from '#platform/logging.js';
import { queryRows } from '#platform/database/query-rows.js';
import { createAccount } from '../server/accounts/create-account.js';
import type { ProductProcess } from './product-process.js';

/** Somebody with an account and a session. */
export interface Person {
  id: string;
  /** What the log calls the person. */
  pseudonym: string;
  username: string;
  token: string;
}

const SESSION_SECONDS = 8 * 3600;

/** Writes accounts past the registration, which would hash a password for each, and signs them in. */
export async function makePeople(product: ProductProcess, count: number, roles: Role[]): Promise<Person[]> {
  const source = await openDataSource(openDatabase(product.databaseUrl, 1, createLogger('warn')));
  try {
    const people: Person[] = [];
    for (let index = 0; index < count; index += 1) {
      const username = `bench-${randomUUID().slice(0, 13)}`;
      const { id, pseudonym } = await createAccount(
        source.manager,
        {
          username,
          email: `${username}@lectern.example`,
          passwordHash: 'no password opens this account',
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
      people.push({ id, pseudonym, username, token: await signedToken(product.secret, id, username, roles) });
    }
    return people;
  } finally {
    await source.destroy();
  }
}

function signedToken(secret: string, id: string, name: string, roles: Role[]): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ name, role: roles, session: 1 })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(id)
    .setIssuer('lectern')
    .setIssuedAt(now)
    .setExpirationTime(now + SESSION_SECONDS)
    .sign(new TextEncoder().encode(secret));
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
       insert into book (isbn, title, publisher_id, publication_date, copies_total, copies_available)
       select $1 || n, 'A book to measure with, volume ' || n, p.id, '2001-01-01', $3, $3
       from p, generate_series(1, $2) as n returning id`,
      [`bench-${randomUUID()}-`, count, copies],
    );
    return rows.map(({ id }) => id);
  } finally {
    await database.end();
  }
}
