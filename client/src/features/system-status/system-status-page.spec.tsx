import { act, screen, waitFor } from '@testing-library/react';
import { readHouse, type SystemStatusView, type PartView } from '#contracts/dashboard/system-status.js';
import { sees } from '../../../test-support/on-screen.js';
import { asAdmin, showPage } from '../../../test-support/screen.js';
import { answered, refused, type Answers } from '../../../test-support/server.js';
import { keyOf } from '../../lib/api/send.js';
import { SystemStatusPage } from './system-status-page.js';

const HOUSE = 'GET Dashboard/house';
const BACKUP = 'POST Dashboard/house/backup';
const SINCE = '2026-11-22T08:15:00.000Z';

const part = (name: PartView['part'], over: Partial<PartView> = {}): PartView => ({
  ...{ part: name, level: 'ok', reason: null, facts: {}, since: SINCE, incident: null },
  ...over,
});
const house = (over: Partial<SystemStatusView> = {}): SystemStatusView => ({
  level: 'ok',
  lookedAt: new Date().toISOString(),
  parts: [part('database'), part('eventStore'), part('mailServer')],
  waiting: {
    letters: { count: 3, oldest: SINCE },
    outbox: { count: 0, oldest: null },
    payments: null,
    queues: [{ name: 'mail', waiting: 2, active: 0, delayed: 1, failed: 4 }],
  },
  backups: {
    ...{ plan: 'scheduled', encrypted: true, keep: 7, nextDue: SINCE },
    ...{ running: null, lastGood: null, lastFailed: null },
  },
  disk: { free: 50e9, total: 200e9, database: 13e6, log: 82e3, events: 1200 },
  versions: {
    ...{ lectern: '0.1.0', node: '20.20.2', postgres: '18.4', eventStore: 'embedded' },
    ...{ readModel: 1, migrations: 2, lastMigration: '1.1.0' },
  },
  processes: [],
  ...over,
});

const shown = (answers: Answers = {}) =>
  showPage(<SystemStatusPage />, '/admin/house', { [HOUSE]: answered(house()), ...answers });
const again = (client: ReturnType<typeof shown>['client']) =>
  act(() => client.refetchQueries({ queryKey: keyOf(readHouse) }));

describe('the house', () => {
  asAdmin();

  it('says first that everything works, then each part, and what waits', async () => {
    shown();
    await sees('Everything works');
    expect(screen.getByText('All 3 parts are working', { exact: false })).toBeTruthy();
    expect(document.querySelectorAll('li[data-part]')).toHaveLength(3);
    expect(screen.getByText('Letters due').nextElementSibling?.textContent).toMatch(/^3the oldest/);
    expect(screen.getByText('Payments not settled').nextElementSibling?.textContent).toBe('not known');
    expect(screen.getByRole('link', { name: '4 given up' }).getAttribute('href')).toBe('/admin/jobs');
    expect(screen.getByText('1.1.0')).toBeTruthy();
  });

  it('names what needs somebody, the worst first, since when, and what to do', async () => {
    const incident = { since: SINCE, letter: 'waiting' as const };
    const parts = [
      part('jobs', { level: 'warning', reason: 'failed-jobs', facts: { failed: 1 } }),
      part('mailServer', { level: 'bad', reason: 'away', incident }),
      part('database'),
    ];
    shown({ [HOUSE]: answered(house({ level: 'bad', parts })) });
    await sees('2 things need attention');
    const [first, second] = document.querySelectorAll('section li[data-part]');
    expect(first?.getAttribute('data-part')).toBe('mailServer');
    expect(first?.textContent).toMatch(/since 2026-11-22 .*What to do: Check the mail server/);
    expect(first?.textContent).toContain('is waiting for the mail server');
    expect(second?.textContent).toContain('1 job was given up after all attempts.');
  });

  it('says that the database is away, and keeps what it knew', async () => {
    const { server, client } = shown();
    await sees('Everything works');
    server.answers[HOUSE] = refused('DatabaseUnavailable', 'The database is away.');
    await again(client);
    await sees('One thing needs attention');
    const database = document.querySelector('section li[data-part="database"]');
    expect(database?.textContent).toContain('does not answer');
    expect(document.querySelector('ul[data-stale] [data-part="eventStore"]')).toBeTruthy();
    server.answers[HOUSE] = answered(house());
    await again(client);
    await sees('Everything works');
  });

  it('says so too to who opens the page meanwhile', async () => {
    shown({ [HOUSE]: refused('DatabaseUnavailable', 'The database is away.') });
    await sees('One thing needs attention');
    expect(screen.queryByText('What waits')).toBeNull();
  });

  it('says that it cannot be loaded, and tries again', async () => {
    const { server, press } = shown({ [HOUSE]: null });
    const retry = await screen.findByRole('button', { name: 'Retry' });
    server.answers[HOUSE] = answered(house());
    await press('Retry');
    await sees('Everything works');
    expect(retry.isConnected).toBe(false);
  });

  it('asks for a backup, and shows how far it is', async () => {
    const { server, press, client } = shown({ [BACKUP]: answered({ asked: true }) });
    await press('Back up now');
    await waitFor(() => expect(server.asked(BACKUP)).toHaveLength(1));
    const running = {
      ...{ state: 'running' as const, at: SINCE, ended: null, step: 'restoring' as const, done: 14_500_000 },
      ...{ name: null, bytes: null, events: null, differences: null, failure: null },
    };
    server.answers[HOUSE] = answered(house({ backups: { ...house().backups, running } }));
    await again(client);
    await sees('Restoring the copy into a spare folder', '14.5 MB');
    expect(screen.queryByRole('button', { name: 'Back up now' })).toBeNull();
  });

  it('says why the last backup failed, and that none was begun', async () => {
    const lastFailed = {
      ...{ state: 'failed' as const, at: SINCE, ended: SINCE, step: null, done: 0, name: null, bytes: null },
      ...{ events: null, differences: null, failure: 'no-room' as const },
    };
    const { press } = shown({
      [HOUSE]: answered(house({ backups: { ...house().backups, lastFailed } })),
      [BACKUP]: refused('BackupsNotSet', 'BACKUP_FOLDER is not set.'),
    });
    await sees(/not enough room on the disk/);
    await press('Back up now');
    await sees(/No backup was started\. BACKUP_FOLDER is not set\./);
  });
});
