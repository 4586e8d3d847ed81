import { openMailGate } from '../../test-support/mail/mail-gate.js';
import { LetterOffice } from '../../test-support/mail/letter-office.js';
import { OwnProcess } from '../../test-support/installation/own-process.js';
import { caller } from '../../test-support/product/caller.js';
import { startProduct } from '../../test-support/product/product.js';
import { TestClock } from '../../test-support/test-clock.js';
import { waitFor } from '../../test-support/wait-for.js';
import { atEnd, shared } from '../../test-support/shared.js';

const KILLS = 4;

describe('letters whose workers are killed', () => {
  const clock = new TestClock();

  let worker: OwnProcess | undefined;

  const gate = shared(() => openMailGate());
  const product = shared(() => startProduct(clock, { environment: { SMTP_URL: gate.url, JOBS: 'off' } }));
  const office = shared(() => new LetterOffice(product, clock));
  atEnd(() => worker?.kill());

  const startWorker = () => OwnProcess.worker(product, { SMTP_URL: gate.url });

  const inState = async (state: string) => {
    const { rows } = await product.database.query<{ n: number }>(
      'select count(*)::integer as n from letters.letter where state = $1',
      [state],
    );
    return rows[0]?.n ?? -1;
  };

  it('are each sent once, though four are killed within two minutes while they hand letters over', async () => {
    const borrows = await Promise.all(Array.from({ length: 16 }, () => office.rent()));
    const addresses = borrows.map(({ email }) => email);
    const forgetful = addresses.slice(0, 4);
    for (const email of forgetful) await caller(product.url, '').post('Account/forgot-password', { email });
    const due = addresses.length + forgetful.length;
    await waitFor(async () => (await inState('waiting')) === due);

    for (let kill = 1; kill <= KILLS; kill += 1) {
      worker = startWorker();
      gate.letIn(2);
      // What the mail server has taken is recorded; other letters are on their way to it.
      await worker.until(
        async () =>
          (await inState('sent')) === 2 * kill && gate.taken.length === 2 * kill && gate.waiting() > 0,
      );
      await worker.kill();
      await waitFor(() => gate.waiting() === 0);
    }
    expect(await inState('sending')).toBeGreaterThanOrEqual(1);

    // Nobody renews the claims of the dead: they would run out within a quarter of a minute.
    await product.database.query(`update letters.letter set due_at = now() where state = 'sending'`);
    gate.letIn(1000);
    worker = startWorker();
    await worker.until(async () => (await inState('sent')) === due);
    expect([...gate.taken].sort()).toEqual([...addresses, ...forgetful].sort());
  });
});
