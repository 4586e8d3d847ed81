import { jest } from '@jest/globals';
import { screen } from '@testing-library/react';
import { openDialog } from '../../../test-support/on-screen.js';
import { asAdmin, show } from '../../../test-support/screen.js';
import { answered, type Answers, refused, serverOf } from '../../../test-support/server.js';
import { readerOf } from '../../../test-support/views.js';
import { RegisterReader } from './register-reader.js';

const REGISTER = 'POST User/register';
const card = {
  number: '24810937552614',
  bars: [2, 1, 3],
  issuedAt: '2026-11-26T10:00:00Z',
  blockedAt: null,
  hasPin: false,
};

describe('registering a reader at the desk', () => {
  asAdmin();

  async function filledIn(answer: Answers[string]) {
    const server = serverOf({ [REGISTER]: answer });
    const onRegistered = jest.fn();
    const onClose = jest.fn();
    const element = <RegisterReader onRegistered={onRegistered} onClose={onClose} />;
    const { person, press } = show([{ path: '/', element }], '/');
    const dialog = await openDialog();
    for (const [label, value] of [
      ['First name', 'Anna'],
      ['Last name', 'Nowak'],
      ['Date of birth', '2015-03-08'],
      ['Email', 'anna@example.org'],
      ['Phone', '+48 601 234 567'],
      ['Address', 'ul. Piękna 12'],
      ['City', 'Kraków'],
      ['Postal code', '30-001'],
    ] as const)
      await person.type(dialog.getByLabelText(label), value);
    await person.selectOptions(dialog.getByLabelText('Gender'), 'Female');
    const register = () => press('Register', dialog);
    return { server, person, dialog, register, onRegistered, onClose };
  }

  it('asks for the guardian of a child, and shows the card when it is done', async () => {
    const { server, person, dialog, register, onRegistered } = await filledIn(
      answered({ reader: readerOf(), card }),
    );
    expect(dialog.queryByLabelText('Guardian')).toBeNull();
    await person.selectOptions(dialog.getByLabelText('Kind of reader'), 'Child');
    await register();
    expect(await dialog.findByText('Somebody answers for a child: please name them.')).toBeTruthy();
    await person.type(dialog.getByLabelText('Guardian'), 'Ewa Nowak');
    await register();
    expect(await screen.findByRole('dialog', { name: 'Anna Nowak is registered' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Print on a card' })).toBeTruthy();
    expect(onRegistered).toHaveBeenCalledTimes(1);
    expect(server.asked(REGISTER)[0]?.body).toMatchObject({
      ...{ firstname: 'Anna', kind: 'child', guardian: 'Ewa Nowak', memberUntil: null, evenIfAlike: false },
    });
  });

  it('says at its field what is taken', async () => {
    const { dialog, register } = await filledIn(refused('EmailTaken', 'This address is taken.'));
    await register();
    await dialog.findByText('This address is taken.');
    expect(dialog.getByLabelText('Email').getAttribute('aria-invalid')).toBe('true');
    expect(dialog.queryByRole('alert')?.textContent ?? 'This address is taken.').toContain('taken');
  });

  it('warns of a namesake born on the same day, who may be registered anyway', async () => {
    const words = 'Anna Nowak, born on 2015-03-08, is registered already: username anna.';
    const { server, press, dialog, register } = await filledIn(refused('ReaderExists', words));
    await register();
    expect((await dialog.findByRole('alert')).textContent).toContain(words);
    server.answers[REGISTER] = answered({ reader: readerOf(), card });
    await press('Register anyway', dialog);
    await screen.findByRole('dialog', { name: 'Anna Nowak is registered' });
    expect(server.asked(REGISTER)[1]?.body).toMatchObject({ evenIfAlike: true });
  });
});
