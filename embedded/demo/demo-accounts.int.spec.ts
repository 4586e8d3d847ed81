import { SystemClock } from '#platform/clock.js';
import { openDatabase, type Database } from '#platform/database/database.js';
import { createLogger } from '#platform/logging.js';
import { passwordMatches } from '../../server/accounts/passwords/passwords.js';
import { PUBLISHED_PASSWORDS } from '../../server/accounts/passwords/published-passwords.js';
import { createTestDatabase, type TestDatabase } from '../../test-support/database.js';
import { seedDemoAccounts } from './demo-accounts.js';

describe('the demo accounts', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    testDatabase = await createTestDatabase('migrated');
    database = openDatabase(testDatabase.url, 4, createLogger('silent'));
  });
  afterAll(async () => {
    await database.end();
    await testDatabase.drop();
  });

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
