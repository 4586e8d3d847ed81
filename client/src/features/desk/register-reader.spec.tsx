import { jest } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { openDialog, screen } from '../../../test-support/on-screen.js';
import { pasteInto } from '../../../test-support/paste-into.js';
import { asAdmin, showPage } from '../../../test-support/screen.js';
import { answered, refused, type Answers } from '../../../test-support/server.js';
import { ownCard, readerOf } from '../../../test-support/views.js';
import { RegisterReader } from './register-reader.js';

const REGISTER = 'POST User/register';

describe('registering a reader at the desk', () => {
  asAdmin();
  const registered = answered({ reader: readerOf(), card: ownCard().card });

  async function filledIn(answer: Answers[string]) {
    const onRegistered = jest.fn();
    const page = showPage(<RegisterReader onRegistered={onRegistered} onClose={jest.fn()} />, '/', {
      [REGISTER]: answer,
    });
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
      await pasteInto(page.person, dialog.getByLabelText(label), value);
    await page.person.selectOptions(dialog.getByLabelText('Gender'), 'Female');
    return { ...page, dialog, onRegistered, register: () => page.press('Register', dialog) };
  }

  it('asks for the guardian of a child, and shows the card when it is done', async () => {
    const { server, person, dialog, register, onRegistered } = await filledIn(registered);
    expect(dialog.queryByLabelText('Guardian')).toBeNull();
    await person.selectOptions(dialog.getByLabelText('Kind of reader'), 'Child');
    await register();
    await dialog.findByText('Somebody answers for a child: please name them.');
    await pasteInto(person, dialog.getByLabelText('Guardian'), 'Ewa Nowak');
    await register();
    await openDialog('Anna Nowak is registered');
    expect(screen.getByRole('button', { name: 'Print on a card' })).toBeTruthy();
    expect(onRegistered).toHaveBeenCalledTimes(1);
    expect(server.asked(REGISTER)[0]?.body).toMatchObject({
      ...{ firstname: 'Anna', kind: 'child', guardian: 'Ewa Nowak', memberUntil: null, evenIfAlike: false },
    });
  });

  it('says at its field what is taken, and warns of a namesake born on the same day, who may be registered', async () => {
    const words = 'Anna Nowak, born on 2015-03-08, is registered already: username anna.';
    const { server, press, dialog, register } = await filledIn(
      refused('EmailTaken', 'This address is taken.'),
    );
    await register();
    await dialog.findByText('This address is taken.');
    expect(dialog.getByLabelText('Email').getAttribute('aria-invalid')).toBe('true');
    server.answers[REGISTER] = refused('ReaderExists', words);
    await register();
    await waitFor(() => expect(dialog.getByRole('alert').textContent).toContain(words));
    server.answers[REGISTER] = registered;
    await press('Register anyway', dialog);
    await openDialog('Anna Nowak is registered');
    expect(server.asked(REGISTER).at(-1)?.body).toMatchObject({ evenIfAlike: true });
  });
});
