import type { Duplex, Readable } from 'node:stream';
import {
  credentials as channelCredentials,
  status,
  type CallOptions,
  type Channel,
  type Client,
  type ChannelCredentials,
  type Metadata,
} from '@grpc/grpc-js';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ANY,
  EventStoreDBClient,
  UnavailableError,
  UnknownError,
  type AppendResult,
  type AllStreamSubscription,
  type AppendToStreamOptions,
  type EventData,
  type EventType,
  type ResolvedEvent,
  type SubscribeToAllOptions,
} from '@eventstore/db-client';
import discovery from '@eventstore/db-client/dist/Client/discovery.js';
import streams from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { EventStoreAddress } from './event-store-address.js';
import { SharedSecret } from '../shared-secret.js';
import { withDeadline } from '../deadline.js';
import { BatchedAppends } from './batched-appends.js';
import { withCustomDecoding } from './custom-decoding.js';
import { WrongLog, type Acknowledged, type LogProof } from './log-proof.js';
import { CHUNKS_HEADER } from './chunks.js';
import { EventChunk } from './read-answers.js';
import { WatchedChannel } from './watched-channel.js';

/** PEM texts. */
export interface ChannelFiles {
  rootCertificate?: Buffer;
  userCertFile?: Buffer;
  userKeyFile?: Buffer;
}

/** How a client uses its store. */
export interface StoreUse {
  /** Of each connection, before anything else is asked over it, and again after a call that failed. */
  proof: LogProof;
  /** Whether appends that are under way at the same time share a call, where the store can do that. */
  batched: boolean;
  /** Whether the store lives in this process: then there is no better connection to it than the one that there is. */
  isOwn: boolean;
}

/** Of a call: what it asks the store for with `CHUNKS_HEADER`. */
const KEPT_FOR = Symbol('kept for');
interface InPieces {
  [KEPT_FOR]?: number;
}

/** What a subscription makes of an event before it gives it on. */
interface Converting {
  readonly convertGrpcEvent: (event: unknown) => ResolvedEvent | ResolvedEvent[];
}

/** Reconnect backoff in milliseconds, from the first to the longest. */
const BACKOFF = { first: 250, last: 5_000 };
/** Milliseconds without a sign of the store that count as silence, while a call waits. */
const SILENCE = 1_500;
/** Milliseconds that a cluster may take to elect another leader and to tell all nodes, and between two looks. */
const ELECTION = 20_000;
const LOOK_AGAIN = 250;
/** Milliseconds after a wrong log was found, until it is looked again which one is there. */
const LOOK_FOR_RIGHT_ONE = 1_000;
/** Of work that is not for one caller alone. */
const NONE = { left: () => Infinity };
/** Seconds in which a node says who is in the cluster, if it is not silent still. */
const SIGN_OF_LIFE = 1;
/** Events have up to 16 MB; this is the client's own limit. */
const LARGEST_MESSAGE = 17 * 1024 * 1024;
/** Bytes of events in one message of a batched append; the client's own default. */
const LARGEST_BATCH = 3 * 1024 * 1024;
/** Bytes that a store may send ahead. With HTTP/2's own 64 KB, store and reader would work by turns. */
const WINDOW = 1024 * 1024;

/**
 * The official client, made resilient to broken connections:
 *
 * - It reconnects within five seconds of the store's return; by default it would wait up to two minutes.
 * - A failed discovery fails the waiting calls, not the process, and is not cached: by default, every later append gets
 *   the cached failure, and it is thrown where nobody can catch it.
 * - Each append is a call of its own, or batched in a call of ours: the client's own batches share one map of promises in the
 *   whole process. When one connection breaks, those of another are dropped, and their late answers end the process.
 * - Nothing is asked over a connection before it is proved that the right log is behind it. A connection is never replaced
 *   by another without the client's knowledge, and a proof holds until a call fails.
 * - A connection on which nothing is heard any more can be left before its keep-alive runs out: a leader that hangs keeps
 *   its connections, while the cluster has another one.
 */
export class ResilientEventStoreClient extends EventStoreDBClient {
  /** Whether another node may answer where one does not. */
  readonly isCluster: boolean;
  private readonly use: StoreUse;
  /** The store is of a version that takes one append a call. */
  private lacksBatches = false;
  /** The open call of each connection, with the appends in it. */
  private readonly batchCalls = new WeakMap<
    InstanceType<typeof streams.StreamsClient>,
    BatchedAppends['call']
  >();
  private readonly batches = new WeakMap<BatchedAppends['call'], BatchedAppends>();
  private present: WatchedChannel | undefined;
  /** With their nodes: the present one, and those before it that have calls still. */
  private readonly channels = new Map<WatchedChannel, string>();
  /** Of the latest channel: a new one is made where that failed. */
  private uri: string | undefined;
  /** The log that was proved last. */
  private logId: string | undefined;
  /** The highest place that the store acknowledged. */
  private acknowledged: Acknowledged | undefined;
  /** What was found instead of the right log. */
  private wrong: { error: WrongLog; until: number } | undefined;
  /** The node that was left last, and when. */
  private silent: { uri: string; at: number } | undefined;

  constructor(
    { hosts, isCluster, tls, credentials, secretFile, options }: EventStoreAddress,
    files: ChannelFiles,
    use: StoreUse,
  ) {
    const [first] = hosts;
    if (!first) throw new Error('An event store has a host.');
    const security = { insecure: !tls, ...files };
    // The channel sets its own keep-alive: the client would print a warning about short intervals.
    const { keepAliveInterval: _interval, keepAliveTimeout: _timeout, ...others } = options;
    if (isCluster) super({ endpoints: hosts, ...others }, security, credentials);
    else super({ endpoint: first, ...others }, security, credentials);

    // No parameter property: TypeScript sets those before the call of the one constructor or the other.
    this.use = use;
    this.isCluster = isCluster;
    // What the store can do is found out by its refusal: where asking it fails once, the client may go on failing.
    this.supports = async () => false;
    const resolve = this.resolveUri;
    this.resolveUri = async () => {
      // The client would often ask the node first that has just failed, and wait for it.
      const avoided = this.recentlySilent ?? this.uri;
      const left = hosts.length > 1 ? hosts.findIndex((host) => uriOf(host) === avoided) : -1;
      const aside = left >= 0 ? hosts.splice(left, 1) : [];
      const ask = async (endpoints: Node[], options = {}) =>
        uriOf(await discovery.discoverEndpoint({ ...others, ...options, endpoints }, secured));
      try {
        return await this.leading(
          resolve,
          () => ask(hosts),
          (uri) => ask([nodeOf(uri)], { maxDiscoverAttempts: 1, gossipTimeout: SIGN_OF_LIFE }),
        );
      } catch {
        return uriOf(hosts[0] ?? first);
      } finally {
        hosts.push(...aside);
      }
    };
    const secured = tls
      ? channelCredentials.createSsl(
          files.rootCertificate ?? null,
          files.userKeyFile ?? null,
          files.userCertFile ?? null,
        )
      : channelCredentials.createInsecure();
    const secret = secretFile === undefined ? undefined : new SharedSecret(secretFile);
    const { callArguments } = this;
    this.callArguments = (base: Parameters<typeof callArguments>[0] & InPieces, ...of) => {
      const [metadata, callOptions] = callArguments(base, ...of);
      const keptFor = base[KEPT_FOR];
      if (keptFor !== undefined) metadata.set(CHUNKS_HEADER, String(keptFor));
      return [metadata, callOptions];
    };
    // Private, but the only places where a channel gets its options, and a service its client.
    const { createGRPCClient, getGRPCClient } = this as unknown as PrivateClient;
    Object.assign(this, {
      createChannel: () => this.channel(secured, options, secret),
      createGRPCClient: async (service: Service) => withCustomDecoding(await createGRPCClient(service)),
      getGRPCClient: async (service: Service, debugName: string) => {
        if (this.isProved) return getGRPCClient(service, debugName);
        if (this.wrong && performance.now() < this.wrong.until) throw this.wrong.error;
        const channelOf = async () =>
          (await getGRPCClient(service, debugName)).getChannel() as WatchedChannel;
        let channel = await channelOf();
        if (channel.isClosed) {
          await this.abandon(channel);
          channel = await channelOf();
        }
        await this.proved(channel, (only) => {
          const bound = new EventStoreDBClient({ endpoint: first, ...others }, security, credentials);
          return Object.assign(bound, overOne(only));
        });
        if (channel.isClosed) throw new UnavailableError();
        return getGRPCClient(service, debugName);
      },
    });
  }

  /**
   * Proves, unless that was done, that the right log is behind the connection.
   * @returns the identity of the log; nothing where any log is right
   * @throws WrongLog; the error of the log or the database when it is unavailable
   */
  async confirm(): Promise<string | undefined> {
    if (!this.isProved)
      await (this as unknown as PrivateClient).getGRPCClient(streams.StreamsClient, 'confirm');
    return this.logId;
  }

  /** Proves anew before the next call: the log may have been moved meanwhile. */
  doubt(): void {
    for (const channel of this.channels.keys()) channel.doubt();
  }

  /** Whether the next call needs no proof first. */
  private get isProved(): boolean {
    return this.present?.isProved === true && !this.present.isClosed;
  }

  private async proved(
    channel: WatchedChannel,
    over: (channel: WatchedChannel) => EventStoreDBClient,
  ): Promise<void> {
    const began = performance.now();
    const prove = async () => {
      this.logId = await this.use.proof(over(channel), this.acknowledged);
      this.wrong = undefined;
    };
    // All who come meanwhile wait for the same one: it has nobody's deadline.
    const proof = (channel.proof ??= withDeadline(NONE, prove));
    try {
      await proof;
      channel.isProved = channel.proof === proof;
    } catch (error) {
      if (channel.proof === proof) channel.doubt();
      if (error instanceof WrongLog) {
        this.wrong = { error, until: performance.now() + LOOK_FOR_RIGHT_ONE };
        await this.abandon(channel);
        // What follows it follows the wrong log.
        channel.cutOff();
      } else {
        await this.abandon(channel, error as Error);
        this.leaveIfSilent(began);
      }
      throw error;
    }
  }

  /** @throws as that of the official client does */
  override async appendToStream<Known extends EventType = EventType>(
    stream: string,
    events: EventData<Known> | EventData<Known>[],
    options: AppendToStreamOptions = {},
  ): Promise<AppendResult> {
    const result = await this.append(stream, events, options);
    const { commit, prepare } = result.position ?? { commit: -1n, prepare: -1n };
    const { logId } = this;
    const highest = this.acknowledged?.logId === logId ? BigInt(this.acknowledged?.commit ?? -1) : -1n;
    if (logId !== undefined && commit > highest) {
      // Of several events at once, the store does not say which one is there.
      this.acknowledged = { logId, commit: String(commit), prepare: String(prepare), event: null };
    }
    return result;
  }

  private async append(
    stream: string,
    events: EventData | EventData[],
    options: AppendToStreamOptions,
  ): Promise<AppendResult> {
    if (!this.use.batched || this.lacksBatches || options.credentials) {
      return super.appendToStream(stream, events, options);
    }
    try {
      return await this.appendInBatch(stream, Array.isArray(events) ? events : [events], options);
    } catch (error) {
      if ((error as { code?: unknown }).code === status.UNIMPLEMENTED) {
        this.lacksBatches = true;
        return super.appendToStream(stream, events, options);
      }
      if (!this.isCluster || !isRefusedByMessage(error)) throw error;
      // It lost its leader: whoever asks anew waits until there is another one, and gets to it.
      const away = new UnavailableError();
      await this.leave(away);
      throw away;
    }
  }

  private async appendInBatch(
    stream: string,
    events: readonly EventData[],
    options: AppendToStreamOptions,
  ): Promise<AppendResult> {
    const { expectedRevision = ANY, batchAppendSize = LARGEST_BATCH, deadline } = options;
    const openOrOpened = this.GRPCStreamCreator(
      streams.StreamsClient,
      'appendToStream',
      (service) => {
        const batched = BatchedAppends.open(service, ...this.callArguments(options, { deadline: Infinity }));
        this.batches.set(batched.call, batched);
        return batched.call;
      },
      this.batchCalls,
    );
    const batched = this.batches.get(await openOrOpened());
    if (!batched) throw new Error('The call of batched appends is none of ours.');
    return batched.append({
      stream,
      expected: expectedRevision,
      within: this.createDeadline(deadline).getTime() - Date.now(),
      events,
      messageBytes: batchAppendSize,
    });
  }

  /**
   * As `subscribeToAll`; of events that a store of ours sends as one, all together as an array.
   * @param keepMs milliseconds for which the store may keep what is new, to send it with what comes then
   */
  subscribeInChunks(
    options: SubscribeToAllOptions,
    highWaterMark: number,
    keepMs: number,
  ): AllStreamSubscription {
    // Passed on to `callArguments`.
    const asked: SubscribeToAllOptions & InPieces = { ...options, [KEPT_FOR]: keepMs };
    const subscription = super.subscribeToAll(asked, { highWaterMark });
    const { convertGrpcEvent: resolved } = subscription as unknown as Converting;
    const converting: Converting = {
      convertGrpcEvent: (event) =>
        event instanceof EventChunk
          ? event.events.map((each) => resolved(each) as ResolvedEvent)
          : resolved(event),
    };
    return Object.assign(subscription, converting);
  }

  /**
   * A call of the service of streams in its own messages, on the leader: the client's methods parse events and write them
   * anew, and some bytes are not the same afterwards.
   */
  openCall<Call extends Readable | Duplex>(
    open: (
      service: InstanceType<typeof streams.StreamsClient>,
      metadata: Metadata,
      options: CallOptions,
    ) => Call,
  ): Promise<Call> {
    return this.GRPCStreamCreator(streams.StreamsClient, 'openCall', (service) =>
      open(service, ...this.callArguments({ requiresLeader: true }, { deadline: Infinity })),
    )();
  }

  /**
   * Leaves the connection if nothing was heard on it: its calls, subscriptions too, end as unavailable, and the next ones ask
   * anew who leads. Not a store in this process.
   * @param since when a call began that waits in vain, by `performance.now()`
   */
  leaveIfSilent(since: number): void {
    const { present } = this;
    if (this.use.isOwn || !present || present.silentFor(since) < SILENCE) return;
    const uri = this.channels.get(present);
    if (this.isCluster && uri !== undefined) this.silent = { uri, at: performance.now() };
    void this.leave(new UnavailableError()).then(() => this.cutOff((each) => each === uri));
  }

  /** The next call gets another connection, as where the client itself finds a node unavailable. */
  private async leave(reason: Error): Promise<void> {
    const { present } = this;
    if (!present) return;
    this.present = undefined;
    await this.abandon(present, reason);
  }

  /** The next call does not use this connection. */
  private async abandon(channel: WatchedChannel, reason: Error = new UnavailableError()): Promise<void> {
    await (this as unknown as PrivateClient).handleError({ getChannel: () => channel }, reason);
  }

  /** Ends all calls to some nodes: a channel that is closed keeps them, subscriptions above all, wherever it leads. */
  private cutOff(where: (uri: string) => boolean): void {
    for (const [channel, uri] of this.channels) {
      if (where(uri)) channel.cutOff();
      if (channel.isIdle && channel !== this.present) this.channels.delete(channel);
    }
  }

  /** The node that was left for its silence, while its cluster may still take it for the leader. */
  private get recentlySilent(): string | undefined {
    const { silent } = this;
    return silent && performance.now() - silent.at < ELECTION ? silent.uri : undefined;
  }

  /**
   * The node that leads. The others of a cluster go on naming one that fell silent, or whose connection was lost, until they
   * have elected another one: it counts only once it gives a sign of life.
   */
  private async leading(
    resolve: () => Promise<string>,
    discover: () => Promise<string>,
    signOfLife: (uri: string) => Promise<unknown>,
  ): Promise<string> {
    const suspects = this.isCluster ? [this.uri, this.recentlySilent] : [];
    const began = performance.now();
    let uri = await resolve();
    while (suspects.includes(uri) && performance.now() - began < ELECTION) {
      const lives = signOfLife(uri).then(
        () => true,
        () => sleep(LOOK_AGAIN, false),
      );
      if (await Promise.race([lives, sleep(LOOK_AGAIN, false)])) break;
      uri = await discover();
    }
    return uri;
  }

  private async channel(
    security: ChannelCredentials,
    { keepAliveInterval, keepAliveTimeout }: EventStoreAddress['options'],
    secret: SharedSecret | undefined,
  ): Promise<Channel> {
    // Until there is another one, nobody waits for a sign of the node before.
    this.present = undefined;
    this.uri = await this.resolveUri();
    const channel = new WatchedChannel(this.uri, security, {
      'grpc.keepalive_time_ms': keepAliveInterval,
      'grpc.keepalive_timeout_ms': keepAliveTimeout,
      'grpc.initial_reconnect_backoff_ms': BACKOFF.first,
      'grpc.max_reconnect_backoff_ms': BACKOFF.last,
      'grpc.max_receive_message_length': LARGEST_MESSAGE,
      'grpc-node.flow_control_window': WINDOW,
      // Channels to one address would share a connection: a new one would be as silent as that which was left.
      'grpc.use_local_subchannel_pool': 1,
    });
    this.present = channel;
    this.channels.set(channel, this.uri);
    // What follows the log follows it where appends go: nobody would notice that another node fell silent.
    this.cutOff((uri) => this.isCluster && uri !== this.uri);
    return secret ? withSecret(channel, secret) : channel;
  }
}

/** Of one append among batched ones, a store can only say in words that it takes none for now: the error has no code. */
export function isRefusedByMessage(error: unknown): boolean {
  return error instanceof UnknownError && error.code === undefined;
}

type Service = new (address: null, security: null, options: { channelOverride: Channel }) => Client;

/** What the official client keeps to itself. */
interface PrivateClient {
  createGRPCClient: (service: Service) => Promise<Client>;
  getGRPCClient: (service: unknown, debugName: string) => Promise<Client>;
  handleError: (of: { getChannel(): Channel }, error: Error) => Promise<void>;
}

/** Makes a client ask over one connection and no other, whatever becomes of it. */
function overOne(channelOverride: Channel) {
  return {
    getGRPCClient: async (service: Service) =>
      withCustomDecoding(new service(null, null, { channelOverride })),
    handleError: async () => undefined,
    supports: async () => false,
  };
}

type Node = EventStoreAddress['hosts'][number];
const uriOf = ({ address, port }: Node) => `${address}:${port}`;
function nodeOf(uri: string): Node {
  const colon = uri.lastIndexOf(':');
  return { address: uri.slice(0, colon), port: Number(uri.slice(colon + 1)) };
}

/** Adds the secret to every call. The client's own credentials go over TLS alone, and not with every call. */
function withSecret(channel: Channel, secret: SharedSecret): Channel {
  const create = channel.createCall.bind(channel);
  channel.createCall = (...parameters) => {
    const call = create(...parameters);
    const start = call.start.bind(call);
    call.start = (metadata, listener) => {
      metadata.set('authorization', `Bearer ${secret.current}`);
      start(metadata, listener);
    };
    return call;
  };
  return channel;
}
