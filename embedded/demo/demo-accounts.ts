import type { Clock } from '#platform/clock.js';
import { DomainError } from '#contracts/domain-error.js';
import { openDataSource } from '#platform/database/data-source.js';
import type { Database } from '#platform/database/database.js';
import { nameKey } from '#platform/database/entities/account-names.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { createAccount, type NewAccount } from '../../server/accounts/registration/create-account.js';
import { PUBLISHED_PASSWORDS, replacePassword } from '../../server/accounts/passwords/published-passwords.js';
import { hashPassword } from '../../server/accounts/passwords/passwords.js';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { storedSecret } from '../private-files.js';

/** Who can sign in to a demo. */
const DEMO_ACCOUNTS: Omit<NewAccount, 'passwordHash' | 'emailConfirmed'>[] = [
  {
    username: 'admin',
    roles: ['Reader', 'Admin'],
    email: 'helena.nowicka@lectern.example',
    firstname: 'Helena',
    lastname: 'Nowicka',
    dateOfBirth: '1979-03-14',
    gender: 'Female',
    country: 'Poland',
    city: 'Kraków',
    adress: 'ul. Karmelicka 27/4',
    postalCode: '31-131',
  },
  {
    username: 'auditor',
    roles: ['Reader', 'Auditor'],
    email: 'tomasz.zielinski@lectern.example',
    firstname: 'Tomasz',
    lastname: 'Zieliński',
    dateOfBirth: '1971-11-02',
    gender: 'Male',
    country: 'Poland',
    city: 'Warszawa',
    adress: 'ul. Chmielna 15/21',
    postalCode: '00-021',
  },
  {
    username: 'reader',
    roles: ['Reader'],
    email: 'julia.kaczmarek@lectern.example',
    firstname: 'Julia',
    lastname: 'Kaczmarek',
    dateOfBirth: '1998-06-23',
    gender: 'Female',
    country: 'Poland',
    city: 'Poznań',
    adress: 'ul. Święty Marcin 48/9',
    postalCode: '61-807',
  },
];

/**
 * Makes those demo accounts that are not there; one that is there is left as it is.
 * @param own the password of all of them; without it each gets the published one
 */
export async function seedDemoAccounts(database: Database, clock: Clock, own?: string): Promise<void> {
  const { manager } = await openDataSource(database);
  for (const account of DEMO_ACCOUNTS) {
    const password = own ?? PUBLISHED_PASSWORDS.get(account.username);
    if (password === undefined) throw new Error(`The demo has no password for ${account.username}.`);
    if (await manager.existsBy(AccountEntity, { nameKey: nameKey(account.username) })) continue;
    try {
      const passwordHash = await hashPassword(password);
      await createAccount(manager, { ...account, passwordHash, emailConfirmed: true }, clock.now());
    } catch (error) {
      // Somebody made it, or took its address, in the meantime.
      if (!(error instanceof DomainError)) throw error;
    }
  }
}

/** The password that all demo accounts of a data folder have where strangers come. */
export interface DemoPassword {
  password: string;
  file: string;
  /** Made by this start: then the person is told. Later ones only name the file. */
  isNew: boolean;
}

export function ownDemoPassword(dataDir: string): DemoPassword {
  const file = join(dataDir, 'demo-password');
  const isNew = !existsSync(file);
  return { file, isNew, password: storedSecret(file, () => randomBytes(15).toString('base64url')) };
}

/**
 * Gives the demo accounts the passwords that fit where the product is started: published ones on this machine alone,
 * else the folder's own. A password that a person chose stays.
 * @returns whose password was exchanged
 */
export async function replaceDemoPasswords(
  database: Database,
  { dataDir, isPublic }: { dataDir: string; isPublic: boolean },
): Promise<string[]> {
  // The usual start: there is no other password that they could have.
  if (!isPublic && !existsSync(join(dataDir, 'demo-password'))) return [];
  const { manager } = await openDataSource(database);
  const own = () => ownDemoPassword(dataDir).password;
  const exchanged: string[] = [];
  for (const [username, published] of PUBLISHED_PASSWORDS) {
    const [from, to] = isPublic ? [published, own] : [own(), () => published];
    if (await replacePassword(manager, username, from, to)) exchanged.push(username);
  }
  return exchanged;
}
