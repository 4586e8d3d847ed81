import { screen, waitFor } from '@testing-library/react';
import { NO_FACTS, type LibraryView } from '#contracts/library/library-facts.js';
import { openQuestion, sees, textsOf } from '../../../test-support/on-screen.js';
import { asAdmin, show } from '../../../test-support/screen.js';
import { problem, serverOf } from '../../../test-support/server.js';
import { LibraryPage } from './library-page.js';

const FREE = { name: null, contact: null, timeZone: false, currency: false };
const view = (facts: Partial<LibraryView> = {}): LibraryView => ({
  ...NO_FACTS,
  version: 3,
  fixed: FREE,
  ...facts,
});
const CHANGES = {
  items: [
    {
      version: 3,
      at: '2026-03-02T09:00:00.000Z',
      by: 'Anna Nowak',
      changes: [
        { fact: 'phone', from: '', to: '22 123 45 67' },
        { fact: 'logo', from: 'a picture', to: '' },
      ],
    },
  ],
  totalCount: 1,
};
const NO_DEMO: Record<string, [number, object]> = {
  'GET Library/demo': [200, { books: 0, readers: 0, changed: 0, canBeAdded: false }],
};
const shown = () => show([{ path: '/', element: <LibraryPage /> }], '/');
const field = (name: string) => screen.findByLabelText<HTMLInputElement>(name);

asAdmin();

describe('the page of the library', () => {
  it('saves what was typed with the version that it was typed into, and lists who changed what', async () => {
    const server = serverOf({
      'GET Library': [200, view({ name: 'Biblioteka' })],
      'GET Library/changes': [200, CHANGES],
      ...NO_DEMO,
      'PUT Library': [200, view({ name: 'Biblioteka na Woli', version: 4 })],
    });
    const { person, press } = shown();
    const name = await field('Name');
    expect(name.value).toBe('Biblioteka');
    await sees('22 123 45 67', /Anna Nowak/);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
    await person.clear(name);
    await person.type(name, 'Biblioteka na Woli');
    await press('Save');
    await waitFor(() => expect(server.asked('PUT Library')).toHaveLength(1));
    expect(server.asked('PUT Library')[0]?.body).toEqual({
      ...NO_FACTS,
      letters: undefined,
      logo: undefined,
      name: 'Biblioteka na Woli',
      version: 3,
    });
    await waitFor(() =>
      expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true),
    );
  });

  it('shows a colour in both themes before it is saved, and refuses what is none', async () => {
    serverOf({ 'GET Library': [200, view()], 'GET Library/changes': [200, CHANGES], ...NO_DEMO });
    const { person } = shown();
    const colour = await field('Colour');
    await person.type(colour, '#ffcc00');
    await sees('By day', 'At night');
    await person.clear(colour);
    await person.type(colour, 'yellow');
    await person.tab();
    await sees(/Enter a colour as #rrggbb/);
    expect(screen.queryByText('By day')).toBeNull();
  });

  it('says that the environment wins, and keeps what was typed when somebody else was faster', async () => {
    serverOf({
      'GET Library': [200, view({ fixed: { ...FREE, name: 'By the environment' } })],
      'GET Library/changes': [200, { items: [], totalCount: 0 }],
      ...NO_DEMO,
      'PUT Library': problem(409, 'ConcurrentChange', 'Somebody else has changed this meanwhile.'),
    });
    const { person, press } = shown();
    expect((await field('Name')).disabled).toBe(true);
    expect(screen.getByText(/By the environment/)).toBeTruthy();
    const phone = await field('Telephone');
    await person.type(phone, '123');
    await press('Save');
    await sees('Somebody else has changed this meanwhile.');
    expect(phone.value).toBe('123');
    expect(screen.getByRole('button', { name: 'Look at what it is now' })).toBeTruthy();
  });

  it('offers zone and currency, unless the environment or a fee has settled them', async () => {
    const timeZone = 'Europe/Warsaw';
    const server = serverOf({
      'GET Library': [200, view({ timeZone })],
      'GET Library/changes': [200, { items: [], totalCount: 0 }],
      ...NO_DEMO,
      'PUT Library': problem(400, 'ValidationFailed', 'Some fields are wrong.', {
        currency: ['Fees have been charged.'],
      }),
    });
    const { person, press, unmount } = shown();
    await person.selectOptions(await field('Time zone'), 'America/New_York');
    await person.selectOptions(await field('Currency'), 'EUR, Euro');
    await press('Save');
    // At its field.
    await sees('Fees have been charged.');
    expect((await field('Currency')).getAttribute('aria-invalid')).toBe('true');
    expect(server.asked('PUT Library')[0]?.body).toMatchObject({
      timeZone: 'America/New_York',
      currency: 'EUR',
    });
    unmount();
    const fixed = { ...FREE, timeZone: true, currency: true };
    server.answers['GET Library'] = [200, view({ timeZone, currency: 'EUR', fixed })];
    shown();
    const choices = async (name: string) => textsOf((await field(name)).querySelectorAll('option'));
    expect(await choices('Currency')).toEqual(['EUR, Euro']);
    expect(await choices('Time zone')).toEqual([timeZone]);
    expect(screen.getByText(/TIME_ZONE of the installation/)).toBeTruthy();
    expect(screen.getByText(/can no longer be changed/)).toBeTruthy();
  });

  it('takes a demo away once that was confirmed, or says what is in the way', async () => {
    const server = serverOf({
      'GET Library': [200, view()],
      'GET Library/changes': [200, { items: [], totalCount: 0 }],
      'GET Library/demo': [200, { books: 230, readers: 2, changed: 1, canBeAdded: false }],
      'DELETE Library/demo': problem(409, 'InUse', 'Nothing was taken away: Dune.'),
    });
    const { press } = shown();
    const take = async () => {
      await press('Take the demo away');
      const dialog = await openQuestion();
      expect(dialog.getByText(/1 book that somebody has changed stays/)).toBeTruthy();
      await press('Take the demo away', dialog);
    };
    await take();
    await sees('Nothing was taken away: Dune.');
    server.answers['DELETE Library/demo'] = [200, { books: 0, readers: 0, changed: 0, canBeAdded: false }];
    await take();
    await waitFor(() => expect(screen.queryByText(/230 books/)).toBeNull());
  });

  it('stores a logo as soon as it is chosen, and says why it could not', async () => {
    const server = serverOf({
      'GET Library': [200, view()],
      'GET Library/changes': [200, { items: [], totalCount: 0 }],
      ...NO_DEMO,
      'PUT Library/logo': problem(400, 'ValidationFailed', 'Some fields are wrong.', {
        logo: ['The logo cannot be read: the PNG file is damaged or incomplete.'],
      }),
    });
    const { person } = shown();
    const file = new File(['x'], 'logo.png', { type: 'image/png' });
    await person.upload(await field('Choose a picture'), file);
    await sees(/The logo cannot be read/);
    server.answers['PUT Library/logo'] = [200, view({ logo: '0'.repeat(32), version: 4 })];
    await person.upload(await field('Choose a picture'), file);
    const picture = await screen.findByAltText<HTMLImageElement>('The logo as it is now');
    expect(picture.getAttribute('src')).toBe(`/api/Library/logo/${'0'.repeat(32)}`);
  });
});
