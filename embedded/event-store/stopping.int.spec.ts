import pg from 'pg';
import {
  credentials,
  EventStoreDBClient,
  jsonEvent,
  startEventStore,
  UnavailableError,
  UnknownError,
  Empty,
  ServerFeaturesClient,
} from '../../test-support/event-store/event-store-parts.js';
import { createTestDatabase } from '../../test-support/database/database.js';
import { eventually, refusal, uniqueStream } from '../../test-support/event-store/event-store-under-test.js';
import { waitFor } from '../../test-support/wait-for.js';
import { shared } from '../../test-support/shared.js';
import type { RunningEventStore } from './event-store-server.js';

const note = (text = '') => jsonEvent({ type: 'Noted', data: { text } });

describe('the embedded event store', () => {
  let store: RunningEventStore;
  let client: EventStoreDBClient;
  const database = shared(() => createTestDatabase());
  beforeEach(async () => {
    const started = await startEventStore({ databaseUrl: database.url });
    let stopped: Promise<void> | undefined;
    store = { ...started, stop: () => (stopped ??= started.stop()) };
    client = EventStoreDBClient.connectionString(store.connectionString);
  });
  afterEach(async () => {
    await client.dispose();
    await store.stop();
  });

  it('names a version before its own name, as newer clients parse it', async () => {
    const features = new ServerFeaturesClient(`127.0.0.1:${store.port}`, credentials.createInsecure());
    const version = await new Promise((resolve, reject) => {
      features.getSupportedMethods(new Empty(), (error, answer) =>
        error ? reject(error) : resolve(answer.getEventStoreServerVersion()),
      );
    });
    features.close();
    expect(version).toMatch(/^23\.10\.\d+-/);
  });

  it('refuses each append by itself while it cannot write: others of the same call were not harmed', async () => {
    const unhandled: unknown[] = [];
    const keep = (reason: unknown) => void unhandled.push(reason);
    process.on('unhandledRejection', keep);
    const admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    const append = () => client.appendToStream(uniqueStream(), note());
    await append();
    const refused: Record<string, unknown>[] = [];
    const accepted: unknown[] = [];
    const send = () =>
      Promise.all(
        Array.from({ length: 20 }, () =>
          append().then(
            (result) => accepted.push(result),
            (error: Record<string, unknown>) => refused.push(error),
          ),
        ),
      );
    const cut = `select pg_terminate_backend(pid) from pg_stat_activity
                 where datname = current_database() and application_name = 'lectern event store writer'`;
    // A cut may fall between two writes: then nobody notices it.
    await waitFor(async () => {
      await Promise.all([send(), admin.query(cut)]);
      return refused.length > 0;
    });
    for (const error of refused) {
      expect(error).toBeInstanceOf(UnknownError);
      expect(error['message']).toMatch(/event store (cannot write|is not available)/);
    }
    // The call goes on: as soon as the store writes again, it answers.
    accepted.length = 0;
    await waitFor(async () => {
      await send();
      return accepted.length >= 20;
    });
    await admin.end();
    process.off('unhandledRejection', keep);
    expect(unhandled).toEqual([]);
  });

  it.each(['reads on', 'reads no more'])(
    'tells a reader who %s that it is unavailable when it stops',
    async (what) => {
      const stream = uniqueStream();
      const text = 'x'.repeat(5_000);
      for (let n = 0; n < 10; n += 1) {
        await client.appendToStream(
          stream,
          Array.from({ length: 100 }, () => note(text)),
        );
      }
      const read = client.readStream(stream);
      let events = 0;
      const ended = refusal(new Promise((_resolve, reject) => read.once('error', reject)));
      read.on('data', () => {
        events += 1;
        read.pause();
        if (what === 'reads on') setTimeout(() => read.resume(), 20);
      });
      await eventually(() => events > 0);
      await store.stop();
      read.resume();
      expect(await ended).toBeInstanceOf(UnavailableError);
      expect(events).toBeLessThan(1_000);
    },
  );
});
