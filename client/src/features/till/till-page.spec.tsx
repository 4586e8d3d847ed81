import { screen, waitFor } from '@testing-library/react';
import { sees, textsOf } from '../../../test-support/on-screen.js';
import { asAdmin, showPage } from '../../../test-support/screen.js';
import { answered, refused, type Answer } from '../../../test-support/server.js';
import { ID } from '../../../test-support/views.js';
import { TillPage } from './till-page.js';

const DAY = '2026-11-05';
const TILL = 'GET Payment/till';
const lines = [
  { byId: ID, by: 'Maria Lis', kind: 'fee', times: 3, amount: 1250 },
  { byId: ID, by: 'Maria Lis', kind: 'refund', times: 1, amount: -5000 },
  { byId: null, by: null, kind: 'fee', times: 1, amount: 50 },
];
const shown = (answer: Answer, path = '/admin/till') =>
  showPage(<TillPage />, `${path}?day=${DAY}`, { [TILL]: answer });

describe('the till', () => {
  asAdmin();

  it('says of a day who took or gave back what, how often, and what is in it, and can be printed', async () => {
    const { server, person, press } = shown(answered({ day: DAY, lines, sum: -3700 }));
    await sees('-37.00 PLN on 2026-11-05');
    const rows = textsOf(screen.getAllByRole('row'));
    expect(rows.slice(1)).toEqual([
      'Maria LisFees taken312.50 PLN',
      'Maria LisGiven back1-50.00 PLN',
      'An account that was removedFees taken10.50 PLN',
    ]);
    expect(server.asked(TILL).map(({ query }) => query)).toEqual([{ day: DAY }]);
    expect(screen.getByRole('button', { name: 'Save as CSV' })).toBeTruthy();
    await person.clear(screen.getByLabelText('Day'));
    await person.type(screen.getByLabelText('Day'), '20261104');
    await waitFor(() => expect(server.asked(TILL).at(-1)?.query).toEqual({ day: '2026-11-04' }));
    const print = window.print;
    let paper: string | null | undefined;
    window.print = () => (paper = document.querySelector('[data-printed]')?.textContent);
    await press('Print');
    await waitFor(() => expect(paper).toBeTruthy());
    window.print = print;
    expect(paper).toMatch(/Till of 2026-11-05In the till: -37\.00 PLN.*Maria LisFees taken312\.50 PLN/);
  });

  it('may be empty, and says so when it cannot be had; auditors are led back to the readers', async () => {
    const { unmount } = shown(answered({ day: DAY, lines: [], sum: 0 }));
    await sees('Nothing changed hands on this day');
    expect(screen.queryByRole('button', { name: 'Print' })).toBeNull();
    unmount();
    shown(refused('ConcurrentChange', 'Not now.'), '/audit/till');
    expect(await screen.findByRole('button', { name: 'Retry' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Back to the readers' })).toBeTruthy();
  });
});
