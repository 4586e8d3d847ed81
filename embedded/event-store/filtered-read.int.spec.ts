import {
  credentials,
  EventStoreDBClient,
  jsonEvent,
  startEventStore,
  Empty,
  streams,
  StreamsClient,
} from '../../test-support/event-store/event-store-parts.js';
import { createTestDatabase } from '../../test-support/database/database.js';
import { shared } from '../../test-support/shared.js';

type FilterOptions = InstanceType<typeof streams.ReadReq.Options.FilterOptions>;

// The official client of this version cannot ask for a filtered read of the whole log; others can.
describe('a filtered read of the whole log', () => {
  const database = shared(() => createTestDatabase());
  const store = shared(() => startEventStore({ databaseUrl: database.url }));
  const raw = shared(() => new StreamsClient(`127.0.0.1:${store.port}`, credentials.createInsecure()));
  beforeAll(async () => {
    const client = EventStoreDBClient.connectionString(store.connectionString);
    for (let n = 0; n < 100; n += 1) {
      const event = jsonEvent({ type: n % 2 === 0 ? 'Even' : 'Odd', data: {} });
      await client.appendToStream(`kind${n % 5}-${n}`, event);
    }
    await client.dispose();
  });

  function read(
    direction: 'FORWARDS' | 'BACKWARDS',
    count: number,
    filter: (options: FilterOptions) => void,
  ): Promise<number[]> {
    const filterOptions = new streams.ReadReq.Options.FilterOptions().setCount(new Empty());
    filter(filterOptions);
    const all = new streams.ReadReq.Options.AllOptions();
    if (direction === 'FORWARDS') all.setStart(new Empty());
    else all.setEnd(new Empty());
    const options = new streams.ReadReq.Options()
      .setAll(all)
      .setCount(String(count))
      .setReadDirection(streams.ReadReq.Options.ReadDirection[direction])
      .setFilter(filterOptions)
      .setUuidOption(new streams.ReadReq.Options.UUIDOption().setString(new Empty()));
    const call = raw.read(new streams.ReadReq().setOptions(options));
    return new Promise((resolve, reject) => {
      const positions: number[] = [];
      call.on('data', (answer: InstanceType<typeof streams.ReadResp>) =>
        positions.push(Number(answer.getEvent()?.getCommitPosition())),
      );
      call.on('end', () => resolve(positions));
      call.on('error', reject);
    });
  }
  const expression = () => new streams.ReadReq.Options.FilterOptions.Expression();
  const byKind = (options: FilterOptions) =>
    options.setStreamIdentifier(expression().setPrefixList(['kind1-', 'kind3-']));
  const byType = (options: FilterOptions) => options.setEventType(expression().setRegex('^E'));
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
