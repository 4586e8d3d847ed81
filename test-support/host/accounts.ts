import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { openDataSource } from '#platform/database/data-source.js';
import type { Database } from '#platform/database/database.js';
import { SigningKeys } from '#platform/signing-keys.js';
import { createAccount } from '../../server/accounts/registration/create-account.js';
import { beginSession, type ProvenAccount } from '../../server/accounts/sessions/begin-session.js';

/** Somebody who may sign in. */
export interface Account {
  id: string;
  /** What the log calls the person. */
  pseudonym: string;
}

/** An account, and a session of it. */
export interface SignedInAccount extends Account {
  email: string;
  /** The id of the session. */
  sid: string;
  token: string;
}

/** A hash whose password nobody knows. */
const NO_PASSWORD =
  '$argon2id$v=19$m=19456,t=2,p=1$XOtOi7AbuR9fiHd0gtz5Qg$V9U2WKk23xn2P2LN51cdPOgFEMKFTTUU5PZTwFnusfU';

const TEST_ORIGIN = { device: 'Jest on Node', network: 'this machine' };

/** Writes accounts and their sessions into a database, wherever the product on it runs. */
export class Accounts {
  private dataSource: Promise<DataSource> | undefined;

  /** @param secret that signs the tokens */
  constructor(
    readonly database: Database,
    private readonly secret: string,
  ) {}

  /** Writes the account of a confirmed person under a name of its own, and signs it in. */
  async add(roles: string[], now: Date): Promise<SignedInAccount> {
    const name = `reader-${randomBytes(5).toString('hex')}`;
    const { manager } = await this.entities();
    const account = await createAccount(
      manager,
      {
        username: name,
        email: `${name}@lectern.example`,
        passwordHash: NO_PASSWORD,
        firstname: 'Zofia',
        lastname: `Łęcka ${name.slice(-4)}`,
        dateOfBirth: '1990-01-31',
        gender: 'Female',
        country: 'Poland',
        city: 'Łódź',
        adress: 'ul. Piotrkowska 1',
        postalCode: '90-001',
        roles: roles.length === 0 ? ['Reader'] : roles,
        emailConfirmed: true,
      },
      now,
    );
    return this.signIn(account, now);
  }

  /**
   * Begins a session of eight hours. The server takes name and roles from the account itself.
   * @throws an Error if there is no such account
   */
  async signIn({ id, pseudonym }: Account, now: Date): Promise<SignedInAccount> {
    const { rows } = await this.database.query<ProvenAccount & { email: string }>(
      'select id, username, email, roles, session, password_hash as "passwordHash" from account where id = $1',
      [id],
    );
    const keys = new SigningKeys({ JWT_SECRET: this.secret });
    const [account] = rows;
    const begun = account && (await beginSession(this.database, keys, account, TEST_ORIGIN, now));
    if (!begun) throw new Error('There is no such account.');
    // As one who has just proved who they are: most tests are not about being asked again.
    await this.database.query('update session set confirmed_at = $2 where id = $1', [begun.sid, now]);
    return { id, pseudonym, email: account.email, sid: begun.sid, token: begun.token };
  }

  private entities(): Promise<DataSource> {
    const opening = (this.dataSource ??= openDataSource(this.database));
    // Where the database was away, the next account tries again.
    opening.catch(() => (this.dataSource = undefined));
    return opening;
  }
}
