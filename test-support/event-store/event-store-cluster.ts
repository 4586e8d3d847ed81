import {
  Client,
  Metadata,
  Server,
  ServerCredentials,
  credentials,
  status,
  type ClientDuplexStream,
  type MethodDefinition,
  type ServerDuplexStream,
  type ServiceDefinition,
  type ServiceError,
  type StatusObject,
  type UntypedServiceImplementation,
  type sendUnaryData,
} from '@grpc/grpc-js';
import featuresService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import gossipService from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import refusals from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import anyPb from 'google-protobuf/google/protobuf/any_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { freePort } from '../installation/free-port.js';
import { startRelay, type Relay } from '../installation/relay.js';

const NODES = 3;
const HOST = '127.0.0.1';
const WRITES = new Set(['append', 'delete', 'tombstone']);
const { LEADER, FOLLOWER } = gossip.MemberInfo.VNodeState;
type Call = ServerDuplexStream<Buffer, Buffer>;

/**
 * Three nodes that speak as a cluster of EventStoreDB does: each tells by gossip who leads, the leader takes writes,
 * and the others refuse writes and what asks for the leader, naming it. All of them stand before one and the same store.
 */
export class EventStoreCluster {
  private readonly nodes: Node[] = [];
  private readonly paused = new Set<number>();
  private leading: number | undefined = 0;

  private constructor(private readonly store: Client) {}

  /** @param storeUrl the store behind them, without TLS */
  static async start(storeUrl: string): Promise<EventStoreCluster> {
    const { host } = new URL(storeUrl.replace(/^esdb:/, 'http:'));
    const cluster = new EventStoreCluster(new Client(host, credentials.createInsecure()));
    for (let index = 0; index < NODES; index += 1) {
      const inner = await freePort();
      const node = new Node(inner, await startRelay(inner), (path) => cluster.refusalBy(index, path));
      cluster.nodes.push(node);
      await node.start(cluster.store, () => cluster.gossip());
    }
    return cluster;
  }

  /** All nodes, as a connection string names them. */
  get hosts(): string {
    return this.nodes.map(({ relay }) => `${HOST}:${relay.port}`).join(',');
  }

  /** The node that leads, if one does. */
  get leader(): number | undefined {
    return this.leading;
  }

  /** How many calls were refused as another node leads. */
  get refusals(): number {
    return this.nodes.reduce((sum, { refusals }) => sum + refusals, 0);
  }

  /** Makes another node lead, or none. Connections stay as they are. */
  elect(index: number | undefined): void {
    this.leading = index;
  }

  /** Cuts a node's connections and takes it away. Nobody leads in its place until somebody is elected. */
  async kill(index: number): Promise<void> {
    if (this.leading === index) this.leading = undefined;
    await this.nodes[index]?.stop();
  }

  /** As a process that is stopped: its connections stay, it accepts new ones, and answers none. It goes on leading. */
  pause(index: number): void {
    this.paused.add(index);
    this.nodes[index]?.relay.silence();
  }

  resume(index: number): void {
    this.paused.delete(index);
    this.nodes[index]?.relay.restore();
  }

  async killAll(): Promise<void> {
    for (const index of this.nodes.keys()) await this.kill(index);
  }

  /** Brings a node back at its address. */
  async revive(index: number): Promise<void> {
    await this.nodes[index]?.start(this.store, () => this.gossip());
  }

  async stop(): Promise<void> {
    await this.killAll();
    await Promise.all(this.nodes.map(({ relay }) => relay.close()));
    this.store.close();
  }

  private gossip(): gossip.ClusterInfo {
    const info = new gossip.ClusterInfo();
    for (const [index, { relay, isRunning }] of this.nodes.entries()) {
      info.addMembers(
        new gossip.MemberInfo()
          .setInstanceId(new shared.UUID().setString(`00000000-0000-4000-8000-00000000000${index}`))
          .setTimeStamp('0')
          .setState(index === this.leading ? LEADER : FOLLOWER)
          // The others miss it by the time that they elect.
          .setIsAlive(isRunning && (index === this.leading || !this.paused.has(index)))
          .setHttpEndPoint(new gossip.EndPoint().setAddress(HOST).setPort(relay.port)),
      );
    }
    return info;
  }

  /** What a node answers that does not lead. */
  private refusalBy(index: number, path: string): Partial<StatusObject> | undefined {
    if (index === this.leading) return undefined;
    const leader = this.leading === undefined ? undefined : this.nodes[this.leading];
    if (!leader)
      return { code: status.UNAVAILABLE, details: 'Server Is Not Ready', metadata: new Metadata() };
    const metadata = new Metadata();
    metadata.set('exception', 'not-leader');
    metadata.set('leader-endpoint-host', HOST);
    metadata.set('leader-endpoint-port', String(leader.relay.port));
    return { code: status.NOT_FOUND, details: `Leader info available: ${path}`, metadata };
  }
}

/** One of them: a server of its own that passes on whatever it does not refuse. */
class Node {
  refusals = 0;
  private server: Server | undefined;

  /** @param relay stands before the port */
  constructor(
    private readonly port: number,
    readonly relay: Relay,
    private readonly refusal: (path: string) => Partial<StatusObject> | undefined,
  ) {}

  get isRunning(): boolean {
    return this.server !== undefined;
  }

  async start(store: Client, members: () => gossip.ClusterInfo): Promise<void> {
    const server = new Server();
    for (const service of [streamsService.StreamsService, featuresService.ServerFeaturesService]) {
      this.passOn(server, service, store);
    }
    server.addService(gossipService.GossipService, {
      read: (_call: unknown, answer: sendUnaryData<gossip.ClusterInfo>) => answer(null, members()),
    });
    await new Promise<void>((resolve, reject) => {
      const address = `${HOST}:${this.port}`;
      server.bindAsync(address, ServerCredentials.createInsecure(), (error) =>
        error ? reject(error) : resolve(),
      );
    });
    this.server = server;
  }

  async stop(): Promise<void> {
    this.server?.forceShutdown();
    this.server = undefined;
  }

  private passOn(server: Server, service: ServiceDefinition, store: Client): void {
    const calls: UntypedServiceImplementation = {};
    const definition: Record<string, MethodDefinition<Buffer, Buffer>> = {};
    for (const [name, method] of Object.entries(service)) {
      // On the wire every call is two streams; the messages pass as they are.
      definition[name] = {
        path: method.path,
        requestStream: true,
        responseStream: true,
        requestSerialize: same,
        requestDeserialize: same,
        responseSerialize: same,
        responseDeserialize: same,
      };
      calls[name] = (call: Call) => {
        const asksForLeader = call.metadata.get('requires-leader')[0] === 'true';
        const isBatch = name === 'batchAppend';
        const refused = !isBatch && (WRITES.has(name) || asksForLeader) && this.refusal(method.path);
        if (refused) return this.refuse(call, refused);
        passCall(call, method.path, store, (message) => {
          // Each append among many is taken or refused by itself.
          const late = isBatch ? this.refusal(method.path) : undefined;
          if (late?.code === status.UNAVAILABLE) {
            this.refusals += 1;
            call.write(refusedInWords(message, late.details));
          }
          if (late && late.code !== status.UNAVAILABLE) this.refuse(call, late);
          return late !== undefined;
        });
      };
    }
    server.addService(definition, calls);
  }

  private refuse(call: Call, refused: Partial<StatusObject>): void {
    this.refusals += 1;
    call.emit('error', refused);
  }
}

/** As a node answers one append among many for which it has no leader: with words alone. */
function refusedInWords(message: Buffer, words = ''): Buffer {
  const id = streams.BatchAppendReq.deserializeBinary(message).getCorrelationId();
  const details = new anyPb.Any();
  details.pack(new shared.Empty().serializeBinary(), 'google.protobuf.Empty');
  const error = new refusals.Status().setMessage(words).setDetails(details);
  return Buffer.from(new streams.BatchAppendResp().setCorrelationId(id).setError(error).serializeBinary());
}

const same = (bytes: Buffer) => bytes;

/** @param isRefused asked of each message; one that is refused goes no further */
function passCall(call: Call, path: string, store: Client, isRefused: (message: Buffer) => boolean): void {
  const onward: ClientDuplexStream<Buffer, Buffer> = store.makeBidiStreamRequest(
    path,
    same,
    same,
    call.metadata,
  );
  call.on('data', (message: Buffer) => {
    if (!isRefused(message)) onward.write(message);
  });
  call.once('end', () => onward.end());
  call.once('cancelled', () => onward.cancel());
  onward.on('data', (message: Buffer) => call.write(message));
  onward.once('end', () => undefined);
  onward.once('error', ({ code, details, metadata }: ServiceError) => {
    if (!call.cancelled) call.emit('error', { code, details, metadata });
  });
  onward.once('status', ({ code }: StatusObject) => {
    if (code === status.OK) call.end();
  });
}
