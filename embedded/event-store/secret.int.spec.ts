import { existsSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { ServiceError } from '@grpc/grpc-js';
import {
  AccessDeniedError,
  ANY_LOG,
  credentials,
  eventStoreClient,
  EventStoreDBClient,
  jsonEvent,
  Metadata,
  startEventStore,
  status,
  GrpcClient,
  StreamsService,
  ServerFeaturesService,
} from '../../test-support/event-store/event-store-parts.js';
import { createTestDatabase, type TestDatabase } from '../../test-support/database/database.js';
import { collect, refusal, uniqueStream } from '../../test-support/event-store/event-store-under-test.js';
import { atEnd, sharedFolder } from '../../test-support/shared.js';
import { writeDurably } from '../private-files.js';
import type { RunningEventStore } from './event-store-server.js';

const note = () => jsonEvent({ type: 'Noted', data: {} });
const PERMISSION_DENIED = status.PERMISSION_DENIED;

describe('the event store of an installation', () => {
  const folder = sharedFolder();
  const secretFile = join(folder, 'secret');
  let database: TestDatabase;
  let store: RunningEventStore;
  let product: EventStoreDBClient;
  beforeAll(async () => {
    writeDurably(secretFile, 'first-secret');
    database = await createTestDatabase();
    store = await startEventStore({ databaseUrl: database.url, secretFile });
    product = eventStoreClient(store.connectionString, ANY_LOG, { batched: true });
  });
  atEnd(async () => {
    await product.dispose();
    await store.stop();
    await database.drop();
  });

  /** The code with which a call ends, whichever it is, for somebody who sends this secret or none. */
  async function codeOf(path: string, secret?: string): Promise<number> {
    const client = new GrpcClient(`127.0.0.1:${store.port}`, credentials.createInsecure());
    const metadata = new Metadata();
    if (secret !== undefined) metadata.set('authorization', `Bearer ${secret}`);
    const same = (bytes: Buffer) => bytes;
    try {
      return await new Promise((resolve) => {
        const call = client.makeBidiStreamRequest(path, same, same, metadata);
        call.on('data', () => undefined);
        call.on('error', ({ code }: ServiceError) => resolve(code));
        call.on('status', ({ code }: ServiceError) => resolve(code));
        call.end(Buffer.alloc(0));
      });
    } finally {
      client.close();
    }
  }

  it.each([true, false])('serves whoever has the secret (appends batched: %s)', async (batched) => {
    const client = eventStoreClient(store.connectionString, ANY_LOG, { batched });
    const stream = uniqueStream();
    await client.appendToStream(stream, note());
    expect(await collect(client.readStream(stream))).toHaveLength(1);
    await client.dispose();
  });

  it('refuses every call without it, and with another', async () => {
    const paths = [...Object.values(StreamsService), ...Object.values(ServerFeaturesService)].map(
      ({ path }) => path,
    );
    expect(paths.length).toBeGreaterThanOrEqual(6);
    for (const path of paths) {
      for (const secret of [undefined, 'first-secre', '']) {
        expect([path, await codeOf(path, secret)]).toEqual([path, status.UNAUTHENTICATED]);
      }
    }
    const features = ServerFeaturesService.getSupportedMethods.path;
    expect(await codeOf(features, 'first-secret')).toBe(status.OK);
  });

  it('tells the official client that it is denied', async () => {
    const client = EventStoreDBClient.connectionString(`esdb://127.0.0.1:${store.port}?tls=false`);
    const stream = uniqueStream();
    for (const call of [
      () => client.appendToStream(stream, note()),
      () => collect(client.readAll()),
      () => collect(client.subscribeToAll()),
      () => client.tombstoneStream(stream),
    ]) {
      const error = await refusal(call());
      // What its asking for the features ends with, it passes on as it is.
      expect(error instanceof AccessDeniedError || error['code'] === status.UNAUTHENTICATED).toBe(true);
    }
    await client.dispose();
  });

  it('deletes nothing, nor hides it, for anybody', async () => {
    const stream = uniqueStream();
    await product.appendToStream(stream, note());
    const unbatched = eventStoreClient(store.connectionString, ANY_LOG);
    for (const call of [
      () => product.deleteStream(stream),
      () => product.tombstoneStream(stream),
      () => unbatched.setStreamMetadata(stream, { truncateBefore: 5 }),
    ]) {
      expect(inspect(await refusal(call()), { depth: 5 })).toMatch(
        new RegExp(
          `(${PERMISSION_DENIED} PERMISSION_DENIED: |code: ${PERMISSION_DENIED}).*deletes nothing`,
          's',
        ),
      );
    }
    await refusal(product.setStreamMetadata(stream, { truncateBefore: 5 }));
    expect(await collect(product.readStream(stream))).toHaveLength(1);
    await unbatched.dispose();
  });

  it('takes a new secret while it runs, and the old one for a minute more', async () => {
    const features = ServerFeaturesService.getSupportedMethods.path;
    writeDurably(secretFile, 'second-secret\nfirst-secret');
    // Its own client knows the old one still.
    await product.appendToStream(uniqueStream(), note());
    expect(await codeOf(features, 'second-secret')).toBe(status.OK);
    expect(await codeOf(features, 'first-secret')).toBe(status.OK);
    const passed = Date.now() / 1000 - 61;
    utimesSync(secretFile, passed, passed);
    expect(await codeOf(features, 'unknown')).toBe(status.UNAUTHENTICATED);
    expect(await codeOf(features, 'first-secret')).toBe(status.UNAUTHENTICATED);
    expect(await codeOf(features, 'second-secret')).toBe(status.OK);
    const late = eventStoreClient(store.connectionString, ANY_LOG);
    await late.appendToStream(uniqueStream(), note());
    await late.dispose();
  });

  it('has the name of the file in its address, and not the secret', async () => {
    expect(existsSync(secretFile)).toBe(true);
    expect(store.connectionString).not.toMatch(/first-secret|second-secret/);
    expect(() =>
      eventStoreClient(`esdb://store.example:2113?tls=false&secretFile=${secretFile}`, ANY_LOG),
    ).toThrow(/this machine/);
  });
});
