import { act, screen, waitFor } from '@testing-library/react';
import { COUNTRIES } from '#contracts/accounts/countries.js';
import { sees, textsOf, openQuestion } from '../../../test-support/on-screen.js';
import { pasteInto } from '../../../test-support/paste-into.js';
import { show } from '../../../test-support/screen.js';
import { answered, refused, serverOf } from '../../../test-support/server.js';
import { RegistrationPage } from './registration-page.js';

const REGISTER = 'POST Account/register';
const CHECK = 'POST Account/check-registration';
let server: ReturnType<typeof serverOf>;

const shown = () => show([{ path: '/register', element: <RegistrationPage /> }], '/register');

type Person = ReturnType<typeof show>['person'];
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const messages = (label: string) =>
  textsOf(document.getElementById(`${field(label).id}-errors`)?.children ?? []);
const choices = (label: string) =>
  [...field(label).querySelectorAll('option')].map(({ value, textContent }) => [value, textContent]);
const next = () => screen.getByRole('button', { name: 'Next' });

/** Comes into each field, and leaves it as it is. */
async function touch(person: Person, ...labels: string[]) {
  for (const label of labels) {
    await person.click(field(label));
    await person.tab();
  }
}

async function fill(person: Person, texts: Record<string, string>) {
  for (const [label, text] of Object.entries(texts))
    if (field(label).tagName === 'SELECT') await person.selectOptions(field(label), text);
    else await pasteInto(person, field(label), text);
}
const ACCOUNT = { Username: 'anna', Email: 'anna@example.org' };
const PASSWORDS = { Password: 'Secret1!', 'Confirm password': 'Secret1!' };
const DETAILS = {
  'First name': 'Anna',
  'Last name': 'Nowak',
  'Date of birth': '1994-03-08',
  Gender: 'Female',
};
const ADDRESS = { Country: 'Poland', Address: 'ul. Piękna 12', City: 'Kraków', 'Postal code': '30-001' };

async function toDetails() {
  const page = shown();
  await fill(page.person, { ...ACCOUNT, ...PASSWORDS });
  await page.press('Next');
  await screen.findByLabelText('First name');
  return page;
}

async function toAddress() {
  const page = await toDetails();
  await fill(page.person, DETAILS);
  await page.press('Next');
  await screen.findByLabelText('Country');
  return page;
}

describe('the registration wizard', () => {
  beforeEach(() => {
    server = serverOf({ [REGISTER]: answered({ message: 'ok' }), [CHECK]: answered({ message: 'ok' }) });
  });

  // spec 2.11, 5.1
  it('shows an error only once a field has been touched, or when Enter is pressed in an unfinished step', async () => {
    const { person } = shown();
    expect(screen.queryByText('Username is required')).toBeNull();
    expect(next()).toHaveProperty('disabled', true);
    await touch(person, 'Username');
    await sees('Username is required');
    expect(screen.queryByText('Email is required')).toBeNull();
    await person.type(field('Username'), 'anna{Enter}');
    await sees('Email is required');
    expect(document.activeElement).toBe(field('Email'));
  });

  // spec 5.3, 9.6
  it('says of a password what it lacks', async () => {
    const LACKS = {
      length: 'Password must be at least 6 characters.',
      number: 'Password must contain at least one number (0-9).',
      lowercase: 'Password must contain at least one lowercase letter.',
      uppercase: 'Password must contain at least one uppercase letter.',
      special: 'Password must contain at least one special character.',
    };
    const { person } = shown();
    await touch(person, 'Password');
    await waitFor(() => expect(messages('Password')).toEqual(['Password is required.']));
    for (const [password, ...lacks] of [
      ['#', LACKS.length, LACKS.number, LACKS.lowercase, LACKS.uppercase],
      ['Secret#', LACKS.number],
      ['SECRET#1', LACKS.lowercase],
      ['secret#1', LACKS.uppercase],
      ['Secret11', LACKS.special],
      ['Se#1', LACKS.length],
      ['Secret#1'],
    ]) {
      await person.clear(field('Password'));
      await pasteInto(person, field('Password'), password ?? '');
      await waitFor(() => expect(messages('Password')).toEqual(lacks));
    }
  });

  it('goes on warning of a password while it is asked about for another name, so that nothing jumps below it', async () => {
    const asked: unknown[] = [];
    server = serverOf({
      'POST Account/check-password': ({ body }) => {
        asked.push(body);
        // Of the other name it is never answered.
        return asked.length === 1
          ? answered({ weakness: 'It is common.', refused: false })
          : new Promise<never>(() => undefined);
      },
    });
    const { person } = shown();
    const hint = () => screen.queryByText(/^At least 6 characters/);
    expect(hint()).not.toBeNull();
    await fill(person, { Password: 'Secret1!' });
    const warning = await screen.findByText(/^It is common\./);
    expect(hint()).toBeNull();
    expect(field('Password').getAttribute('aria-describedby')).toContain(warning.id);
    await person.type(field('Username'), 'a');
    await waitFor(() => expect(asked).toHaveLength(2));
    expect(warning.isConnected).toBe(true);
    await person.type(field('Password'), '2');
    expect(screen.queryByText(/^It is common\./)).toBeNull();
    expect(hint()).not.toBeNull();
  });

  // spec 5.4
  it('compares the passwords again when the first one changes', async () => {
    const { person } = shown();
    await fill(person, { ...ACCOUNT, ...PASSWORDS });
    await person.tab();
    await waitFor(() => expect(next()).toHaveProperty('disabled', false));
    expect(screen.queryByText('Passwords do not match')).toBeNull();
    await person.type(field('Password'), 'x');
    await sees('Passwords do not match');
    expect(next()).toHaveProperty('disabled', true);
  });

  it.each([
    [
      'Username',
      refused('UsernameTaken', 'This username is already taken.'),
      'This username is already taken.',
    ],
    [
      'Email',
      refused('ValidationFailed', 'No.', { email: ['Please enter a valid email address.'] }),
      'Please enter a valid email address.',
    ],
  ])(
    'says what is wrong with the %s at its own step, and keeps what was typed',
    async (label, answer, words) => {
      server.answers[CHECK] = answer;
      const { person, press } = shown();
      await fill(person, { ...ACCOUNT, ...PASSWORDS });
      await press('Next');
      await waitFor(() => expect(messages(label)).toEqual([words]));
      await waitFor(() => expect(document.activeElement).toBe(field(label)));
      expect(field('Password').value).toBe('Secret1!');
      expect(screen.queryByLabelText('First name')).toBeNull();
      server.answers[CHECK] = answered({ message: 'ok' });
      await person.type(field(label), 'x');
      expect(messages(label)).toEqual([]);
      await press('Next');
      expect(await screen.findByLabelText('First name')).toBeTruthy();
    },
  );

  // spec 2.10, 4.4, 5.2
  it('goes forward only when a step is valid, and back with everything kept', async () => {
    // Where it cannot be checked, the last step decides; so it does of the format of an address.
    server.answers[CHECK] = null;
    const { person, press } = shown();
    await fill(person, { ...ACCOUNT, ...PASSWORDS });
    await person.clear(field('Email'));
    await fill(person, { Email: 'no-address' });
    expect(screen.queryByRole('button', { name: 'Back' })).toBeNull();
    await press('Next');
    await fill(person, { 'First name': 'Anna' });
    expect(next()).toHaveProperty('disabled', true);
    await press('Back');
    expect(field('Username').value).toBe('anna');
    await press('Next');
    expect(field('First name').value).toBe('Anna');
  });

  // spec 2.12, 5.5
  it('has a message for each thing that is missing in the second step', async () => {
    const { person } = await toDetails();
    expect(textsOf(field('Gender').children)).toEqual(['Choose a gender', 'Male', 'Female', 'Other']);
    for (const label of ['First name', 'Last name', 'Date of birth', 'Gender']) {
      expect(screen.queryByText(`${label} is required`)).toBeNull();
      await touch(person, label);
      await sees(`${label} is required`);
    }
  });

  // spec 2.13, 5.6, 5.7
  it('has the address messages of the specification, and its pattern of postal codes, not anchored at the end', async () => {
    const { person } = await toAddress();
    const WRONG = 'Postal code is required (5 digits)';
    await touch(person, 'Country', 'Address', 'City', 'Postal code');
    await sees(WRONG, 'Address is required', 'City is required', 'Country is required');
    const [none, ...countries] = choices('Country');
    expect(none).toEqual(['', 'Choose a country']);
    expect(countries).toEqual(COUNTRIES.map(({ name }) => [name, name]));
    for (const [code, isTaken] of [
      ['12-345', true],
      ['12', false],
      ['12-345 Kraków', true],
      ...['12345', 'a12-345', '12-34'].map((each) => [each, false] as const),
    ] as const) {
      await person.clear(field('Postal code'));
      await fill(person, { 'Postal code': code });
      await waitFor(() => expect(messages('Postal code')).toEqual(isTaken ? [] : [WRONG]));
    }
  });

  // spec 2.14, 3.2
  it('sends everything flat, once, and goes to the notice', async () => {
    const { person } = await toAddress();
    await fill(person, ADDRESS);
    const submit = screen.getByRole('button', { name: 'Submit' });
    await waitFor(() => expect(submit).toHaveProperty('disabled', false));
    await person.dblClick(submit);
    expect((await screen.findByTestId('elsewhere')).textContent).toBe('/email-notification?username=anna');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(server.asked(REGISTER).map(({ body }) => body)).toEqual([
      {
        ...{ username: 'anna', email: 'anna@example.org', password: 'Secret1!', confirmPassword: 'Secret1!' },
        ...{ firstname: 'Anna', lastname: 'Nowak', dateOfBirth: '1994-03-08', gender: 'Female' },
        ...{ country: 'Poland', adress: 'ul. Piękna 12', city: 'Kraków', postalCode: '30-001' },
      },
    ]);
  });

  // spec 8.9
  it('says in a toast what was refused, keeps everything, and goes back to the field that is to blame', async () => {
    server.answers[REGISTER] = refused('Unexpected', 'Something went wrong on our side.');
    const { person, press } = await toAddress();
    await fill(person, ADDRESS);
    await press('Submit');
    await sees('Something went wrong on our side.');
    expect(field('City').value).toBe('Kraków');
    server.answers[REGISTER] = refused('UsernameTaken', 'This username is taken.');
    await press('Submit');
    await waitFor(() => expect(screen.getAllByText('This username is taken.')).toHaveLength(2));
    expect(field('Username').value).toBe('anna');
  });

  it('asks before it is left half filled in', async () => {
    const { router, address, person, press } = shown();
    await act(() => router.navigate('/login'));
    expect(address()).toBe('/login');
    await act(() => router.navigate('/register'));
    await person.type(field('Username'), 'anna');
    await act(() => router.navigate('/login'));
    await press('Stay', await openQuestion('Leave without saving?'));
    expect(address()).toBe('/register');
    expect(field('Username').value).toBe('anna');
  });
});
