import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AllStreamSubscription,
  END,
  eventTypeFilter,
  excludeSystemEvents,
  jsonEvent,
  type Position,
  type ResolvedEvent,
  START,
  StreamDeletedError,
  streamNameFilter,
  type StreamSubscription,
  TimeoutError,
} from '../../test-support/event-store/event-store-parts.js';
import {
  caughtUp,
  collect,
  eventually,
  openEventStoreUnderTest,
  type EventStoreUnderTest,
  uniqueCategory,
  uniqueStream,
} from '../../test-support/event-store/event-store-under-test.js';
import { shared } from '../../test-support/shared.js';

const note = (n = 0, type = 'Noted') => jsonEvent({ type, data: { n } });
const notes = (count: number) => Array.from({ length: count }, (_, n) => note(n));
/** A number of gRPC. */
const ABORTED = 10;
const at = (commit: bigint): Position => ({ commit, prepare: commit });

describe('subscribing', () => {
  const open: (AllStreamSubscription | StreamSubscription)[] = [];
  const store = shared(() => openEventStoreUnderTest());
  const append = (...args: Parameters<EventStoreUnderTest['client']['appendToStream']>) =>
    store.client.appendToStream(...args);
  afterEach(async () => {
    for (const subscription of open.splice(0)) await subscription.unsubscribe();
  });

  /** Keeps what a subscription brings. */
  function follow<S extends AllStreamSubscription | StreamSubscription>(subscription: S) {
    open.push(subscription);
    const events: ResolvedEvent[] = [];
    const errors: Error[] = [];
    subscription.on('data', (event: ResolvedEvent) => events.push(event));
    subscription.on('error', (error: Error) => errors.push(error));
    const revisions = () => events.map(({ event }) => Number(event!.revision));
    return { subscription, events, errors, revisions, live: caughtUp(subscription) };
  }
  /** Keeps what its subscriptions bring: where one is ended as too slow, it subscribes anew after the last event. */
  function followOn(
    subscribe: (after: ResolvedEvent | undefined) => AllStreamSubscription | StreamSubscription,
  ) {
    const events: ResolvedEvent[] = [];
    const failures: Error[] = [];
    const goOn = () => {
      const subscription = subscribe(events.at(-1));
      open.push(subscription);
      subscription.on('data', (event: ResolvedEvent) => events.push(event));
      subscription.once('error', (error: Error) => {
        if (error instanceof TimeoutError) goOn();
        else failures.push(error);
      });
    };
    goOn();
    return { events, failures };
  }
  const toStream = (stream: string, from?: bigint | typeof START | typeof END) =>
    follow(store.client.subscribeToStream(stream, from === undefined ? {} : { fromRevision: from }));

  describe('to one stream', () => {
    it.each<[string, bigint | typeof START | typeof END, there: number, coming: number, from: number]>([
      ['from the start: what is there, then what comes', START, 700, 2, 0],
      ['from a revision: what comes after it', 2n, 5, 1, 3],
      ['from the end: what comes', END, 5, 2, 5],
      ['that is not there yet, from its end: what comes', END, 0, 2, 0],
      ['from beyond its end: what comes once it is that long', 3n, 2, 4, 4],
    ])('%s', async (_what, fromRevision, there, coming, from) => {
      const stream = uniqueStream();
      if (there > 0) await append(stream, notes(there));
      const follower = toStream(stream, fromRevision);
      await follower.live;
      expect(follower.events).toHaveLength(Math.max(0, there - from));
      await append(uniqueStream(), note());
      await append(stream, notes(coming));
      const revisions = Array.from({ length: there + coming - from }, (_, n) => from + n);
      await eventually(() => follower.events.length >= revisions.length);
      expect(follower.revisions()).toEqual(revisions);
    });

    it('that is not there yet', async () => {
      const stream = uniqueStream();
      const follower = toStream(stream);
      let isLive = false;
      void follower.live.then(() => (isLive = true));
      await new Promise((resolve) => follower.subscription.once('confirmation', resolve));
      await append(uniqueStream(), note());
      await sleep(150);
      // There is nothing yet that it could have caught up with.
      expect(isLive).toBe(false);
      await append(stream, notes(2));
      await follower.live;
      expect(follower.revisions()).toEqual([0, 1]);
    });

    it('leaves out what its metadata hides', async () => {
      const stream = uniqueStream();
      await append(stream, notes(5));
      await store.client.setStreamMetadata(stream, { truncateBefore: 3 });
      const follower = toStream(stream);
      await follower.live;
      expect(follower.revisions()).toEqual([3, 4]);
    });

    it('ends when the stream is tombstoned', async () => {
      const stream = uniqueStream();
      await append(stream, note());
      const follower = toStream(stream);
      await follower.live;
      await store.client.tombstoneStream(stream);
      await eventually(() => follower.errors.length > 0);
      expect(follower.errors[0]).toBeInstanceOf(StreamDeletedError);
    });
  });

  describe('to the whole log', () => {
    it.each<[string, (reached: Position) => Position | typeof END, bigint[]]>([
      ['from a position: what comes after it', (reached) => reached, [2n, 3n, 4n]],
      ['from the end: what comes', () => END, [4n]],
      ['from beyond the end: what comes', ({ commit }) => at(commit + 1_000_000n), [4n]],
    ])('%s', async (_what, from, revisions) => {
      const stream = uniqueStream();
      const { position } = await append(stream, notes(2));
      await append(stream, notes(2));
      const follower = follow(store.client.subscribeToAll({ fromPosition: from(position!) }));
      await follower.live;
      await append(stream, note());
      const mine = () => follower.events.filter(({ event }) => event?.streamId === stream);
      await eventually(() => mine().length >= revisions.length);
      expect(mine().map(({ event }) => event?.revision)).toEqual(revisions);
      expect(mine()[0]?.commitPosition).toBe(mine()[0]?.event?.position?.commit);
    });

    it('without system events', async () => {
      const stream = uniqueStream();
      await store.client.setStreamMetadata(stream, { maxCount: 9 });
      const filter = excludeSystemEvents();
      const follower = follow(store.client.subscribeToAll({ fromPosition: START, filter }));
      await follower.live;
      await store.client.setStreamMetadata(stream, { maxCount: 8 });
      await append(stream, note());
      await eventually(() => follower.events.some(({ event }) => event?.streamId === stream));
      expect(follower.events.filter(({ event }) => event?.type.startsWith('$'))).toEqual([]);
    });

    it('filtered by streams or types, by beginnings or expressions: the matches, past and coming', async () => {
      const [a, b] = [uniqueCategory(), uniqueCategory()];
      const ofA = (stream: string) => stream.startsWith(`${a}-`);
      const typeOfA = (_stream: string, type: string) => type.startsWith(`${a}.`);
      const cases = [
        {
          filter: streamNameFilter({ prefixes: [`${a}-`, `${b}-`] }),
          matches: (stream: string) => ofA(stream) || stream.startsWith(`${b}-`),
        },
        // Within a category, and without a dash.
        {
          filter: streamNameFilter({ prefixes: [`${a}-o`] }),
          matches: (stream: string) => stream === `${a}-one`,
        },
        { filter: streamNameFilter({ prefixes: [a] }), matches: ofA },
        { filter: streamNameFilter({ regex: `^${a}-(one|two)$` }), matches: ofA },
        { filter: eventTypeFilter({ prefixes: [`${a}.`] }), matches: typeOfA },
        { filter: eventTypeFilter({ regex: `^${a}[.]` }), matches: typeOfA },
      ];
      const written: [stream: string, type: string, name: string][] = [];
      const write = async (n: number) => {
        for (const stream of [`${a}-one`, `${b}-one`, `${a}-two`, `other-${a}`]) {
          for (const type of [`${a}.Noted`, 'Noted']) {
            const { nextExpectedRevision } = await append(stream, note(n, type));
            written.push([stream, type, `${stream}/${nextExpectedRevision}`]);
          }
        }
      };
      for (let n = 0; n < 3; n += 1) await write(n);
      const followers = cases.map(({ filter }) =>
        follow(store.client.subscribeToAll({ fromPosition: START, filter })),
      );
      await Promise.all(followers.map(({ live }) => live));
      for (let n = 0; n < 2; n += 1) await write(n);
      for (const [at, { matches }] of cases.entries()) {
        const want = written.filter(([stream, type]) => matches(stream, type)).map(([, , name]) => name);
        const { events = [] } = followers[at] ?? {};
        await eventually(() => events.length >= want.length);
        expect(events.map(({ event }) => `${event?.streamId}/${event?.revision}`)).toEqual(want);
      }
    });

    it('reports checkpoints, also past events that do not match', async () => {
      const category = uniqueCategory();
      const checkpoints: Position[] = [];
      const filter = streamNameFilter({
        prefixes: [`${category}-`],
        maxSearchWindow: 10,
        checkpointInterval: 2,
        checkpointReached: async (_subscription, position) => void checkpoints.push(position),
      });
      const matching = await append(`${category}-1`, notes(1));
      for (let n = 0; n < 10; n += 1) await append(uniqueStream(), notes(10));
      const follower = follow(store.client.subscribeToAll({ fromPosition: START, filter }));
      await follower.live;
      expect(checkpoints.length).toBeGreaterThan(0);
      expect(checkpoints.at(-1)!.commit).toBeGreaterThan(matching.position!.commit);

      // Live, none of them matches: a restart must not have to look at all of them again.
      const before = checkpoints.length;
      let last: Position | undefined;
      for (let n = 0; n < 10; n += 1) {
        last = (await append(uniqueStream(), notes(10))).position;
      }
      await eventually(() => checkpoints.length > before + 2);
      expect(follower.events).toHaveLength(1);
      for (let n = 1; n < checkpoints.length; n += 1) {
        expect(checkpoints[n]!.commit).toBeGreaterThan(checkpoints[n - 1]!.commit);
      }
      expect(checkpoints.at(-1)!.commit).toBeLessThanOrEqual(last!.commit);
    });

    it('goes on from a checkpoint without a gap or a repeat', async () => {
      const category = uniqueCategory();
      const seen: string[] = [];
      let checkpoint: Position | undefined;
      let sinceCheckpoint: string[] = [];
      let current: AllStreamSubscription | undefined;
      const begin = (fromPosition: Position | typeof START) => {
        const { subscription } = follow(store.client.subscribeToAll({ fromPosition, filter }));
        current = subscription;
        subscription.on('data', ({ event }: ResolvedEvent) => {
          if (subscription === current) sinceCheckpoint.push(`${event?.streamId}/${event?.revision}`);
        });
        return subscription;
      };
      const filter = streamNameFilter({
        prefixes: [`${category}-`],
        maxSearchWindow: 5,
        checkpointReached: async (subscription, position) => {
          // What still comes of one that was left counts for nothing.
          if (subscription !== current) return;
          checkpoint = position;
          seen.push(...sinceCheckpoint);
          sinceCheckpoint = [];
        },
      });
      for (let n = 0; n < 60; n += 1) {
        await append(`${category}-${n % 3}`, note());
        await append(uniqueStream(), note());
      }
      const first = begin(START);
      await eventually(() => seen.length >= 20);
      current = undefined;
      await first.unsubscribe();
      sinceCheckpoint = [];
      begin(checkpoint!);
      await eventually(() => seen.length + sinceCheckpoint.length >= 60);
      const want = Array.from({ length: 60 }, (_, n) => `${category}-${n % 3}/${Math.floor(n / 3)}`);
      expect([...seen, ...sinceCheckpoint]).toEqual(want);
    });
  });

  describe('too slowly', () => {
    const filter = streamNameFilter({ prefixes: ['test-'] });
    it('ends it while it is live, after what was sent before, in order', async () => {
      const stream = uniqueStream();
      await append(stream, note());
      const followers = [
        follow(store.client.subscribeToAll({ fromPosition: END })),
        follow(store.client.subscribeToAll({ fromPosition: END, filter })),
        follow(store.client.subscribeToStream(stream, { fromRevision: END })),
      ];
      await Promise.all(followers.map(({ live }) => live));
      await append(stream, note());
      await eventually(() => followers.every(({ events }) => events.length === 1));
      for (const { subscription } of followers) subscription.pause();
      for (let n = 1; n < 1_500; n += 50) await append(stream, notes(50));
      for (const { subscription } of followers) subscription.resume();
      await eventually(() => followers.every(({ errors }) => errors.length > 0));
      for (const { errors, revisions } of followers) {
        expect(errors[0]).toBeInstanceOf(TimeoutError);
        expect(errors[0]).toMatchObject({ code: ABORTED });
        expect(errors[0]?.message).toContain(
          'Consumer too slow to handle event while live. Client resubscription required.',
        );
        // How many it was sent before is a matter of time.
        expect(revisions()).toEqual(revisions().map((_, n) => n + 1));
      }
      // None of that is anything to who begins where it was ended.
      const [{ revisions, errors } = followers[0]!] = followers.slice(2);
      const rest = toStream(stream, BigInt(revisions().at(-1)!));
      await rest.live;
      await eventually(() => revisions().length + rest.events.length >= 1_501);
      expect([...revisions(), ...rest.revisions()]).toEqual(Array.from({ length: 1_501 }, (_, n) => n + 1));
      expect([errors.length, rest.errors]).toEqual([1, []]);
    });

    it('does not end it while it catches up, however long that takes', async () => {
      const stream = uniqueStream();
      for (let n = 0; n < 3_000; n += 500) await append(stream, notes(500));
      const subscription = store.client.subscribeToStream(stream);
      const seen: number[] = [];
      const errors: Error[] = [];
      open.push(subscription);
      subscription.on('error', (error: Error) => errors.push(error));
      for await (const { event } of subscription) {
        seen.push(Number(event!.revision));
        if (seen.length % 500 === 0) await sleep(20);
        if (seen.length === 1_000) for (let n = 0; n < 5; n += 1) await append(stream, notes(100));
        if (seen.length === 3_500) break;
      }
      expect(seen).toEqual(Array.from({ length: 3_500 }, (_, n) => n));
      expect(errors).toEqual([]);
    });
  });

  it('brings nothing more after unsubscribing', async () => {
    const stream = uniqueStream();
    await append(stream, note());
    const follower = toStream(stream, END);
    await follower.live;
    await append(stream, note());
    await eventually(() => follower.events.length === 1);
    await follower.subscription.unsubscribe();
    await append(stream, note());
    await sleep(100);
    expect(follower.events).toHaveLength(1);
    expect(follower.errors).toEqual([]);
  });

  it('has no gap and no repeat while 16 writers write and subscribers join at any time', async () => {
    const category = uniqueCategory();
    const WRITERS = 16;
    const EVENTS = 40;
    const filter = streamNameFilter({ prefixes: [`${category}-`] });
    const followers: ReturnType<typeof followOn>[] = [];
    const streamFollowers: [string, ReturnType<typeof followOn>][] = [];
    let writing = true;
    const writers = Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (let n = 0; n < EVENTS; n += 2) {
          await append(`${category}-${writer}`, [note(n), note(n + 1)]);
        }
      }),
    ).then(() => (writing = false));
    while (writing && followers.length < 6) {
      followers.push(
        followOn((last) =>
          store.client.subscribeToAll({ fromPosition: last?.event?.position ?? START, filter }),
        ),
      );
      const stream = `${category}-${followers.length % WRITERS}`;
      const follower = followOn((last) =>
        store.client.subscribeToStream(stream, { fromRevision: last?.event?.revision ?? START }),
      );
      streamFollowers.push([stream, follower]);
      await sleep(Math.random() * 30);
    }
    await writers;
    const total = WRITERS * EVENTS;
    const log = (await collect(store.client.readAll()))
      .filter(({ event }) => event?.streamId.startsWith(`${category}-`))
      .map(({ event }) => event!.position.commit);
    expect(log).toHaveLength(total);
    await eventually(() => followers.every(({ events }) => events.length >= total));
    await eventually(() => streamFollowers.every(([, { events }]) => events.length >= EVENTS));
    for (const { events, failures } of followers) {
      expect(events.map(({ event }) => event!.position!.commit)).toEqual(log);
      expect(failures).toEqual([]);
    }
    for (const [stream, { events }] of streamFollowers) {
      expect(events.map(({ event }) => event!.streamId)).toEqual(events.map(() => stream));
      expect(events.map(({ event }) => Number(event!.revision))).toEqual(events.map((_, n) => n));
    }
  });
});
