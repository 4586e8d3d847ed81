import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  AccessDeniedError,
  EventStoreDBClient,
  jsonEvent,
  startEventStore,
} from '../../test-support/event-store-parts.js';
import { createTestDatabase, type TestDatabase } from '../../test-support/database.js';
import { collect, refusal, uniqueStream } from '../../test-support/event-store-under-test.js';
import { loopbackCertificate } from '../../test-support/loopback-certificate.js';
import { atEnd, sharedFolder } from '../../test-support/shared.js';
import type { RunningEventStore } from './event-store-server.js';

const note = () => jsonEvent({ type: 'Noted', data: {} });

describe('access to the embedded event store', () => {
  const folder = sharedFolder();
  const authority = join(folder, 'certificate.pem');
  let database: TestDatabase;
  let store: RunningEventStore;
  beforeAll(async () => {
    writeFileSync(authority, loopbackCertificate.certificate);
    database = await createTestDatabase();
    store = await startEventStore({
      databaseUrl: database.url,
      credentials: { username: 'lectern', password: 'right' },
      tls: loopbackCertificate,
      mayDelete: true,
    });
  });
  atEnd(async () => {
    await store.stop();
    await database.drop();
  });

  async function withClient(login: string, use: (client: EventStoreDBClient) => Promise<void>) {
    const client = EventStoreDBClient.connectionString(
      `esdb://${login}127.0.0.1:${store.port}?tls=true&tlsCAFile=${encodeURIComponent(authority)}`,
    );
    try {
      await use(client);
    } finally {
      await client.dispose();
    }
  }

  it('is given with the right credentials', () =>
    withClient('lectern:right@', async (client) => {
      const stream = uniqueStream();
      await client.appendToStream(stream, note());
      expect(await collect(client.readStream(stream))).toHaveLength(1);
      const credentials = { username: 'lectern', password: 'right' };
      await client.appendToStream(stream, note(), { credentials });
      await client.deleteStream(stream);
    }));

  it.each([
    ['without credentials', ''],
    ['with a wrong password', 'lectern:wrong@'],
    ['with a wrong name', 'admin:right@'],
  ])('is denied %s', (_name, login) =>
    withClient(login, async (client) => {
      const stream = uniqueStream();
      for (const call of [
        () => client.appendToStream(stream, note()),
        () => client.appendToStream(stream, note(), { credentials: { username: 'x', password: 'y' } }),
        () => collect(client.readStream(stream)),
        () => collect(client.readAll()),
        () => collect(client.subscribeToAll()),
        () => client.deleteStream(stream),
        () => client.tombstoneStream(stream),
      ]) {
        const error = await refusal(call());
        expect(error).toBeInstanceOf(AccessDeniedError);
        expect(error['type']).toBe('access-denied');
      }
    }),
  );
});
