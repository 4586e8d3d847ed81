import { startEventStore } from '../embedded/event-store/event-store-server.js';
import { CrashInstallation } from '../test-support/installation/crash-installation.js';
import { createTestDatabase } from '../test-support/database/database.js';
import { shared } from '../test-support/shared.js';
import { apiCaller, type ApiCaller } from './api-caller.js';
import { PASSWORDS } from './people.js';

describe('an installation with borrows, started on an event store that is empty', () => {
  const installation = shared(() => CrashInstallation.createOpened({ LOG_LEVEL: 'fatal' }));
  const database = shared(() => createTestDatabase());
  const store = shared(() => startEventStore({ databaseUrl: database.url }));

  const borrows = async (librarian: ApiCaller) =>
    (await librarian.get<{ totalCount: number }>('Borrow?pageNumber=1&pageSize=5')).totalCount;

  it('does not open, and says in one line why and what helps; with its own log it goes on', async () => {
    await installation.start();
    const reader = await apiCaller(installation.url, 'reader', PASSWORDS.reader);
    const { items } = await reader.get<{ items: { id: number }[] }>('Book?pageNumber=1&pageSize=5');
    await reader.rent([items[0]?.id ?? 0]);
    expect((await installation.stop()).code).toBe(0);

    const elsewhere = { EVENTSTORE_URL: store.connectionString };
    const refused = await installation.launch(elsewhere).ended;
    expect(refused.code).toBe(1);
    const told = refused.output.split('\n').filter((line) => line.trim() !== '');
    expect(told).toEqual([
      'Lectern did not start.',
      expect.stringMatching(/^This is another event log: .*EVENTSTORE_URL.*npm run rebuild -- --adopt-log$/),
    ]);
    const verified = await installation.command('verify', [], elsewhere);
    expect(verified).toMatchObject({
      code: 2,
      output: expect.stringMatching(/^This is another event log: .*\n$/),
    });

    await installation.start();
    const librarian = await apiCaller(installation.url, 'admin', PASSWORDS.admin);
    expect(await borrows(librarian)).toBe(1);
    expect((await installation.stop()).code).toBe(0);
  });

  it('opens on it where it is adopted, with the lists that it says', async () => {
    const elsewhere = { EVENTSTORE_URL: store.connectionString };
    const adopted = await installation.command('rebuild', ['--adopt-log'], elsewhere);
    expect(adopted).toMatchObject({ code: 0, output: expect.stringMatching(/Rebuilt from 0 events/) });
    await installation.launch(elsewhere).open;
    const librarian = await apiCaller(installation.url, 'admin', PASSWORDS.admin);
    expect(await borrows(librarian)).toBe(0);
    const reader = await apiCaller(installation.url, 'reader', PASSWORDS.reader);
    const { items } = await reader.get<{ items: { id: number }[] }>('Book?pageNumber=1&pageSize=5');
    await reader.rent([items[0]?.id ?? 0]);
    expect(await borrows(librarian)).toBe(1);
    expect(await installation.command('verify', [], elsewhere)).toMatchObject({ code: 0 });
    // The log that it had before is now another one.
    expect((await installation.stop()).code).toBe(0);
    expect((await installation.launch().ended).output).toMatch(/This is another event log/);
  });
});
