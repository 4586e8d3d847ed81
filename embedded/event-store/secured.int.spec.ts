import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { createLogger } from '#platform/logging.js';
import {
  AccessDeniedError,
  ANY_LOG,
  EventStoreDBClient,
  jsonEvent,
  openEventStore,
  startEventStore,
} from '../../test-support/event-store/event-store-parts.js';
import {
  collect,
  refusal as rejection,
  uniqueStream,
} from '../../test-support/event-store/event-store-under-test.js';
import { freePort } from '../../test-support/installation/free-port.js';
import { loopbackCertificate } from '../../test-support/services/loopback-certificate.js';
import { OwnProcess } from '../../test-support/installation/own-process.js';
import { startProduct } from '../../test-support/product/product.js';
import { waitFor } from '../../test-support/wait-for.js';
import { atEnd, shared, sharedFolder } from '../../test-support/shared.js';
import type { RunningEventStore } from './event-store-server.js';

/** Every character that means something in an address, and one that is no ASCII. */
const PASSWORD = 'pa:ss@wo/rd?#%ż';
const WRONG = 'Kolejka-7';
const credentials = { username: 'lectern', password: PASSWORD };

describe('an event store that demands TLS and credentials', () => {
  const folder = sharedFolder();
  const authority = join(folder, 'authority.pem');
  let port = 0;
  let other: RunningEventStore | undefined;

  const address = (password: string, query = `?tls=true&tlsCAFile=${encodeURIComponent(authority)}`) =>
    `esdb://lectern:${encodeURIComponent(password)}@localhost:${port}${query}`;

  beforeAll(() => writeFileSync(authority, loopbackCertificate.certificate));
  const product = shared(() =>
    startProduct(undefined, {
      environment: { HOLD_STALE_SECONDS: '2' },
      eventStore: { credentials, tls: loopbackCertificate },
      before: async (url) => {
        port = Number(new URL(url).port);
        return address(PASSWORD);
      },
    }),
  );
  const reader = shared(() => product.account());
  const admin = shared(() => product.account('Admin'));
  atEnd(() => other?.stop());

  /** The password in every form that it takes on its way. */
  const expectNoSecret = (text: string, password = PASSWORD) => {
    const basic = Buffer.from(`lectern:${password}`).toString('base64');
    for (const form of [password, encodeURIComponent(password), basic]) expect(text).not.toContain(form);
  };
  /** What was logged where no product is. */
  const lines: string[] = [];
  const refusal = async (url: string, password = WRONG): Promise<string> => {
    const log = createLogger('info', { write: (line) => void lines.push(line) });
    const error = await openEventStore(url, ANY_LOG, log).then(
      () => new Error('it was opened'),
      (reason: Error) => reason,
    );
    expectNoSecret(inspect(error, { depth: 9 }), password);
    return error.message;
  };

  it('serves the whole product', async () => {
    const bookId = await product.book(1);
    const rent = await reader.post('Borrow/rent-books', { bookIds: [bookId] });
    expect(rent).toMatchObject({ status: 200, body: { position: expect.any(String) } });
    const desk = `borrowId=${rent.body.borrowId}&userId=${reader.id}`;
    const issue = await admin.post(`Borrow/issue-books?${desk}`, { bookIds: [bookId] });
    expect(issue).toMatchObject({ status: 200, body: { position: expect.any(String) } });
    expect(await product.differences()).toEqual([]);
  });

  it('is refused at the start with what is wrong, and without the password', async () => {
    expect(await refusal(address(WRONG))).toMatch(/^EVENTSTORE_URL: .* look at user, password and rights/);
    expect(await refusal(address(WRONG, '?tls=true'))).toMatch(
      /^EVENTSTORE_URL: the certificate of localhost:\d+ is not trusted \((DEPTH_ZERO_)?SELF_SIGNED_CERT\); .*tlsCAFile/,
    );
    expect(await refusal(address(WRONG, '?tls=true&tlsCAFile=/nowhere.pem'))).toMatch(
      'EVENTSTORE_URL: tlsCAFile names a file that is not there: /nowhere.pem',
    );
  });

  it.each([
    ['without credentials', ''],
    ['with a wrong password', 'lectern:wrong@'],
    ['with a wrong name', `admin:${encodeURIComponent(PASSWORD)}@`],
  ])('denies every call %s', async (_how, login) => {
    const url = `esdb://${login}localhost:${port}?tls=true&tlsCAFile=${encodeURIComponent(authority)}`;
    const client = EventStoreDBClient.connectionString(url);
    const stream = uniqueStream();
    const note = jsonEvent({ type: 'Noted', data: {} });
    for (const call of [
      () => client.appendToStream(stream, note),
      () => client.appendToStream(stream, note, { credentials: { username: 'x', password: 'y' } }),
      () => collect(client.readStream(stream)),
      () => collect(client.readAll()),
      () => collect(client.subscribeToAll()),
      () => client.deleteStream(stream),
      () => client.tombstoneStream(stream),
    ]) {
      const error = await rejection(call());
      expect(error).toBeInstanceOf(AccessDeniedError);
      expect(error['type']).toBe('access-denied');
    }
    await client.dispose();
  });

  it('ends the start of a process', async () => {
    const projections = OwnProcess.start('the projections', 'dist/projections/main.js', {
      DATABASE_URL: product.settings.DATABASE_URL,
      EVENTSTORE_URL: address(WRONG),
      OPERATIONS_PORT: String(await freePort()),
    });
    expect(await projections.end()).toBe(1);
    expect(projections.output).toMatch(/EVENTSTORE_URL: the event store does not let this user in/);
    expectNoSecret(projections.output, WRONG);
  });

  it('that changes its password is answered for by 503, until it knows the old one again', async () => {
    await product.stopEventStore();
    const store = { databaseUrl: product.settings.DATABASE_URL, port, tls: loopbackCertificate };
    other = await startEventStore({ ...store, credentials: { ...credentials, password: 'new' } });
    const bookId = await product.book(1);
    const rent = () => reader.post('Borrow/rent-books', { bookIds: [bookId] });
    expect(await rent()).toMatchObject({ status: 503, body: { code: 'EventStoreUnavailable' } });
    const lost = /Access Denied.*projection stopped/;
    await waitFor(async () => (await product.lines()).some((line) => lost.test(line)));
    await other.stop();
    other = await startEventStore({ ...store, credentials });
    await waitFor(async () => (await rent()).status === 200);
    await waitFor(async () => (await product.differences()).length === 0);
  });

  it('has its password in no line of the log', async () => {
    const logged = [...lines, ...(await product.lines())].join('');
    expect(logged).toContain('projection stopped');
    expectNoSecret(logged);
    expectNoSecret(logged, WRONG);
  });
});
