import { jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { readQueues, type QueuesView } from '#contracts/dashboard/queues.js';
import { sees } from '../../../test-support/on-screen.js';
import { asAdmin, showPage } from '../../../test-support/screen.js';
import { answered, refused, type Answers } from '../../../test-support/server.js';
import { keyOf } from '../../lib/api/send.js';
import { JobQueuesPage } from './job-queues-page.js';

const QUEUES = 'GET Dashboard/queues';
const PASS = 'POST Dashboard/queues-pass';

const queue = (name: string, over: Partial<QueuesView[number]> = {}): QueuesView[number] => ({
  ...{ name, outbox: 0, waiting: 0, active: 0, delayed: 0, failed: 0, completed: 0 },
  ...{ paused: false, needsMailServer: false },
  ...over,
});
const mail = queue('mail', { waiting: 3, completed: 120 });
const counts = answered([mail, queue('letters', { failed: 2, paused: true })]);
const outOfReach = refused('DatabaseUnavailable', 'Out of reach.');

const shown = (answers: Answers = {}) =>
  showPage(<JobQueuesPage />, '/admin/jobs', {
    [QUEUES]: counts,
    [PASS]: answered({ url: '/admin/queues', expiresAt: '2026-11-21T12:00:00Z' }),
    ...answers,
  });
const refetched = ({ client }: ReturnType<typeof shown>) =>
  act(() => client.refetchQueries({ queryKey: keyOf(readQueues) }));
const row = (name: string) =>
  waitFor(() => {
    const found = document.querySelector<HTMLElement>(`[data-queue="${name}"]`);
    if (!found) throw new Error(`There is no row of ${name}.`);
    return found;
  });
const count = async (name: string, title: string) =>
  (await row(name)).querySelector(`[data-count="${title}"]`);

describe('the queues', () => {
  asAdmin();
  afterEach(() => jest.restoreAllMocks());

  it('are counted; what was given up stands out, and that one is held', async () => {
    shown();
    expect((await count('mail', 'waiting'))?.textContent).toBe('3');
    expect((await count('mail', 'completed'))?.textContent).toBe('120');
    expect((await count('mail', 'failed'))?.hasAttribute('data-alarm')).toBe(false);
    const failed = await count('letters', 'failed');
    expect(failed?.textContent).toBe('2');
    expect(failed?.hasAttribute('data-alarm')).toBe(true);
    expect(within(await row('letters')).getByText('Paused')).toBeTruthy();
    expect(within(await row('mail')).queryByText('Paused')).toBeNull();
  });

  it('say why letters wait where there is no mail server', async () => {
    const page = shown();
    await row('mail');
    expect(screen.queryByText(/no mail server/)).toBeNull();
    page.server.answers[QUEUES] = answered([{ ...mail, needsMailServer: true }, queue('upkeep')]);
    await refetched(page);
    await sees(/Letters are waiting.* no mail server.* SMTP_URL/);
  });

  it('are counted anew every ten seconds', async () => {
    const { client } = shown();
    await count('mail', 'waiting');
    const [observer] = client.getQueryCache().find({ queryKey: keyOf(readQueues) })?.observers ?? [];
    expect(observer?.options.refetchInterval).toBe(10_000);
  });

  it('say in their place that they are out of reach, and try again', async () => {
    const { server, press } = shown({ [QUEUES]: outOfReach });
    await sees('Out of reach.');
    server.answers[QUEUES] = counts;
    await press('Retry');
    expect((await count('mail', 'waiting'))?.textContent).toBe('3');
  });

  it('keep the last counts where new ones fail, and say so', async () => {
    const page = shown();
    await count('mail', 'waiting');
    page.server.answers[QUEUES] = outOfReach;
    await refetched(page);
    await sees(/could not be refreshed\. Out of reach\./);
    expect((await count('mail', 'waiting'))?.textContent).toBe('3');
  });

  it('are linked where the browser opens no tab', async () => {
    jest.spyOn(window, 'open').mockReturnValue(null);
    const { press } = shown();
    await press('Open the queues');
    const link = await screen.findByRole('link', { name: 'Open it in this tab' });
    expect(link.getAttribute('href')).toBe('/admin/queues');
  });

  it('leave no empty tab where no pass is given, and say why', async () => {
    const tab = { opener: window as unknown, location: { replace: jest.fn() }, close: jest.fn() };
    jest.spyOn(window, 'open').mockReturnValue(tab as unknown as Window);
    const { press, address } = shown({ [PASS]: refused('NotAllowed', 'You are no admin.') });
    await press('Open the queues');
    await sees('The queues could not be opened. You are no admin.');
    expect(tab.close).toHaveBeenCalled();
    expect(tab.location.replace).not.toHaveBeenCalled();
    expect(address()).toBe('/admin/jobs');
  });
});
