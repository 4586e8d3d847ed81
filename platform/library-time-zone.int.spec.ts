import { createTestDatabase } from '../test-support/database/database.js';
import { waitFor } from '../test-support/wait-for.js';
import { shared } from '../test-support/shared.js';
import { openDatabase } from './database/database.js';
import { Notifications } from './database/notifications.js';
import { LibraryTimeZone, announceTimeZone } from './library-time-zone.js';
import { createLogger } from './logging.js';

describe('the time zone of a library', () => {
  const lines: string[] = [];
  const logger = createLogger('warn', { write: (line) => void lines.push(line) });

  const testDatabase = shared(() => createTestDatabase('migrated'));
  const database = shared(() => openDatabase(testDatabase.url, 2, logger));
  const notifications = shared(() => new Notifications(testDatabase.url, logger));
  beforeAll(async () => {
    await notifications.start();
  });
  beforeEach(async () => {
    await database.query('delete from library_time_zone');
    lines.length = 0;
  });

  const opened = async (settings: { TIME_ZONE?: string; TZ?: string }) =>
    LibraryTimeZone.open(settings, database, notifications, logger);
  const told = async (settings: { TIME_ZONE?: string; TZ?: string }) => {
    lines.length = 0;
    await announceTimeZone(database, settings, logger);
    return lines.map((line) => JSON.parse(line) as { msg: string; timeZone: string });
  };

  it('is at first that of TZ, and stays where the library is moved, saying so', async () => {
    expect((await opened({ TZ: ':Asia/Kathmandu' })).name).toBe('Asia/Kathmandu');
    expect((await opened({ TZ: 'America/New_York' })).name).toBe('Asia/Kathmandu');
    expect(await told({ TZ: 'America/New_York' })).toMatchObject([
      { timeZone: 'Asia/Kathmandu', msg: expect.stringContaining('set TIME_ZONE to change it') },
    ]);
    expect(await told({ TZ: 'Asia/Kathmandu' })).toEqual([]);
  });

  it('is that of the machine where nothing is set', async () => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    expect((await opened({})).name).toBe(timeZone);
  });

  it('is changed by TIME_ZONE, for the processes that are running too', async () => {
    const running = await opened({ TZ: 'Europe/Warsaw' });
    expect(await told({ TIME_ZONE: 'Pacific/Apia', TZ: 'Europe/Warsaw' })).toMatchObject([
      { timeZone: 'Pacific/Apia', before: 'Europe/Warsaw' },
    ]);
    await waitFor(() => running.name === 'Pacific/Apia');
    expect((await opened({ TZ: 'Europe/Warsaw' })).name).toBe('Pacific/Apia');
    expect(await told({ TIME_ZONE: 'Pacific/Apia' })).toEqual([]);
  });

  it('cannot be guessed from rules in place of a name: the start is refused, naming the setting', async () => {
    await expect(opened({ TZ: 'CET-1CEST' })).rejects.toThrow(/^TIME_ZONE: .*$/);
    expect((await opened({ TZ: 'CET-1CEST', TIME_ZONE: 'Europe/Warsaw' })).name).toBe('Europe/Warsaw');
    // It is kept now.
    expect((await opened({ TZ: 'CET-1CEST' })).name).toBe('Europe/Warsaw');
    expect(await told({ TZ: 'CET-1CEST' })).toMatchObject([{ ofMachine: 'CET-1CEST' }]);
  });
});
