import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { createLogger } from '#platform/logging.js';
import { readSettings, type ResolvedSettings } from '#platform/settings.js';
import { forAllInTime } from '../../../test-support/arbitraries/for-all.js';
import { loopbackCertificate } from '../../../test-support/services/loopback-certificate.js';
import { Sip2Client } from '../../../test-support/services/sip2-client.js';
import { temporaryFolder } from '../../../test-support/installation/temporary-folder.js';
import { waitFor } from '../../../test-support/wait-for.js';
import type { ActingDevice } from '../../http/access.js';
import { formatResponse } from './codec.js';
import type { Answering } from './conversation.js';
import { LIMITS, openSip2Port, type RunningSip2 } from './sip2-port.js';

const DATE = '20261127    101500';
const END = `35${DATE}AOL|AA777|`;
const SECRET = 'ABhidden-from-logs';

describe('the port for devices', () => {
  const open: RunningSip2[] = [];
  let log: string[];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((port) => port.close()));
  });

  async function openPort(
    environment: NodeJS.ProcessEnv = {},
    answer?: Answering['answer'],
    limits?: Parameters<typeof openSip2Port>[3],
  ): Promise<number> {
    log = [];
    const logger = createLogger('trace', { write: (line: string) => void log.push(line) });
    const settings = readSettings({ SIP2_PORT: '0', ...environment }) as ResolvedSettings;
    const answering: Answering = {
      signIn: async ({ password }) =>
        password === 'open' ? ({ id: 'device-1', encoding: 'UTF-8' } as ActingDevice) : undefined,
      answer:
        answer ??
        (async ({ name }) => {
          if (name !== 'endSession') return formatResponse('login', { ok: '1' });
          const of = { transactionDate: DATE, institutionId: 'Łódź', patronId: '777' };
          return formatResponse('endSession', { endSession: 'Y', ...of });
        }),
    };
    const port = await openSip2Port(settings, answering, logger, limits);
    if (!port) throw new Error('There is no port.');
    open.push(port);
    return port.port;
  }

  async function signedIn(port: number, authority?: string): Promise<Sip2Client> {
    const client = await Sip2Client.connect(port, authority);
    expect(await client.signIn('gate', 'open')).toBe(true);
    return client;
  }

  it('is shut where none is set', async () => {
    const settings = readSettings({}) as ResolvedSettings;
    expect(await openSip2Port(settings, {} as Answering, createLogger('silent'))).toBeUndefined();
  });

  it('is not opened to others in the clear, unless that is said', async () => {
    await expect(openPort({ SIP2_HOST: '0.0.0.0' })).rejects.toThrow('SIP2_TLS=off');
    await expect(openPort({ SIP2_HOST: '0.0.0.0', SIP2_TLS: 'off' })).resolves.toBeGreaterThan(0);
    await expect(openPort({ SIP2_TLS_CERT: 'there' })).rejects.toThrow('SIP2_TLS_KEY');
  });

  it('speaks over TLS', async () => {
    const folder = temporaryFolder();
    const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    writeFileSync(certificate, loopbackCertificate.certificate);
    writeFileSync(key, loopbackCertificate.privateKey);
    const port = await openPort({ SIP2_TLS_CERT: certificate, SIP2_TLS_KEY: key, SIP2_HOST: '0.0.0.0' });
    const client = await signedIn(port, loopbackCertificate.certificate);
    expect(await client.ask(END)).toBe(`36Y${DATE}AOŁódź|AA777|`);
    client.close();
    const plain = await Sip2Client.connect(port);
    await expect(plain.signIn('gate', 'open')).rejects.toThrow('over');
  });

  it('answers several at once, each in turn', async () => {
    const port = await openPort({}, async (request) => {
      const patronId = 'patronId' in request ? request.patronId : '';
      await new Promise((resolve) => setTimeout(resolve, patronId === '1' ? 40 : 1));
      return formatResponse('endSession', {
        endSession: 'Y',
        transactionDate: DATE,
        institutionId: '',
        patronId,
      });
    });
    const [one, two] = [await signedIn(port), await signedIn(port)];
    const both = `35${DATE}AO|AA1|\r35${DATE}AO|AA2|\r\n`;
    one.socket.write(both);
    two.socket.write(both);
    for (const client of [one, two]) {
      expect(await client.line()).toContain('AA1');
      expect(await client.line()).toContain('AA2');
    }
  });

  it('leaves a message unanswered of which nobody can say what became of it, and the others go on', async () => {
    const port = await openPort({}, async (request) => {
      if ('patronId' in request && request.patronId === '666') throw new Error('the log is away');
      return formatResponse('login', { ok: '1' });
    });
    const [one, two] = [await signedIn(port), await signedIn(port)];
    await expect(one.ask(`35${DATE}AO|AA666|${SECRET}|`)).rejects.toThrow('over');
    expect(await two.ask(END)).toBe('941');
    expect(log.some((line) => line.includes('the log is away'))).toBe(true);
    expect(log.join()).not.toContain(SECRET);
  });

  it('sends the answer that is under way when it closes', async () => {
    let release = (): void => undefined;
    const port = await openPort({}, async () => {
      await new Promise<void>((resolve) => (release = resolve));
      return formatResponse('login', { ok: '1' });
    });
    const [busy, idle] = [await signedIn(port), await signedIn(port)];
    const answer = busy.ask(END);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const closed = open.splice(0)[0]?.close();
    await idle.over();
    release();
    expect(await answer).toBe('941');
    await Promise.all([closed, busy.over()]);
  });

  it('survives whatever bytes come, before a login and after', async () => {
    const port = await openPort();
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.string({ maxLength: 60 }).map((text) => Buffer.from(`11YN${text}\r`)),
      fc
        .constantFrom('\r', '9300CNgate|COopen|\r', '97\r', `${END}\r`, '|||\r')
        .map((text) => Buffer.from(text)),
    );
    await forAllInTime(
      [fc.boolean(), fc.array(piece, { maxLength: 20 })],
      { numRuns: 60 },
      async (first, pieces) => {
        const client = first ? await signedIn(port) : await Sip2Client.connect(port);
        for (const each of pieces) client.socket.write(each);
        client.socket.end();
        await client.over();
      },
    );
    const after = await signedIn(port);
    expect(await after.ask(END)).toBe(`36Y${DATE}AOŁódź|AA777|`);
  });

  it('cuts off who does not sign in, and who says nothing any more', async () => {
    const hasty = await Sip2Client.connect(await openPort({}, undefined, { ...LIMITS, signIn: 30 }));
    await hasty.over();
    const quiet = await signedIn(await openPort({}, undefined, { ...LIMITS, idle: 30 }));
    await quiet.over();
  });

  it('takes as many devices as it may, and the next one once one has gone', async () => {
    const port = await openPort({}, undefined, { ...LIMITS, connections: 2 });
    const [one, two] = [await signedIn(port), await signedIn(port)];
    const third = await Sip2Client.connect(port);
    await expect(third.signIn('gate', 'open')).rejects.toThrow('over');
    expect(await two.ask(END)).toContain('AA777');
    one.close();
    await waitFor(async () => {
      const next = await Sip2Client.connect(port);
      return next.signIn('gate', 'open').catch(() => false);
    });
  });

  it('cuts off who sends without end', async () => {
    const port = await openPort();
    const client = await Sip2Client.connect(port);
    client.socket.write(Buffer.alloc(100_000, 65));
    await client.over();
    expect(log.join()).toContain('broken off');
  });
});
