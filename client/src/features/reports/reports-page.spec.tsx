import { jest } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { later, problem, serverOf, show, userOf } from '../../../test-support/screen.js';
import { session } from '../../lib/session.js';
import { ReportsPage } from './reports-page.js';

const INVENTORY = 'GET Dashboard/bookRaport';
const STICKERS = 'GET Dashboard/generate-stickers';
const routes = [{ path: '/admin/raports', element: <ReportsPage /> }];
const shown = () => show(routes, '/admin/raports');

/** What the browser was given to save: the file, and its name. */
let saved: { file: unknown; name: string }[];

describe('the reports', () => {
  beforeEach(() => {
    saved = [];
    session.begin(userOf('Admin'));
    let file: unknown;
    URL.createObjectURL = jest.fn((given: unknown) => {
      file = given;
      return 'blob:report';
    });
    URL.revokeObjectURL = jest.fn<typeof URL.revokeObjectURL>();
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      if (this.href === 'blob:report') saved.push({ file, name: this.download });
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    act(() => session.end());
  });

  it.each([
    ['Download inventory raport of books', INVENTORY, 'BookRaport.pdf'],
    ['Download inventory stickers', STICKERS, 'InventoryStickers.pdf'],
  ])('%s saves the file', async (button, call, name) => {
    const answer = later();
    const server = serverOf({ [call]: answer.answer });
    const { person } = shown();
    expect(screen.getByRole('heading', { name: 'Raports' })).toBeTruthy();
    await person.click(screen.getByRole('button', { name: button }));
    expect(await screen.findByRole('progressbar', { name: 'Making the file' })).toBeTruthy();
    expect(screen.getByText(/^Making the file, \d+ s$/)).toBeTruthy();
    await person.click(screen.getByRole('button', { name: button }));
    const pdf = new Blob(['%PDF']);
    await act(async () => answer.come(200, pdf));
    expect(await screen.findByText(`Saved as ${name}.`)).toBeTruthy();
    expect(saved).toEqual([{ file: pdf, name }]);
    expect(server.calls).toHaveLength(1);
    expect(server.calls[0]?.headers.Authorization).toBe('Bearer the-token');
    expect(screen.queryByRole('progressbar')).toBeNull();
  });

  it('say in their place what failed, and try again', async () => {
    const server = serverOf({ [INVENTORY]: problem(500, 'Unexpected', 'The printer is on fire.') });
    const { person, address } = shown();
    await person.click(screen.getByRole('button', { name: /inventory raport/ }));
    expect(await screen.findByText(/The printer is on fire\./)).toBeTruthy();
    expect(address()).toBe('/admin/raports');
    server.answers[INVENTORY] = [200, new Blob(['%PDF'])];
    await person.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(saved.map(({ name }) => name)).toEqual(['BookRaport.pdf']));
    expect(screen.queryByText(/The printer is on fire\./)).toBeNull();
  });

  it('go on while one is elsewhere, and are seen to after coming back', async () => {
    const answer = later();
    serverOf({ [STICKERS]: answer.answer });
    const { person, router } = shown();
    await person.click(screen.getByRole('button', { name: /stickers/ }));
    await act(() => router.navigate('/admin/dashboard'));
    await act(() => router.navigate('/admin/raports'));
    expect(await screen.findByRole('progressbar', { name: 'Making the file' })).toBeTruthy();
    await act(async () => answer.come(200, new Blob(['%PDF'])));
    await waitFor(() => expect(saved.map(({ name }) => name)).toEqual(['InventoryStickers.pdf']));
  });
});
