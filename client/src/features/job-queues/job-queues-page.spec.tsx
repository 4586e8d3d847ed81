import { jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { readQueues, type QueuesView } from '#contracts/dashboard/queues.js';
import { sees } from '../../../test-support/on-screen.js';
import { show, userOf } from '../../../test-support/screen.js';
import { type Answers, problem, serverOf } from '../../../test-support/server.js';
import { keyOf } from '../../lib/api/send.js';
import { session } from '../../lib/session.js';
import { JobQueuesPage } from './job-queues-page.js';

const QUEUES = 'GET Dashboard/queues';
const PASS = 'POST Dashboard/queues-pass';

const queue = (name: string, over: Partial<QueuesView[number]> = {}): QueuesView[number] => ({
  name,
  outbox: 0,
  waiting: 0,
  active: 0,
  delayed: 0,
  failed: 0,
  completed: 0,
  paused: false,
  needsMailServer: false,
  ...over,
});
const counts = [
  200,
  [queue('mail', { waiting: 3, completed: 120 }), queue('letters', { failed: 2 })],
] as const;
const pass = [200, { url: '/admin/queues', expiresAt: '2026-11-21T12:00:00Z' }] as const;

const shown = (answers: Answers = {}) => {
  const server = serverOf({ [QUEUES]: counts, [PASS]: pass, ...answers });
  return { server, ...show([{ path: '/admin/jobs', element: <JobQueuesPage /> }], '/admin/jobs') };
};
const row = (name: string) =>
  waitFor(() => {
    const found = document.querySelector<HTMLElement>(`[data-queue="${name}"]`);
    if (!found) throw new Error(`There is no row of ${name}.`);
    return found;
  });
const count = async (name: string, title: string) =>
  (await row(name)).querySelector(`[data-count="${title}"]`);

/** A tab as the browser gives it to who opened it. */
const newTab = () => ({ opener: window as unknown, location: { replace: jest.fn() }, close: jest.fn() });

describe('the queues', () => {
  beforeEach(() => session.begin(userOf('Admin')));
  afterEach(() => {
    jest.restoreAllMocks();
    act(() => session.end());
  });

  it('are counted, and what was given up stands out', async () => {
    shown();
    expect((await count('mail', 'waiting'))?.textContent).toBe('3');
    expect((await count('mail', 'completed'))?.textContent).toBe('120');
    expect((await count('mail', 'failed'))?.hasAttribute('data-alarm')).toBe(false);
    const failed = await count('letters', 'failed');
    expect(failed?.textContent).toBe('2');
    expect(failed?.hasAttribute('data-alarm')).toBe(true);
  });

  it('say that one is held', async () => {
    shown({ [QUEUES]: [200, [queue('mail', { paused: true }), queue('letters')]] });
    expect(within(await row('mail')).getByText('Paused')).toBeTruthy();
    expect(within(await row('letters')).queryByText('Paused')).toBeNull();
  });

  it('say why letters wait where there is no mail server', async () => {
    const { server, client } = shown();
    await row('mail');
    expect(screen.queryByText(/no mail server/)).toBeNull();
    server.answers[QUEUES] = [200, [queue('mail', { waiting: 3, needsMailServer: true }), queue('upkeep')]];
    await act(() => client.refetchQueries({ queryKey: keyOf(readQueues) }));
    await sees(/Letters are waiting.* no mail server.* SMTP_URL/);
  });

  it('are counted anew every ten seconds', async () => {
    const { client } = shown();
    await count('mail', 'waiting');
    const [observer] = client.getQueryCache().find({ queryKey: keyOf(readQueues) })?.observers ?? [];
    expect(observer?.options.refetchInterval).toBe(10_000);
  });

  it('say in their place that they are out of reach, and try again', async () => {
    const { server, press } = shown({ [QUEUES]: problem(503, 'DatabaseUnavailable', 'Out of reach.') });
    await sees('Out of reach.');
    server.answers[QUEUES] = counts;
    await press('Retry');
    expect((await count('mail', 'waiting'))?.textContent).toBe('3');
  });

  it('keep the last counts where new ones fail, and say so', async () => {
    const { server, client } = shown();
    await count('mail', 'waiting');
    server.answers[QUEUES] = problem(503, 'DatabaseUnavailable', 'Out of reach.');
    await act(() => client.refetchQueries({ queryKey: keyOf(readQueues) }));
    await sees(/could not be refreshed\. Out of reach\./);
    expect((await count('mail', 'waiting'))?.textContent).toBe('3');
  });

  it('open in a tab of their own, with a pass', async () => {
    const tab = newTab();
    const open = jest.spyOn(window, 'open').mockReturnValue(tab as unknown as Window);
    const { server, press } = shown();
    await press('Open the queues');
    await waitFor(() => expect(tab.location.replace).toHaveBeenCalledWith('/admin/queues'));
    expect(open).toHaveBeenCalledWith('', '_blank');
    expect(tab.opener).toBeNull();
    expect(server.asked(PASS)).toHaveLength(1);
  });

  it('are linked where the browser opens no tab', async () => {
    jest.spyOn(window, 'open').mockReturnValue(null);
    const { press } = shown();
    await press('Open the queues');
    const link = await screen.findByRole('link', { name: 'Open it in this tab' });
    expect(link.getAttribute('href')).toBe('/admin/queues');
  });

  it('leave no empty tab where no pass is given, and say why', async () => {
    const tab = newTab();
    jest.spyOn(window, 'open').mockReturnValue(tab as unknown as Window);
    const { press, address } = shown({ [PASS]: problem(403, 'NotAllowed', 'You are no admin.') });
    await press('Open the queues');
    await sees('The queues could not be opened. You are no admin.');
    expect(tab.close).toHaveBeenCalled();
    expect(tab.location.replace).not.toHaveBeenCalled();
    expect(address()).toBe('/admin/jobs');
  });
});
