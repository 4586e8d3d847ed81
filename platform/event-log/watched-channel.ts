import { Channel, connectivityState, status, type Metadata, type StatusObject } from '@grpc/grpc-js';
import { UnavailableError } from '@eventstore/db-client';
import streams from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { OwnCall } from './own-store.js';

type Call = ReturnType<Channel['createCall']>;
type Listener = Parameters<Call['start']>[1];

const BATCH_APPEND = streams.StreamsService.batchAppend.path;

/** Statuses that a call gets on this side too, where nothing was heard of the other. */
const OUR_OWN = new Set([status.CANCELLED, status.DEADLINE_EXCEEDED, status.UNAVAILABLE]);

/** Statuses of a failure of the other side, or on the way to it: perhaps it is not the same afterwards. */
const FAILURES = new Set([
  ...[status.UNAVAILABLE, status.DEADLINE_EXCEEDED, status.UNKNOWN, status.INTERNAL, status.DATA_LOSS],
]);

/**
 * A channel that knows when it last heard anything, and can be left with all its calls. It has one connection: gRPC would
 * connect anew by itself, and send what waits to whatever answers then.
 */
export class WatchedChannel extends Channel {
  /** Under way, or done, that the right log is behind it; nothing before the first call, and after one that failed. */
  proof: Promise<void> | undefined;
  /** Whether it is done. */
  isProved = false;
  private readonly calls = new Set<Call>();
  private readonly openedAt = performance.now();
  private heardAt = -Infinity;
  private closed = false;
  private readonly address: string;

  constructor(...parameters: ConstructorParameters<typeof Channel>) {
    super(...parameters);
    [this.address] = parameters;
    this.closeWithConnection(this.getConnectivityState(false));
  }

  get isClosed(): boolean {
    return this.closed;
  }

  override close(): void {
    if (this.closed) return;
    this.closed = true;
    // Those beside the connection do not end with it.
    for (const call of this.calls) if (call instanceof OwnCall) call.halfClose();
    super.close();
  }

  /** What was proved has to be proved again. */
  doubt(): void {
    this.proof = undefined;
    this.isProved = false;
  }

  /** gRPC calls back at once, before it begins to connect again. */
  private closeWithConnection(state: connectivityState): void {
    this.watchConnectivityState(state, Infinity, () => {
      if (this.closed) return;
      if (state === connectivityState.READY) this.close();
      else this.closeWithConnection(this.getConnectivityState(false));
    });
  }

  /** @throws UnavailableError once it is closed */
  override createCall(...parameters: Parameters<Channel['createCall']>): Call {
    if (this.closed) throw new UnavailableError();
    const own = parameters[0] === BATCH_APPEND ? OwnCall.open(this.address) : undefined;
    const call = own ?? super.createCall(...parameters);
    const start = call.start.bind(call);
    call.start = (metadata: Metadata, listener: Listener) => {
      this.calls.add(call);
      start(metadata, this.heardBy(call, listener));
    };
    return call;
  }

  /**
   * For how many milliseconds nothing was heard of the other side, although somebody waits.
   * @param since when they began to wait, by `performance.now()`
   */
  silentFor(since: number): number {
    return performance.now() - Math.max(since, this.openedAt, this.heardAt);
  }

  get isIdle(): boolean {
    return this.calls.size === 0;
  }

  /** Ends all calls, subscriptions too, as a broken connection would. */
  cutOff(): void {
    for (const call of this.calls) {
      call.cancelWithStatus(status.UNAVAILABLE, 'the event store did not answer in time');
    }
  }

  private heardBy(call: Call, listener: Listener): Listener {
    const heard = () => (this.heardAt = performance.now());
    return {
      onReceiveMetadata: (metadata: Metadata) => {
        heard();
        listener.onReceiveMetadata(metadata);
      },
      onReceiveMessage: (message: unknown) => {
        heard();
        listener.onReceiveMessage(message);
      },
      onReceiveStatus: (ended: StatusObject) => {
        this.calls.delete(call);
        if (FAILURES.has(ended.code)) this.doubt();
        if (!OUR_OWN.has(ended.code)) heard();
        listener.onReceiveStatus(ended);
      },
    };
  }
}
