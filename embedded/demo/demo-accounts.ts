import type { Clock } from '#platform/clock.js';
import { DomainError } from '#contracts/domain-error.js';
import { openDataSource } from '#platform/database/data-source.js';
import type { Database } from '#platform/database/database.js';
import { nameKey } from '#platform/database/entities/account-names.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { createAccount, type NewAccount } from '../../server/accounts/registration/create-account.js';
import { PUBLISHED_PASSWORDS } from '../../server/accounts/passwords/published-passwords.js';
import { hashPassword } from '../../server/accounts/passwords/passwords.js';

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
