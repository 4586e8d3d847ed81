import { accountSteps, parametersOf } from '../../../test-support/product/account-steps.js';
import { startProduct } from '../../../test-support/product/product.js';
import { registration } from '../../../test-support/product/registrations.js';
import { atEnd, shared } from '../../../test-support/shared.js';
import { TestClock } from '../../../test-support/test-clock.js';
import { waitFor } from '../../../test-support/wait-for.js';

const HOUR = 3_600_000;

describe('accounts whose address nobody confirms', () => {
  const clock = new TestClock();
  const product = shared(() => startProduct(clock, { staySignedIn: true, jobs: { rounds: false } }));
  const admin = shared(() => product.account('Admin'));
  const steps = accountSteps(product);
  const { link, post, rows } = steps;
  atEnd(async () => expect(await product.differences()).toEqual([]));

  /** Once so many letters to an address are sent. */
  const written = (email: string, letters: number) =>
    waitFor(async () => {
      const sent = await rows(
        `select from letters.letter l join account a on a.id = l.account_id where a.email = $1 and l.state = 'sent'`,
        email,
      );
      return sent.length === letters;
    });
  /** Registers somebody who has got their letter. */
  const register = async () => {
    const reader = await steps.register();
    await written(reader.email, 1);
    return reader;
  };
  const isThere = async ({ id }: { id: string }) =>
    (await rows('select from account where id = $1', id)).length === 1;
  const forgetUnconfirmed = () => product.runJob('upkeep', 'forget-unconfirmed', {});

  it('go after a day, and their names are free', async () => {
    const gone = await register();
    await clock.forward(23 * HOUR);
    await forgetUnconfirmed();
    expect(await isThere(gone)).toBe(true);
    await clock.forward(HOUR + 60_000);
    expect(await forgetUnconfirmed()).toBe(1);
    expect(await isThere(gone)).toBe(false);
    expect((await post('register', { ...gone, email: `again-${gone.email}` })).status).toBe(201);
  });

  it('stay while a link still confirms the address, and for good once it does', async () => {
    const reader = await register();
    await clock.forward(20 * HOUR);
    expect((await post('resend-confirmation-email', { username: reader.username })).status).toBe(200);
    await written(reader.email, 2);
    await clock.forward(20 * HOUR);
    await forgetUnconfirmed();
    expect(await isThere(reader)).toBe(true);
    const letter = parametersOf(await link(reader.email, 'confirm-email', 2));
    expect((await post('confirm-email', Object.fromEntries(letter))).status).toBe(200);
    await clock.forward(48 * HOUR);
    await forgetUnconfirmed();
    expect(await isThere(reader)).toBe(true);
  });

  it('stay while the letter that asks for it has not been sent', async () => {
    const reader = await register();
    const become = (state: string) =>
      rows('update letters.letter set state = $2 where account_id = $1', reader.id, state);
    await become('waiting');
    await clock.forward(48 * HOUR);
    await forgetUnconfirmed();
    expect(await isThere(reader)).toBe(true);
    await become('dropped');
    await forgetUnconfirmed();
    expect(await isThere(reader)).toBe(false);
  });

  it('stay when the library has dealt with them, with all that it did, and do not keep the owner out', async () => {
    const people = {
      lent: await register(),
      held: await register(),
      written: await register(),
      blocked: await register(),
      replaced: await register(),
      edited: await register(),
      promoted: await register(),
    };
    const at = (person: { id: string }) => `userId=${person.id}`;
    const [lentBook, heldBook] = [await product.book(1), await product.book(1)];
    const done = [
      await admin.post(`Borrow/lend?${at(people.lent)}`, { bookIds: [lentBook] }),
      await admin.post(`Borrow/lend?${at(admin)}`, { bookIds: [heldBook] }),
      await admin.post(`Hold?${at(people.held)}`, { bookId: heldBook }),
      await admin.put(`Reader/notice?id=${people.written.id}`, {
        message: 'Has our key.',
        blocks: false,
      }),
      await admin.put(`Reader/card/block?id=${people.blocked.id}`, { blocked: true }),
      await admin.post(`Reader/card/replace?id=${people.replaced.id}`),
      await admin.put(`User?id=${people.edited.id}`, { ...people.edited, city: 'Lublin' }),
      await admin.put(`User/roles?id=${people.promoted.id}`, { roles: ['Auditor'] }),
    ];
    expect(done.map(({ status }) => status)).toEqual(done.map(() => 200));
    await clock.forward(72 * HOUR);
    await forgetUnconfirmed();
    for (const [what, person] of Object.entries(people)) {
      expect([what, await isThere(person)]).toEqual([what, true]);
      // Who has the mailbox registers with it all the same.
      const again = registration({ email: person.email });
      expect([what, (await post('register', again)).status]).toEqual([what, 201]);
      expect([what, await isThere(person)]).toEqual([what, true]);
    }
    const { body } = await admin.get(`Reader/panel?id=${people.lent.id}`);
    expect(JSON.stringify(body)).toContain(people.lent.email);
  });
});
