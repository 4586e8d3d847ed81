import { readCardNumber } from '#contracts/accounts/card-number.js';
import { registerAtDesk } from '#contracts/accounts/readers.js';
import { addDays, localDay } from '#contracts/local-day.js';
import { accountSteps } from '../../../test-support/product/account-steps.js';
import { registration } from '../../../test-support/product/registrations.js';
import { startProduct } from '../../../test-support/product/product.js';
import { shared } from '../../../test-support/shared.js';
import { TestClock } from '../../../test-support/test-clock.js';
import { waitFor } from '../../../test-support/wait-for.js';

const DAY = 24 * 3_600_000;

describe('a reader whom a librarian registers', () => {
  const clock = new TestClock();
  const product = shared(() => startProduct(clock, { staySignedIn: true }));
  const admin = shared(() => product.account('Admin'));
  const { linkToken, login, post } = accountSteps(product);
  const inDays = (days: number) => addDays(localDay(clock.now().getTime(), product.settings.TIME_ZONE), days);
  let number = 0;
  const person = (changes: object = {}) => {
    number += 1;
    const { firstname, dateOfBirth, gender, country, city, adress, postalCode } = registration();
    return {
      ...{ firstname, lastname: `Desk${number}`, dateOfBirth, gender, country, city, adress, postalCode },
      ...{ email: `desk${number}@people.example`, phone: '+48 601 234 567', kind: 'adult' },
      ...{ guardian: '', memberUntil: '', ...changes },
    };
  };
  const register = (changes: object = {}) => admin.post('User/register', person(changes));
  const registered = async (changes: object = {}) => {
    const { status, body } = await register(changes);
    expect([status, body]).toEqual([201, expect.anything()]);
    return registerAtDesk.answer.parse(body);
  };

  it('has a card and a username, is found by the card, and chooses a password by the letter, which confirms the address', async () => {
    const { reader, card } = await registered({
      firstname: 'Łucja',
      lastname: 'Żółw',
      memberUntil: inDays(365),
    });
    expect(reader).toMatchObject({
      ...{ userName: 'lucja.zolw', fullname: 'Łucja Żółw', phone: '+48 601 234 567', guardian: null },
      ...{ memberUntil: inDays(365), roles: ['Reader'], kind: 'adult' },
    });
    expect(readCardNumber(card.number)).toBe(card.number);
    const found = await admin.post('Desk/scan', { scan: card.number });
    expect(found.body).toMatchObject({ kind: 'reader', readers: [{ id: reader.id }] });
    // A day later it is there still, though nobody has confirmed its address.
    await clock.forward(2 * DAY);
    await product.runJob('upkeep', 'forget-unconfirmed', {});
    expect((await admin.get(`User/userId/${reader.id}`)).status).toBe(200);

    const letter = await waitFor(async () => (await product.letters(reader.email))[0]);
    expect(letter.text).toContain('Your username is lucja.zolw.');
    const newPassword = 'Zolw#2026z';
    const token = await linkToken(reader.email, 'reset-password');
    const reset = { email: reader.email, token, newPassword };
    expect((await post('reset-password', reset)).status).toBe(200);
    expect((await login(reader.userName, newPassword)).status).toBe(200);
    expect((await post('reset-password', reset)).status).toBe(400);
  });

  it('is named at the field where something is taken or missing', async () => {
    const { reader, card } = await registered();
    const errors = async (changes: object) => {
      const { status, body } = await register(changes);
      return [status, body.code, Object.keys(body.errors ?? {})];
    };
    expect(await errors({ username: reader.userName })).toEqual([409, 'UsernameTaken', []]);
    expect(await errors({ email: reader.email.toUpperCase() })).toEqual([409, 'EmailTaken', []]);
    expect(await errors({ cardNumber: card.number })).toEqual([400, 'ValidationFailed', ['cardNumber']]);
    expect(await errors({ cardNumber: '24810937552618' })).toEqual([400, 'ValidationFailed', ['cardNumber']]);
    expect(await errors({ memberUntil: inDays(-1) })).toEqual([400, 'ValidationFailed', ['memberUntil']]);
    expect(await errors({ kind: 'child' })).toEqual([400, 'ValidationFailed', ['guardian']]);
    expect(await errors({ email: '', phone: 'none', country: 'Nowhere', dateOfBirth: '2999-01-01' })).toEqual(
      [400, 'ValidationFailed', expect.arrayContaining(['email', 'phone', 'country', 'dateOfBirth'])],
    );
    // Nothing of it was kept.
    const { rows } = await product.database.query(`select 1 from account where lastname ~ '^Desk'`);
    expect(rows).toHaveLength(1);
  });

  it('is warned about where somebody of that name was born on that day, and has a number behind the username', async () => {
    const twin = { firstname: 'Adam', lastname: 'Ćma', dateOfBirth: '1990-02-03' };
    await registered(twin);
    const again = await register({ ...twin, lastname: 'CMA' });
    expect(again).toMatchObject({ status: 409, body: { code: 'ReaderExists' } });
    expect(again.body.detail).toContain(
      'Adam Ćma, born on 1990-02-03, is registered already: username adam.cma',
    );
    const { reader } = await registered({ ...twin, evenIfAlike: true });
    expect(reader.userName).toBe('adam.cma2');
  });

  it('takes the card that they were given', async () => {
    const { reader } = await registered({
      kind: 'child',
      guardian: 'Ewa Nowak',
      cardNumber: '2481 0937 5526 14',
    });
    expect(reader).toMatchObject({ kind: 'child', guardian: 'Ewa Nowak' });
    const found = await admin.post('Desk/scan', { scan: '24810937552614' });
    expect(found.body).toMatchObject({ readers: [{ id: reader.id }] });
  });

  it('borrows nothing once the membership is over, until it is renewed', async () => {
    const { reader } = await registered({ memberUntil: inDays(1) });
    const [first, second] = [await product.book(1, 'Emma'), await product.book(1, 'Rozważna')];
    const lend = async (bookId: number) =>
      (await admin.post(`Borrow/lend?userId=${reader.id}`, { bookIds: [bookId] })).body;
    expect((await lend(first)).code).toBeUndefined();
    // Each process looks for memberships that end every hour; the test's clock does not wait for it.
    await clock.forward(2 * DAY);
    expect(await lend(second)).toMatchObject({
      code: 'ReaderBlocked',
      detail: expect.stringContaining('membership is over'),
    });
    // Their own pages say so before they try.
    const { body: panel } = await admin.get(`Reader/panel?id=${reader.id}`);
    expect(panel).toMatchObject({ block: expect.stringContaining('membership is over') });
    const renew = (until: string | null) =>
      admin.put(`User/membership?id=${reader.id}`, { until }) as Promise<{ status: number; body: unknown }>;
    expect((await renew(inDays(-1))).status).toBe(400);
    expect(await renew(inDays(365))).toMatchObject({ status: 200, body: { memberUntil: inDays(365) } });
    await waitFor(async () => (await lend(second)).code === undefined);
    expect(await product.differences()).toEqual([]);
  });
});
