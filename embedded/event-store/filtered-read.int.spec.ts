import { credentials } from '@grpc/grpc-js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { createTestDatabase, type TestDatabase } from '../../test-support/database.js';
import { startEventStore, type RunningEventStore } from './event-store-server.js';

// The official client of this version cannot ask for a filtered read of the whole log; others can.
describe('a filtered read of the whole log', () => {
  let database: TestDatabase;
  let store: RunningEventStore;
  let raw: InstanceType<typeof streamsService.StreamsClient>;
  beforeAll(async () => {
    database = await createTestDatabase();
    store = await startEventStore({ databaseUrl: database.url });
    raw = new streamsService.StreamsClient(`127.0.0.1:${store.port}`, credentials.createInsecure());
    const client = EventStoreDBClient.connectionString(store.connectionString);
    for (let n = 0; n < 100; n += 1) {
      const event = jsonEvent({ type: n % 2 === 0 ? 'Even' : 'Odd', data: {} });
      await client.appendToStream(`kind${n % 5}-${n}`, event);
    }
    await client.dispose();
  });
  afterAll(async () => {
    raw.close();
    await store.stop();
    await database.drop();
  });

  function read(
    direction: 'FORWARDS' | 'BACKWARDS',
    count: number,
    filter: (options: streams.ReadReq.Options.FilterOptions) => void,
  ): Promise<number[]> {
    const filterOptions = new streams.ReadReq.Options.FilterOptions().setCount(new shared.Empty());
    filter(filterOptions);
    const all = new streams.ReadReq.Options.AllOptions();
    if (direction === 'FORWARDS') all.setStart(new shared.Empty());
    else all.setEnd(new shared.Empty());
    const options = new streams.ReadReq.Options()
      .setAll(all)
      .setCount(String(count))
      .setReadDirection(streams.ReadReq.Options.ReadDirection[direction])
      .setFilter(filterOptions)
      .setUuidOption(new streams.ReadReq.Options.UUIDOption().setString(new shared.Empty()));
    const call = raw.read(new streams.ReadReq().setOptions(options));
    return new Promise((resolve, reject) => {
      const positions: number[] = [];
      call.on('data', (answer: streams.ReadResp) =>
        positions.push(Number(answer.getEvent()?.getCommitPosition())),
      );
      call.on('end', () => resolve(positions));
      call.on('error', reject);
    });
  }
  const expression = () => new streams.ReadReq.Options.FilterOptions.Expression();
  const byKind = (options: streams.ReadReq.Options.FilterOptions) =>
    options.setStreamIdentifier(expression().setPrefixList(['kind1-', 'kind3-']));
  const byType = (options: streams.ReadReq.Options.FilterOptions) =>
    options.setEventType(expression().setRegex('^E'));
  const where = (matches: (n: number) => boolean) =>
    Array.from({ length: 100 }, (_, n) => n)
      .filter(matches)
      .map((n) => n + 1);

  it('goes forwards and backwards, by stream and by type, up to a count of matches', async () => {
    const kinds = where((n) => n % 5 === 1 || n % 5 === 3);
    const even = where((n) => n % 2 === 0);
    expect(await read('FORWARDS', 1000, byKind)).toEqual(kinds);
    expect(await read('BACKWARDS', 1000, byKind)).toEqual(kinds.toReversed());
    expect(await read('FORWARDS', 3, byKind)).toEqual(kinds.slice(0, 3));
    expect(await read('BACKWARDS', 3, byKind)).toEqual(kinds.toReversed().slice(0, 3));
    expect(await read('FORWARDS', 1000, byType)).toEqual(even);
    expect(await read('BACKWARDS', 1000, byType)).toEqual(even.toReversed());
    expect(await read('FORWARDS', 40, byType)).toEqual(even.slice(0, 40));
    expect(await read('BACKWARDS', 40, byType)).toEqual(even.toReversed().slice(0, 40));
  });

  it('refuses an expression that is none', async () => {
    const broken = read('FORWARDS', 1, (options) => options.setEventType(expression().setRegex('(')));
    await expect(broken).rejects.toMatchObject({ code: 3 });
  });
});
