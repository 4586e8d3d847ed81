import { act, screen, waitFor, within } from '@testing-library/react';
import type userEvent from '@testing-library/user-event';
import { COUNTRIES } from '#contracts/accounts/countries.js';
import { sees, textsOf } from '../../../test-support/on-screen.js';
import { show } from '../../../test-support/screen.js';
import { problem, serverOf } from '../../../test-support/server.js';
import { pasteInto } from '../../../test-support/paste-into.js';
import { RegistrationPage } from './registration-page.js';

const REGISTER = 'POST Account/register';
const CHECK = 'POST Account/check-registration';
let server: ReturnType<typeof serverOf>;

const shown = () => show([{ path: '/register', element: <RegistrationPage /> }], '/register').person;

type Person = ReturnType<typeof userEvent.setup>;
const field = (label: string) => screen.getByLabelText(label);
const messages = (label: string) =>
  textsOf(document.getElementById(`${field(label).id}-errors`)?.children ?? []);
const choices = (label: string) =>
  within(field(label))
    .getAllByRole<HTMLOptionElement>('option')
    .map(({ value, textContent }) => [value, textContent]);
const next = () => screen.getByRole('button', { name: 'Next' });

async function fillAccount(person: Person, password = 'Secret1!') {
  await pasteInto(person, field('Username'), 'anna');
  await pasteInto(person, field('Email'), 'anna@example.org');
  await pasteInto(person, field('Password'), password);
  await pasteInto(person, field('Confirm password'), password);
}

async function toAddress(person: Person) {
  await fillAccount(person);
  await person.click(next());
  await pasteInto(person, await screen.findByLabelText('First name'), 'Anna');
  await pasteInto(person, field('Last name'), 'Nowak');
  await pasteInto(person, field('Date of birth'), '1994-03-08');
  await person.selectOptions(field('Gender'), 'Female');
  await person.click(next());
  await screen.findByLabelText('Country');
}

async function fillAddress(person: Person) {
  await person.selectOptions(field('Country'), 'Poland');
  await pasteInto(person, field('Address'), 'ul. Piękna 12');
  await pasteInto(person, field('City'), 'Kraków');
  await pasteInto(person, field('Postal code'), '30-001');
}

describe('the registration wizard', () => {
  beforeEach(() => {
    server = serverOf({ [REGISTER]: [200, { message: 'ok' }], [CHECK]: [200, { message: 'ok' }] });
  });

  // spec 2.11, 5.1
  it('shows an error only once a field has been touched', async () => {
    const person = shown();
    expect(screen.queryByText('Username is required')).toBeNull();
    expect(next()).toHaveProperty('disabled', true);
    await person.click(field('Username'));
    await person.tab();
    await sees('Username is required');
    expect(screen.queryByText('Email is required')).toBeNull();
    await person.click(field('Email'));
    await person.tab();
    await sees('Email is required');
  });

  // spec 5.3, 9.6
  it.each([
    ['', ['Password is required.']],
    [
      '#',
      [
        'Password must be at least 6 characters.',
        'Password must contain at least one number (0-9).',
        'Password must contain at least one lowercase letter.',
        'Password must contain at least one uppercase letter.',
      ],
    ],
    ['Secret#', ['Password must contain at least one number (0-9).']],
    ['SECRET#1', ['Password must contain at least one lowercase letter.']],
    ['secret#1', ['Password must contain at least one uppercase letter.']],
    ['Secret11', ['Password must contain at least one special character.']],
    ['Se#1', ['Password must be at least 6 characters.']],
    ['Secret#1', []],
  ])('says of the password “%s” what it lacks', async (password, lacks) => {
    const person = shown();
    await person.click(field('Password'));
    if (password !== '') await person.paste(password);
    await person.tab();
    await waitFor(() => expect(messages('Password')).toEqual(lacks));
  });

  it('goes on warning of a password while it is asked about for another name, so that nothing jumps below it', async () => {
    const asked: unknown[] = [];
    server = serverOf({
      'POST Account/check-password': ({ body }) => {
        asked.push(body);
        // Of the other name it is never answered.
        return asked.length === 1
          ? [200, { weakness: 'It is common.', refused: false }]
          : new Promise<never>(() => undefined);
      },
    });
    const person = shown();
    const hint = () => screen.queryByText(/^At least 6 characters/);
    expect(hint()).not.toBeNull();
    await person.type(field('Password'), 'Secret1!');
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
    const person = shown();
    await fillAccount(person);
    await person.tab();
    expect(screen.queryByText('Passwords do not match')).toBeNull();
    await person.type(field('Password'), 'x');
    await sees('Passwords do not match');
    expect(next()).toHaveProperty('disabled', true);
  });

  it.each([
    [
      'Username',
      problem(409, 'UsernameTaken', 'This username is already taken.'),
      'This username is already taken.',
    ],
    [
      'Email',
      problem(400, 'ValidationFailed', 'No.', { email: ['Please enter a valid email address.'] }),
      'Please enter a valid email address.',
    ],
  ])(
    'says what is wrong with the %s at its own step, and keeps what was typed',
    async (label, answer, words) => {
      server.answers[CHECK] = answer;
      const person = shown();
      await fillAccount(person);
      await person.click(next());
      await waitFor(() => expect(messages(label)).toEqual([words]));
      await waitFor(() => expect(document.activeElement).toBe(field(label)));
      expect(field('Password')).toHaveProperty('value', 'Secret1!');
      expect(screen.queryByLabelText('First name')).toBeNull();
      server.answers[CHECK] = [200, { message: 'ok' }];
      await person.type(field(label), 'x');
      expect(messages(label)).toEqual([]);
      await person.click(next());
      expect(await screen.findByLabelText('First name')).toBeTruthy();
    },
  );

  it('goes on where it cannot be checked: the last step decides', async () => {
    server.answers[CHECK] = null;
    const person = shown();
    await fillAccount(person);
    await person.click(next());
    expect(await screen.findByLabelText('First name')).toBeTruthy();
  });

  it('shows what is missing when Enter is pressed in an unfinished step', async () => {
    const person = shown();
    await person.type(field('Username'), 'anna{Enter}');
    await sees('Email is required');
    expect(document.activeElement).toBe(field('Email'));
  });

  // spec 2.10, 4.4, 5.2
  it('goes forward only when a step is valid, and back with everything kept', async () => {
    const person = shown();
    await fillAccount(person);
    // Its format is the server's to judge.
    await person.clear(field('Email'));
    await person.type(field('Email'), 'no-address');
    expect(screen.queryByRole('button', { name: 'Back' })).toBeNull();
    await person.click(next());
    expect(next()).toHaveProperty('disabled', true);
    await person.type(field('First name'), 'Anna');
    await person.click(screen.getByRole('button', { name: 'Back' }));
    expect(field('Username')).toHaveProperty('value', 'anna');
    await person.click(next());
    expect(field('First name')).toHaveProperty('value', 'Anna');
  });

  // spec 2.13, 5.6
  it('has the address messages of the specification', async () => {
    const person = shown();
    await toAddress(person);
    for (const label of ['Country', 'Address', 'City', 'Postal code']) {
      await person.click(field(label));
      await person.tab();
    }
    await sees(
      'Postal code is required (5 digits)',
      'Address is required',
      'City is required',
      'Country is required',
    );
    expect(choices('Country').slice(1)).toEqual(COUNTRIES.map(({ name }) => [name, name]));
    expect(choices('Country')[0]).toEqual(['', 'Choose a country']);
  });

  // spec 5.7
  it('takes a postal code as the pattern has it, not anchored at the end', async () => {
    const person = shown();
    await toAddress(person);
    for (const [code, isTaken] of [
      ['12', false],
      ['12345', false],
      ['a12-345', false],
      ['12-34', false],
      ['12-345', true],
      ['12-345 Kraków', true],
    ] as const) {
      await person.clear(field('Postal code'));
      await pasteInto(person, field('Postal code'), code);
      await person.tab();
      await waitFor(() =>
        expect(messages('Postal code')).toEqual(isTaken ? [] : ['Postal code is required (5 digits)']),
      );
    }
  });

  // spec 2.14, 3.2
  it('sends everything flat, once, and goes to the notice', async () => {
    const person = shown();
    await toAddress(person);
    await fillAddress(person);
    await person.dblClick(screen.getByRole('button', { name: 'Submit' }));
    expect((await screen.findByTestId('elsewhere')).textContent).toBe('/email-notification?username=anna');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(server.asked(REGISTER).map(({ body }) => body)).toEqual([
      {
        username: 'anna',
        email: 'anna@example.org',
        password: 'Secret1!',
        confirmPassword: 'Secret1!',
        firstname: 'Anna',
        lastname: 'Nowak',
        dateOfBirth: '1994-03-08',
        gender: 'Female',
        country: 'Poland',
        adress: 'ul. Piękna 12',
        city: 'Kraków',
        postalCode: '30-001',
      },
    ]);
  });

  // spec 8.9
  it('goes back to the field that the server refused, and says it in a toast', async () => {
    server.answers[REGISTER] = problem(409, 'UsernameTaken', 'This username is taken.');
    const person = shown();
    await toAddress(person);
    await fillAddress(person);
    await person.click(screen.getByRole('button', { name: 'Submit' }));
    expect(await screen.findAllByText('This username is taken.')).toHaveLength(2);
    expect(field('Username')).toHaveProperty('value', 'anna');
  });

  it('says in a toast, and keeps everything, where no field is to blame', async () => {
    server.answers[REGISTER] = problem(500, 'Unexpected', 'Something went wrong on our side.');
    const person = shown();
    await toAddress(person);
    await fillAddress(person);
    await person.click(screen.getByRole('button', { name: 'Submit' }));
    await sees('Something went wrong on our side.');
    expect(field('City')).toHaveProperty('value', 'Kraków');
  });

  // spec 2.12, 5.5
  it('has a message for each thing that is missing in the second step', async () => {
    const person = shown();
    await fillAccount(person);
    await person.click(next());
    expect(choices('Gender').map(([, words]) => words)).toEqual([
      'Choose a gender',
      'Male',
      'Female',
      'Other',
    ]);
    for (const label of ['First name', 'Last name', 'Date of birth', 'Gender']) {
      expect(screen.queryByText(`${label} is required`)).toBeNull();
      await person.click(field(label));
      await person.tab();
      await sees(`${label} is required`);
    }
  });

  it('asks before it is left half filled in', async () => {
    const { router, address, person, press } = show(
      [{ path: '/register', element: <RegistrationPage /> }],
      '/register',
    );
    await act(() => router.navigate('/login'));
    expect(address()).toBe('/login');
    await act(() => router.navigate('/register'));
    await person.type(field('Username'), 'anna');
    await act(() => router.navigate('/login'));
    const question = await screen.findByRole('alertdialog', { name: 'Leave without saving?' });
    await press('Stay', within(question));
    expect(address()).toBe('/register');
    expect(field('Username')).toHaveProperty('value', 'anna');
  });
});
