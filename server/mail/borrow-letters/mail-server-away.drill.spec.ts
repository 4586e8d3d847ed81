import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { LetterOffice, QUICK_LETTERS } from '../../../test-support/mail/letter-office.js';
import { startProduct, type TestProduct } from '../../../test-support/product/product.js';
import { REDIS_INSTALLED, startTestRedis, type TestRedis } from '../../../test-support/installation/redis.js';
import { TestClock } from '../../../test-support/test-clock.js';
import { waitFor } from '../../../test-support/wait-for.js';

/** A mail server that takes letters or refuses them, as a test has it. */
async function startMailServer() {
  const delivered: { to: string[]; raw: string }[] = [];
  const server = { taking: true, silent: false, answer: 451, refused: 0, delivered };
  const smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    closeTimeout: 200,
    onRcptTo({ address }, _session, done) {
      if (server.taking) return done();
      server.refused += 1;
      if (server.silent) return;
      done(Object.assign(new Error(`<${address}> not now`), { responseCode: server.answer }));
    },
    onData(stream, session, done) {
      text(stream).then((raw) => {
        delivered.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw });
        done();
      }, done);
    },
  });
  smtp.on('error', () => undefined);
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', () => resolve()));
  const { port } = smtp.server.address() as AddressInfo;
  return Object.assign(server, {
    url: `smtp://127.0.0.1:${port}`,
    to: (email: string) => delivered.filter(({ to }) => to.includes(email)),
    stop: () => new Promise<void>((resolve) => smtp.close(() => resolve())),
  });
}

const messageId = (raw?: string) => /^Message-ID: (<.+>)/im.exec(raw ?? '')?.[1];

/** Milliseconds in which the claim of a process that lives and has given up runs out, and the letter is sent. */
const CLAIM_RUNS_OUT = 60_000;

function suite(startRedis: () => Promise<TestRedis | undefined>) {
  let redis: TestRedis | undefined;
  const clock = new TestClock();
  let mailServer: Awaited<ReturnType<typeof startMailServer>>;
  let product: TestProduct;
  let office: LetterOffice;

  beforeAll(async () => {
    mailServer = await startMailServer();
    redis = await startRedis();
    product = await startProduct(clock, {
      environment: {
        ...redis?.environment,
        SMTP_URL: mailServer.url,
        SMTP_TIMEOUT_SECONDS: '3',
        PUBLIC_URL: 'https://library.example.org',
      },
      jobs: QUICK_LETTERS,
    });
    office = new LetterOffice(product, clock);
  });

  afterAll(async () => {
    await product.close();
    await mailServer.stop();
    await redis?.stop();
  });

  const failedOnce = () =>
    waitFor(async () => {
      const [job] = await product.jobsIn('letters', 'failed');
      return job;
    });

  const tryAgain = ({ id }: { id: string }) => product.retryJob('letters', id);
  const logged = async () => (await product.lines()).join('');

  const isDue = (borrowId: string) =>
    product.database.query(
      `with due as (update letters.letter set due_at = now() where borrow_id = $1 returning cause)
       select pg_notify('lectern_letters', '') from due`,
      [borrowId],
    );

  const stateOf = async (borrowId: string) => {
    const { rows } = await product.database.query<{ state: string }>(
      'select state from letters.letter where borrow_id = $1',
      [borrowId],
    );
    return rows[0]?.state;
  };

  it('a mail server that refuses for a while gets the letter when it takes letters again', async () => {
    mailServer.taking = false;
    mailServer.refused = 0;
    const borrow = await office.rent();
    await waitFor(() => mailServer.refused >= 2);
    mailServer.taking = true;
    await office.settled();
    expect(mailServer.to(borrow.email)).toHaveLength(1);
    expect(await logged()).toContain('The mail server did not take the letter (EENVELOPE RCPT TO 451).');
    expect(await logged()).not.toContain(borrow.email);
  });

  it('one that refuses until all tries are used up leaves a failed job, which is sent when it is tried again', async () => {
    mailServer.taking = false;
    const borrow = await office.rent();
    const job = await failedOnce();
    expect(job.name).toBe('books-rented');
    expect(job.failedReason).toBe('The mail server did not take the letter (EENVELOPE RCPT TO 451).');
    expect(await stateOf(borrow.borrowId)).toBe('waiting');
    mailServer.taking = true;
    await tryAgain(job);
    await office.settled();
    expect(mailServer.to(borrow.email)).toHaveLength(1);
  });

  it('one that is back after all tries were used up gets the letter a quarter of an hour later by itself', async () => {
    mailServer.taking = false;
    const borrow = await office.rent();
    const job = await failedOnce();
    const { rows } = await product.database.query<{ minutes: number; problem: string }>(
      `select round(extract(epoch from due_at - now()) / 60)::integer as minutes, problem
       from letters.letter where borrow_id = $1`,
      [borrow.borrowId],
    );
    expect(rows).toEqual([
      { minutes: 15, problem: 'The mail server did not take the letter (EENVELOPE RCPT TO 451).' },
    ]);
    mailServer.taking = true;
    await isDue(borrow.borrowId);
    await office.settled();
    expect(mailServer.to(borrow.email)).toHaveLength(1);
    // The failed job has nothing to do any more.
    await tryAgain(job);
    await waitFor(async () => (await product.jobsIn('letters', 'completed')).some(({ id }) => id === job.id));
    expect(mailServer.to(borrow.email)).toHaveLength(1);
  });

  it('one that takes the call and then keeps silent gets the letter, once, when it speaks again', async () => {
    Object.assign(mailServer, { taking: false, silent: true, refused: 0 });
    const borrow = await office.rent();
    await waitFor(() => mailServer.refused >= 1);
    // People are not kept waiting by it.
    expect((await borrow.reader.get('Book?pageNumber=1&pageSize=12')).status).toBe(200);
    await waitFor(async () => (await logged()).includes('did not take the letter (ETIMEDOUT'));
    Object.assign(mailServer, { taking: true, silent: false });
    await office.settled();
    expect(mailServer.to(borrow.email)).toHaveLength(1);
  });

  it('an address that is refused for good is written to once, and the job has failed', async () => {
    Object.assign(mailServer, { taking: false, answer: 550, refused: 0 });
    const borrow = await office.rent();
    const job = await failedOnce();
    expect(job.failedReason).toBe(
      'The mail server takes no letters to this address (EENVELOPE RCPT TO 550).',
    );
    expect([job.attemptsMade, mailServer.refused]).toEqual([1, 1]);
    expect(await stateOf(borrow.borrowId)).toBe('refused');
    expect(await logged()).not.toContain(borrow.email);
    Object.assign(mailServer, { taking: true, answer: 451 });
    await tryAgain(job);
    // A refused letter counts as settled until its job takes it up again.
    await waitFor(async () => (await stateOf(borrow.borrowId)) === 'sent');
    expect(mailServer.to(borrow.email)).toHaveLength(1);
  });

  it('a database that is away after a letter was handed over is told of it later, and the letter is not sent again', async () => {
    await product.database.query(`
      create function refuse_sent() returns trigger language plpgsql as $$
        begin raise exception 'no' using errcode = '57P03'; end $$;
      create trigger refuse_sent before update on letters.letter for each row
        when (new.state = 'sent') execute function refuse_sent();
    `);
    const borrow = await office.rent();
    await waitFor(async () => (await logged()).includes('a letter was sent and could not be recorded'));
    expect(await stateOf(borrow.borrowId)).toBe('sending');
    await product.database.query('drop trigger refuse_sent on letters.letter');
    await office.settled();
    expect(await stateOf(borrow.borrowId)).toBe('sent');
    expect(mailServer.to(borrow.email)).toHaveLength(1);
  });

  it('a database that is away when a letter cannot be sent does not leave it in hand for ever', async () => {
    await product.database.query(`
      create function refuse_refused() returns trigger language plpgsql as $$
        begin raise exception 'no' using errcode = '57P03'; end $$;
      create trigger refuse_refused before update on letters.letter for each row
        when (new.state = 'refused') execute function refuse_refused();
    `);
    Object.assign(mailServer, { taking: false, answer: 550 });
    const borrow = await office.rent();
    await waitFor(async () => (await logged()).includes('is due again when its claim runs out'));
    Object.assign(mailServer, { taking: true, answer: 451 });
    await product.database.query('drop trigger refuse_refused on letters.letter');
    expect(await stateOf(borrow.borrowId)).toBe('sending');
    await waitFor(async () => (await stateOf(borrow.borrowId)) === 'sent', CLAIM_RUNS_OUT);
    expect(mailServer.to(borrow.email)).toHaveLength(1);
  });

  it('who dies after handing a letter over leaves one that is sent again, as the same message', async () => {
    const borrow = await office.rent();
    await office.settled();
    // As it is found when its claim has run out.
    await product.database.query(
      `update letters.letter set state = 'sending', claim = gen_random_uuid(), settled_at = null where borrow_id = $1`,
      [borrow.borrowId],
    );
    await isDue(borrow.borrowId);
    await office.settled();
    const [first, second, ...more] = mailServer.to(borrow.email);
    expect(more).toEqual([]);
    expect(messageId(first?.raw)).toMatch(/^<[0-9a-f-]{36}@library\.example\.org>$/);
    expect(messageId(second?.raw)).toBe(messageId(first?.raw));
  });
}

describe('letters, when something fails', () => suite(async () => undefined));

// Where redis-server is not installed these are reported as skipped.
(REDIS_INSTALLED ? describe : describe.skip)(
  'letters, when something fails, with jobs on Redis (needs redis-server)',
  () => suite(() => startTestRedis()),
);
