import { screen, waitFor } from '@testing-library/react';
import { NO_FACTS, type LibraryView } from '#contracts/library/library-facts.js';
import { sees, textsOf, openQuestion } from '../../../test-support/on-screen.js';
import { asAdmin, showPage } from '../../../test-support/screen.js';
import { answered, pageOf, refused, type Answers } from '../../../test-support/server.js';
import { LibraryPage } from './library-page.js';

const FREE = { name: null, contact: null, timeZone: false, currency: false };
const view = (facts: Partial<LibraryView> = {}): LibraryView => ({
  ...{ ...NO_FACTS, version: 3, fixed: FREE },
  ...facts,
});
const CHANGE = {
  ...{ version: 3, at: '2026-03-02T09:00:00.000Z', by: 'Anna Nowak' },
  changes: [
    { fact: 'phone', from: '', to: '22 123 45 67' },
    { fact: 'logo', from: 'a picture', to: '' },
  ],
};
const NO_DEMO = { books: 0, readers: 0, changed: 0, canBeAdded: false };
const SAVE = 'PUT Library';
const shown = (facts: Partial<LibraryView>, answers: Answers = {}) =>
  showPage(<LibraryPage />, '/', {
    'GET Library': answered(view(facts)),
    'GET Library/changes': pageOf(CHANGE),
    'GET Library/demo': answered(NO_DEMO),
    ...answers,
  });
const field = (name: string) => screen.findByLabelText<HTMLInputElement>(name);

asAdmin();

describe('the page of the library', () => {
  it('saves what was typed with the version that it was typed into, and lists who changed what', async () => {
    const { server, person, press } = shown(
      { name: 'Biblioteka' },
      { [SAVE]: answered(view({ name: 'Biblioteka na Woli', version: 4 })) },
    );
    const name = await field('Name');
    expect(name.value).toBe('Biblioteka');
    await sees('22 123 45 67', /Anna Nowak/);
    const save = () => screen.getByRole('button', { name: 'Save' });
    expect(save()).toHaveProperty('disabled', true);
    await person.type(name, ' na Woli');
    await press('Save');
    await waitFor(() => expect(server.asked(SAVE)).toHaveLength(1));
    const { letters: _, logo: __, ...facts } = NO_FACTS;
    expect(server.asked(SAVE)[0]?.body).toEqual({ ...facts, name: 'Biblioteka na Woli', version: 3 });
    await waitFor(() => expect(save()).toHaveProperty('disabled', true));
  });

  it('shows a colour in both themes before it is saved, and refuses what is none', async () => {
    const { person } = shown({});
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
    const { person, press } = shown(
      { fixed: { ...FREE, name: 'By the environment' } },
      { [SAVE]: refused('ConcurrentChange', 'Somebody else has changed this meanwhile.') },
    );
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
    const { server, person, press, unmount } = shown(
      { timeZone },
      { [SAVE]: refused('ValidationFailed', 'No.', { currency: ['Fees have been charged.'] }) },
    );
    await person.selectOptions(await field('Time zone'), 'America/New_York');
    await person.selectOptions(await field('Currency'), 'EUR, Euro');
    await press('Save');
    // At its field.
    await sees('Fees have been charged.');
    expect((await field('Currency')).getAttribute('aria-invalid')).toBe('true');
    const sent = { timeZone: 'America/New_York', currency: 'EUR' };
    expect(server.asked(SAVE)[0]?.body).toMatchObject(sent);
    unmount();
    shown({ timeZone, currency: 'EUR', fixed: { ...FREE, timeZone: true, currency: true } });
    const choices = async (name: string) => textsOf((await field(name)).querySelectorAll('option'));
    expect(await choices('Currency')).toEqual(['EUR, Euro']);
    expect(await choices('Time zone')).toEqual([timeZone]);
    await sees(/TIME_ZONE of the installation/, /can no longer be changed/);
  });

  it('takes a demo away once that was confirmed, or says what is in the way', async () => {
    const { server, press } = shown(
      {},
      {
        'GET Library/demo': answered({ ...NO_DEMO, books: 230, readers: 2, changed: 1 }),
        'DELETE Library/demo': refused('InUse', 'Nothing was taken away: Dune.'),
      },
    );
    const take = async () => {
      await press('Take the demo away');
      const dialog = await openQuestion();
      expect(dialog.getByText(/1 book that somebody has changed stays/)).toBeTruthy();
      await press('Take the demo away', dialog);
    };
    await take();
    await sees('Nothing was taken away: Dune.');
    server.answers['DELETE Library/demo'] = answered(NO_DEMO);
    await take();
    await waitFor(() => expect(screen.queryByText(/230 books/)).toBeNull());
  });

  it('stores a logo as soon as it is chosen, and says why it could not', async () => {
    const logo = ['The logo cannot be read: the PNG file is damaged or incomplete.'];
    const { server, person } = shown(
      {},
      { 'PUT Library/logo': refused('ValidationFailed', 'No.', { logo }) },
    );
    const file = new File(['x'], 'logo.png', { type: 'image/png' });
    await person.upload(await field('Choose a picture'), file);
    await sees(/The logo cannot be read/);
    server.answers['PUT Library/logo'] = answered(view({ logo: '0'.repeat(32), version: 4 }));
    await person.upload(await field('Choose a picture'), file);
    const picture = await screen.findByAltText<HTMLImageElement>('The logo as it is now');
    expect(picture.getAttribute('src')).toBe(`/api/Library/logo/${'0'.repeat(32)}`);
  });
});
