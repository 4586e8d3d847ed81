import { Channel, status, type Metadata, type StatusObject } from '@grpc/grpc-js';

type Call = ReturnType<Channel['createCall']>;
type Listener = Parameters<Call['start']>[1];

/** Statuses that a call gets on this side too, where nothing was heard of the other. */
const OUR_OWN = new Set([status.CANCELLED, status.DEADLINE_EXCEEDED, status.UNAVAILABLE]);

/** A channel that knows when it last heard anything, and can be left with all its calls. */
export class WatchedChannel extends Channel {
  private readonly calls = new Set<Call>();
  private readonly openedAt = performance.now();
  private heardAt = -Infinity;

  override createCall(...parameters: Parameters<Channel['createCall']>): Call {
    const call = super.createCall(...parameters);
    const start = call.start.bind(call);
    call.start = (metadata: Metadata, listener: Listener) => {
      this.calls.add(call);
      start(metadata, this.heardBy(call, listener));
    };
    return call;
  }

  /**
   * For how many milliseconds nothing was heard of the other side, although somebody waits.
   * @param since when he began to wait, by `performance.now()`
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
        if (!OUR_OWN.has(ended.code)) heard();
        listener.onReceiveStatus(ended);
      },
    };
  }
}
