import { screen } from '@testing-library/react';
import { sees } from '../../../test-support/on-screen.js';
import { asAdmin, showPage } from '../../../test-support/screen.js';
import { answered, refused, type Answer } from '../../../test-support/server.js';
import { SearchesPage } from './searches-page.js';

const AT = '2026-11-20T10:00:00.000Z';
const shown = (answer: Answer) =>
  showPage(<SearchesPage />, '/admin/raports/searches', { 'GET SearchReport': answer });

describe('searches without a result', () => {
  asAdmin();

  it('are listed with how often, and each leads to a new book of that title', async () => {
    shown(
      answered({
        items: [{ text: 'zzyzx road', times: 12, corrected: 3, lastAt: AT }],
        totalCount: 1,
        once: 4,
      }),
    );
    const add = await screen.findByRole('link', { name: 'Add a book like this: zzyzx road' });
    expect(add.getAttribute('href')).toBe('/admin/books/save?title=zzyzx%20road');
    expect(screen.getByText('1 text, and 4 searched for only once')).toBeTruthy();
    expect(screen.getByText('12')).toBeTruthy();
  });

  it('may be none, and say so when they cannot be had', async () => {
    const { unmount } = shown(answered({ items: [], totalCount: 0, once: 0 }));
    await sees('No failed searches yet');
    unmount();
    shown(refused('ConcurrentChange', 'Not now.'));
    expect(await screen.findByRole('button', { name: 'Retry' })).toBeTruthy();
  });
});
