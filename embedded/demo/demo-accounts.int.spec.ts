import { SystemClock } from '#platform/clock.js';
import { openDatabase } from '#platform/database/database.js';
import { createLogger } from '#platform/logging.js';
import { passwordMatches } from '../../server/accounts/passwords/passwords.js';
import { PUBLISHED_PASSWORDS } from '../../server/accounts/passwords/published-passwords.js';
import { createTestDatabase } from '../../test-support/database/database.js';
import { shared } from '../../test-support/shared.js';
import { seedDemoAccounts } from './demo-accounts.js';

describe('the demo accounts', () => {
  const testDatabase = shared(() => createTestDatabase('migrated'));
  const database = shared(() => openDatabase(testDatabase.url, 4, createLogger('silent')));

  it('are made once, confirmed, with their roles and the published passwords', async () => {
    const clock = new SystemClock();
    await Promise.all([seedDemoAccounts(database, clock), seedDemoAccounts(database, clock)]);
    const { rows } = await database.query(
      'select id, username, roles, email_confirmed, password_hash from account order by username',
    );
    expect(rows.map(({ username, roles, email_confirmed }) => [username, roles, email_confirmed])).toEqual([
      ['admin', ['Reader', 'Admin'], true],
      ['auditor', ['Reader', 'Auditor'], true],
      ['reader', ['Reader'], true],
    ]);
    for (const [username, password] of PUBLISHED_PASSWORDS) {
      const row = rows.find((each) => each.username === username);
      expect(await passwordMatches(row.password_hash, password)).toBe(true);
    }
    await database.query('update account set city = $1', ['Gdańsk']);
    await seedDemoAccounts(database, clock);
    const { rows: again } = await database.query('select distinct city from account');
    expect(again).toEqual([{ city: 'Gdańsk' }]);
  });
});
