import pg from 'pg';
import { CrashInstallation } from '../test-support/installation/crash-installation.js';
import { shared } from '../test-support/shared.js';
import { READ_MODEL } from '#platform/database/read-model.js';

describe('the command lines of the projections', () => {
  const installation = shared(() => CrashInstallation.createOpened({ LOG_LEVEL: 'warn' }));

  const change = async (statement: string) => {
    const client = new pg.Client({ connectionString: installation.addresses().databaseUrl });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };

  it('work beside a running product, find a difference, and mend the lists from the log', async () => {
    await installation.start();
    await change(`insert into ${READ_MODEL}.borrow_count (status, borrows) values ('Issued', 3)`);
    expect(await installation.command('verify')).toMatchObject({
      code: 1,
      output: expect.stringMatching(/borrows with status Issued: 3, the log says 0/),
    });
    expect(await installation.command('rebuild')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/Rebuilt from/),
    });
    expect(await installation.command('verify')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/no difference/),
    });

    await change(
      'update book set copies_available = copies_available - 1 where id = (select min(id) from book)',
    );
    expect(await installation.command('verify')).toMatchObject({
      code: 1,
      output: expect.stringMatching(/which does not add up/),
    });
    await change(
      'update book set copies_available = copies_available + 1 where id = (select min(id) from book)',
    );
    expect((await fetch(`${installation.url}/api/Book`)).status).toBe(200);
  });

  it('work on the addresses that are set', async () => {
    const { databaseUrl, eventStoreUrl } = installation.addresses();
    const addresses = { DATABASE_URL: databaseUrl, EVENTSTORE_URL: eventStoreUrl, DATA_DIR: '/nowhere' };
    expect((await installation.command('verify', [], addresses)).code).toBe(0);
    expect((await installation.command('rebuild', [], addresses)).code).toBe(0);
    const closed = { ...addresses, DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/none' };
    expect((await installation.command('verify', [], closed)).code).toBe(2);
  });

  it('start what they need where the product does not run, and leave nothing running', async () => {
    expect((await installation.stop()).code).toBe(0);
    expect((await installation.command('rebuild')).code).toBe(0);
    expect((await installation.command('verify')).code).toBe(0);
    expect(installation.processes()).toEqual([]);
  });
});
