import { randomUUID } from 'node:crypto';
import { accountSteps } from '../../test-support/product/account-steps.js';
import { openLetterBox } from '../../test-support/mail/letter-box.js';
import { startProduct } from '../../test-support/product/product.js';
import { TEST_PASSWORD } from '../../test-support/product/registrations.js';
import { shared } from '../../test-support/shared.js';
import { waitFor } from '../../test-support/wait-for.js';

const QUICK = { mail: { concurrency: 2, attempts: 5, firstRetryMs: 20 } };

describe('the email that confirms an address', () => {
  /** Letters that the mail server refuses before it takes one. */
  let refusals = 0;
  const mailServer = shared(() => openLetterBox(0, () => (refusals -= 1) >= 0));
  const product = shared(() =>
    startProduct(undefined, {
      environment: { SMTP_URL: mailServer.url, PUBLIC_URL: 'https://library.example.org/' },
      jobs: { policies: QUICK, rounds: false },
    }),
  );
  const { register, rows } = accountSteps(product);
  const lettersTo = (email: string) => mailServer.letters.filter(({ to }) => to === email);

  /** Registers somebody who has got their letter. */
  const registered = async () => {
    const reader = await register();
    const [letter] = await waitFor(() => lettersTo(reader.email).length > 0 && lettersTo(reader.email));
    return { ...reader, token: /token=([\w-]{43})/.exec(letter?.text ?? '')?.[1] ?? '' };
  };

  it('is tried again where the mail server refuses it, whose words about the recipient are not logged', async () => {
    refusals = 2;
    const { id, email } = await registered();
    const lines = await product.lines();
    const tries = lines.filter((line) => line.includes('is tried again'));
    expect(tries).toHaveLength(2);
    expect(tries[0]).toContain('The mail server did not take the letter (EENVELOPE RCPT TO 451).');
    expect(lines.join('')).not.toContain(email);
    // Every try made a new link, and only the last one is good.
    expect(await rows('select from account_token where account_id = $1', id)).toHaveLength(1);
  });

  it('is not sent to an account that was confirmed in the meantime', async () => {
    const { id, email } = await registered();
    await rows(
      `with confirmed as (update account set email_confirmed = true where id = $1 returning id)
       insert into letters.letter (cause, queue, kind, account_id, caused_at, data)
       select $2, 'mail', 'confirm-email', id, now(), jsonb_build_object('accountId', id) from confirmed`,
      ...[id, randomUUID()],
    );
    await rows(`select pg_notify('lectern_letters', '')`);
    await waitFor(async () =>
      (await product.lines()).some((line) => line.includes('no letter sent') && line.includes(id)),
    );
    expect(lettersTo(email)).toHaveLength(1);
  });

  it('leaves nothing secret and no address in the log, the ledger or the queue', async () => {
    const { email, lastname, token } = await registered();
    expect(token).not.toBe('');
    const kept = await rows(
      'select to_jsonb(j)::text from lectern_jobs.job j union all select to_jsonb(l)::text from letters.letter l',
    );
    const everything = (await product.lines()).join('') + JSON.stringify(kept);
    expect(everything).toContain('the link that confirms an email address was sent');
    for (const secret of [email, lastname, token, TEST_PASSWORD]) expect(everything).not.toContain(secret);
  });
});
