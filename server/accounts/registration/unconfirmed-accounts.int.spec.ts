import { registration } from '../../../test-support/registrations.js';
import { startProduct, type TestAccount, type TestProduct } from '../../../test-support/product.js';
import { TestClock } from '../../../test-support/test-clock.js';
import { waitFor } from '../../../test-support/wait-for.js';
import { withoutRounds } from '../../../test-support/without-rounds.js';

const HOUR = 3_600_000;

describe('accounts whose address nobody confirms', () => {
  const clock = new TestClock();
  let product: TestProduct;
  let admin: TestAccount;
  beforeAll(async () => {
    withoutRounds();
    product = await startProduct(clock);
    admin = await product.account('Admin');
  });
  afterEach(async () => expect(await product.differences()).toEqual([]));
  afterAll(() => product.close());

  const post = (call: string, body: unknown) =>
    fetch(`${product.url}/api/Account/${call}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  /** Registers somebody, and waits until so many letters were sent. */
  const register = async () => {
    const body = registration();
    expect((await post('register', body)).status).toBe(201);
    await written(body.email, 1);
    const { rows } = await product.database.query<{ id: string; pseudonym: string }>(
      'select id, pseudonym from account where username = $1',
      [body.username],
    );
    return { ...body, id: rows[0]?.id ?? '', pseudonym: rows[0]?.pseudonym ?? '' };
  };
  const written = (email: string, letters: number) =>
    waitFor(async () => {
      const { rows } = await product.database.query(
        `select 1 from letters.letter l join account a on a.id = l.account_id where a.email = $1 and l.state = 'sent'`,
        [email],
      );
      return rows.length === letters;
    });
  const isThere = async ({ id }: { id: string }) => {
    const { rows } = await product.database.query('select 1 from account where id = $1', [id]);
    return rows.length === 1;
  };
  const forgetUnconfirmed = () => product.runJob('upkeep', 'forget-unconfirmed', {});
  const librarian = async () => (admin = await product.signIn(admin));

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
    const [letter] = await product.letters(reader.email);
    const link = new URLSearchParams(new URL(letter?.links[0] ?? '').hash.split('?')[1]);
    const confirmed = await post('confirm-email', { userId: link.get('userId'), token: link.get('token') });
    expect(confirmed.status).toBe(200);
    await clock.forward(48 * HOUR);
    await forgetUnconfirmed();
    expect(await isThere(reader)).toBe(true);
  });

  it('stay while the letter that asks for it has not been sent', async () => {
    const reader = await register();
    await product.database.query(`update letters.letter set state = 'waiting' where account_id = $1`, [
      reader.id,
    ]);
    await clock.forward(48 * HOUR);
    await forgetUnconfirmed();
    expect(await isThere(reader)).toBe(true);
    await product.database.query(`update letters.letter set state = 'dropped' where account_id = $1`, [
      reader.id,
    ]);
    await forgetUnconfirmed();
    expect(await isThere(reader)).toBe(false);
  });

  it('stay when the library has dealt with them, with all that it did, and do not keep the owner out', async () => {
    await librarian();
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
      await admin.put(`Reader/notice?id=${people.written.id}`, { message: 'Has our key.', blocks: false }),
      await admin.put(`Reader/card/block?id=${people.blocked.id}`, { blocked: true }),
      await admin.post(`Reader/card/replace?id=${people.replaced.id}`),
      await admin.put(`User?id=${people.edited.id}`, { ...people.edited, city: 'Lublin' }),
      await admin.put(`User/roles?id=${people.promoted.id}`, { roles: ['Auditor'] }),
    ];
    expect(done.map(({ status }) => status)).toEqual(done.map(() => 200));
    await clock.forward(72 * HOUR);
    await forgetUnconfirmed();
    await librarian();
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
