import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { copyCode, readCopyCode } from '#contracts/catalogue/copy-code.js';
import { openDatabase, type Database } from '#platform/database/database.js';
import { createLogger } from '#platform/logging.js';
import { CrashInstallation } from '../test-support/installation/crash-installation.js';
import { freePort } from '../test-support/installation/free-port.js';
import { DEVICE } from '../test-support/product/kiosk.js';
import { makeBook } from '../test-support/product/make-book.js';
import { makeAccount } from '../test-support/product/product.js';
import { Sip2Client } from '../test-support/services/sip2-client.js';
import { readLog, verifyRows } from './crash/log-account.js';
import { Random } from './crash/random.js';

/** SIP2_SEED repeats the order of an earlier run. */
const SEED = Number(process.env['SIP2_SEED'] ?? randomInt(1, 1_000_000));
const DEVICES = 20;
/** Readers at each device, one after the other, and books that each takes and brings back. */
const READERS_EACH = 3;
const BOOKS_EACH = 4;
const KILLS = 3;

const say = (line: string) => process.stdout.write(`${line}\n`);

interface Visitor {
  card: string;
  labels: string[];
}

/** A self-check that sends a message until it is answered, as bought ones do: over a new connection, where the old one is gone. */
class SelfCheck {
  sent = 0;
  repeated = 0;
  readonly answers = new Map<string, Set<string>>();
  private client: Sip2Client | undefined;
  private seconds = 0;

  constructor(
    private readonly port: number,
    private readonly login: string,
    private readonly secret: string,
    private readonly random: Random,
  ) {}

  async serve({ card, labels }: Visitor): Promise<void> {
    await this.ask('64', `63001${this.date()}${' '.repeat(10)}AO|AA${card}|`);
    for (const label of labels) {
      await this.ask('12', `11NN${this.date()}${' '.repeat(18)}AO|AA${card}|AB${label}|AC|`);
    }
    await this.ask('36', `35${this.date()}AO|AA${card}|`);
    for (const label of labels) await this.ask('10', `09N${this.date()}${this.date()}AP|AO|AB${label}|AC|`);
  }

  close(): void {
    this.client?.close();
  }

  /** Some messages are sent twice, though they were answered. */
  private async ask(code: string, message: string): Promise<void> {
    const answers = this.answers.get(message) ?? new Set();
    this.answers.set(message, answers);
    for (let left = this.random.chance(0.2) ? 2 : 1; left > 0; left -= 1)
      answers.add(await this.sendUntilAnswered(message));
    const [answer = ''] = answers;
    if (!answer.startsWith(code)) throw new Error(`${message} was answered ${answer}`);
  }

  private async sendUntilAnswered(message: string): Promise<string> {
    for (;;) {
      try {
        this.client ??= await this.connect();
        this.sent += 1;
        return (await this.client.ask(message)).replaceAll(/\d{8} {4}\d{6}/g, '<date>');
      } catch (error) {
        if (!isAway(error)) throw error;
        this.repeated += 1;
        this.client = undefined;
        await sleep(100);
      }
    }
  }

  private async connect(): Promise<Sip2Client> {
    const client = await Sip2Client.connect(this.port);
    if (await client.signIn(this.login, this.secret)) return client;
    throw new Error('A device was not let in.');
  }

  private date(): string {
    const at = new Date(Date.now() + (this.seconds += 1) * 1000).toISOString();
    return `${at.slice(0, 10).replaceAll('-', '')}   Z${at.slice(11, 19).replaceAll(':', '')}`;
  }
}

/** The server is not there, or has gone. (What Node throws is no `Error` of the test's own.) */
function isAway(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return code === 'ECONNREFUSED' || code === 'ECONNRESET' || message === Sip2Client.OVER;
}

describe(`twenty self-checks, and a server that is killed (seed ${SEED})`, () => {
  const random = new Random(SEED);
  let installation: CrashInstallation;
  let database: Database;
  let port: number;

  beforeAll(async () => {
    port = await freePort();
    installation = await CrashInstallation.create({ LOG_LEVEL: 'warn', SIP2_PORT: String(port) });
    await installation.start();
    database = openDatabase(installation.addresses().databaseUrl, 2, createLogger('silent'));
  });
  afterAll(async () => {
    await database?.end();
    await installation?.remove();
  });

  it('lends each book once and takes it back once, and answers each message as the first time', async () => {
    const site = installation.addresses();
    const admin = await makeAccount(site, ['Admin', 'Reader']);
    const devices: SelfCheck[] = [];
    for (let turn = 0; turn < DEVICES; turn += 1) {
      const fields = { ...DEVICE, kind: 'sip2', name: `Hall ${turn}` };
      const { body } = await admin.post('Device', fields);
      devices.push(new SelfCheck(port, body.device.login as string, body.secret as string, random));
    }
    const visitors: Visitor[] = [];
    for (let turn = 0; turn < DEVICES * READERS_EACH; turn += 1) {
      const reader = await makeAccount(site);
      const panel = await admin.get(`Reader/panel?id=${reader.id}`);
      const labels: string[] = [];
      for (let book = 0; book < BOOKS_EACH; book += 1) {
        labels.push(copyCode({ bookId: await makeBook(database, 1, `Book ${turn}.${book}`), copy: 1 }));
      }
      visitors.push({ card: panel.body.card.number as string, labels });
    }

    let isOver = false;
    const served = Promise.all(
      devices.map(async (device, turn) => {
        const queue = visitors.slice(turn * READERS_EACH, (turn + 1) * READERS_EACH);
        for (const visitor of queue) await device.serve(visitor);
      }),
    ).finally(() => (isOver = true));
    let kills = 0;
    for (; kills < KILLS && !isOver; kills += 1) {
      await Promise.race([sleep(random.between(300, 1500)), served]);
      await installation.kill();
      await installation.start();
    }
    await served;
    for (const device of devices) device.close();

    const answered = devices.flatMap((device) => [...device.answers]);
    for (const [message, answers] of answered) expect([message, answers.size]).toEqual([message, 1]);
    const yes = (code: string) =>
      answered.filter(([, [answer = '']]) => answer.startsWith(`${code}1`)).length;
    const all = DEVICES * READERS_EACH * BOOKS_EACH;
    expect({ lent: yes('12'), back: yes('10') }).toEqual({ lent: all, back: all });

    const log = await readLog(installation.addresses().eventStoreUrl);
    const books = (type: 'BooksIssued' | 'BooksReturned') =>
      log
        .flatMap(({ event }) => (event.type === type ? event.data.bookIds : []))
        .toSorted((one, other) => one - other);
    const lent = visitors.flatMap(({ labels }) => labels.map((label) => readCopyCode(label)?.bookId ?? 0));
    expect(books('BooksIssued')).toEqual(lent.toSorted((one, other) => one - other));
    expect(books('BooksReturned')).toEqual(books('BooksIssued'));
    expect(await verifyRows(installation.addresses())).toMatchObject({ differences: [], pendingHolds: 0 });
    const sum = (of: (device: SelfCheck) => number) =>
      devices.reduce((total, device) => total + of(device), 0);
    say(
      `killed ${kills} times; ${sum((device) => device.sent)} messages sent, ${sum((device) => device.repeated)} ` +
        `times nobody answered; ${all} loans and returns`,
    );
  });
});
