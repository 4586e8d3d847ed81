import { jest } from '@jest/globals';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom';
import { RegistrationPage } from './registration-page.js';

const answer = (status: number, body: unknown) =>
  Promise.resolve({
    ok: status < 400,
    status,
    statusText: '',
    json: () => Promise.resolve(body),
  } as Response);

let calls: { url: string; body: Record<string, string> }[];
let respond: () => Promise<Response>;

function Address() {
  const { pathname, search } = useLocation();
  return <p data-testid="address">{pathname + search}</p>;
}

function shown() {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter initialEntries={['/register']}>
        <Routes>
          <Route path="/register" element={<RegistrationPage />} />
          <Route path="*" element={<Address />} />
        </Routes>
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return userEvent.setup();
}

type Person = ReturnType<typeof shown>;
const field = (label: string) => screen.getByLabelText(label);
const next = () => screen.getByRole('button', { name: 'Next' });

async function fillAccount(person: Person, password = 'Secret1!') {
  await person.type(field('Username'), 'anna');
  await person.type(field('Email'), 'anna@example.org');
  await person.type(field('Password'), password);
  await person.type(field('Confirm password'), password);
}

async function toAddress(person: Person) {
  await fillAccount(person);
  await person.click(next());
  await person.type(field('Firstname'), 'Anna');
  await person.type(field('Lastname'), 'Nowak');
  await person.type(field('Date of Birth'), '1994-03-08');
  await person.selectOptions(field('Gender'), 'Female');
  await person.click(next());
}

async function fillAddress(person: Person) {
  await person.selectOptions(field('Country'), 'Poland');
  await person.type(field('Address'), 'ul. Piękna 12');
  await person.type(field('City'), 'Kraków');
  await person.type(field('Postal Code'), '30-001');
}

describe('the registration wizard', () => {
  beforeEach(() => {
    calls = [];
    respond = () => answer(200, { message: 'ok' });
    globalThis.fetch = jest.fn((url: string, init: RequestInit) => {
      calls.push({ url, body: JSON.parse(init.body as string) });
      return respond();
    }) as unknown as typeof fetch;
  });

  it('shows an error only once a field has been touched', async () => {
    const person = shown();
    expect(screen.queryByText('Username is required')).toBeNull();
    expect(next()).toHaveProperty('disabled', true);
    await person.click(field('Username'));
    await person.tab();
    expect(await screen.findByText('Username is required')).toBeTruthy();
    expect(screen.queryByText('Email is required')).toBeNull();
  });

  it('says everything that a password lacks, and only that it is required while there is none', async () => {
    const person = shown();
    await person.click(field('Password'));
    await person.tab();
    expect(await screen.findByText('Password is required.')).toBeTruthy();
    expect(screen.queryByText('Password must be at least 6 characters.')).toBeNull();
    await person.type(field('Password'), 'abc');
    expect(await screen.findByText('Password must be at least 6 characters.')).toBeTruthy();
    expect(screen.getByText('Password must contain at least one number (0-9).')).toBeTruthy();
    expect(screen.getByText('Password must contain at least one uppercase letter.')).toBeTruthy();
    expect(screen.getByText('Password must contain at least one special character.')).toBeTruthy();
    expect(screen.queryByText('Password must contain at least one lowercase letter.')).toBeNull();
  });

  it('compares the passwords again when the first one changes', async () => {
    const person = shown();
    await fillAccount(person);
    await person.tab();
    expect(screen.queryByText('Passwords do not match')).toBeNull();
    await person.type(field('Password'), 'x');
    expect(await screen.findByText('Passwords do not match')).toBeTruthy();
    expect(next()).toHaveProperty('disabled', true);
  });

  it('shows what is missing when Enter is pressed in an unfinished step', async () => {
    const person = shown();
    await person.type(field('Username'), 'anna{Enter}');
    expect(await screen.findByText('Email is required')).toBeTruthy();
    expect(document.activeElement).toBe(field('Email'));
  });

  it('goes forward only when a step is valid, and back with everything kept', async () => {
    const person = shown();
    await fillAccount(person);
    expect(screen.queryByRole('button', { name: 'Back' })).toBeNull();
    await person.click(next());
    expect(next()).toHaveProperty('disabled', true);
    await person.type(field('Firstname'), 'Anna');
    await person.click(screen.getByRole('button', { name: 'Back' }));
    expect(field('Username')).toHaveProperty('value', 'anna');
    await person.click(next());
    expect(field('Firstname')).toHaveProperty('value', 'Anna');
  });

  it('has the address messages of the specification', async () => {
    const person = shown();
    await toAddress(person);
    for (const label of ['Country', 'Address', 'City', 'Postal Code']) {
      await person.click(field(label));
      await person.tab();
    }
    expect(await screen.findByText('Postal Code is required (5 digits)')).toBeTruthy();
    expect(screen.getByText('Address is required')).toBeTruthy();
    expect(screen.getAllByText('City is required')).toHaveLength(2);
  });

  it('sends everything flat, once, and goes to the notice', async () => {
    const person = shown();
    await toAddress(person);
    await fillAddress(person);
    await person.dblClick(screen.getByRole('button', { name: 'Submit' }));
    expect((await screen.findByTestId('address')).textContent).toBe('/email-notification?username=anna');
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({
      url: '/api/Account/register',
      body: {
        username: 'anna',
        confirmPassword: 'Secret1!',
        gender: 'Female',
        country: 'Poland',
        postalCode: '30-001',
      },
    });
  });

  it('goes back to the field that the server refused', async () => {
    respond = () =>
      answer(409, { code: 'UsernameTaken', title: 'Taken', status: 409, detail: 'This username is taken.' });
    const person = shown();
    await toAddress(person);
    await fillAddress(person);
    await person.click(screen.getByRole('button', { name: 'Submit' }));
    expect(await screen.findByText('This username is taken.')).toBeTruthy();
    expect(field('Username')).toHaveProperty('value', 'anna');
  });
});
