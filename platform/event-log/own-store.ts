import { Metadata, status, type Channel, type StatusObject } from '@grpc/grpc-js';
import type { MessagePort } from 'node:worker_threads';
import { CHUNKS_HEADER, type Chunk, Frames } from './chunks.js';

type Call = ReturnType<Channel['createCall']>;
type Listener = Parameters<Call['start']>[1];
type Message = Buffer | Frames | Chunk;

/** What either side says over the port of a call: a message of the protocol, how the call ended, or that no more is sent. */
export type OwnMessage = Uint8Array | Pick<StatusObject, 'code' | 'details'> | null;

/** How calls are opened to the stores that run on threads of this process, by their address. */
export const ownStores = new Map<string, () => MessagePort>();

/** Says that messages may come together as one. */
export function takesChunks(): Metadata {
  const metadata = new Metadata();
  metadata.set(CHUNKS_HEADER, '0');
  return metadata;
}

/** Sends with memory of its own: of a buffer that shares it with others, a port would copy all of it. */
export function postOver(port: MessagePort, message: Message): void {
  for (const each of message instanceof Frames ? message.messages : [message]) {
    const bytes = Buffer.allocUnsafeSlow(each.length);
    each.copy(bytes);
    port.postMessage(bytes satisfies OwnMessage);
  }
}

export function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}

/**
 * A call to a store on a thread of this process: the messages are those of the protocol, but they go over a port. HTTP/2 on
 * both sides would cost an append more than the store's own work.
 */
export class OwnCall implements Pick<
  Call,
  'start' | 'sendMessageWithContext' | 'halfClose' | 'cancelWithStatus'
> {
  private listener: Listener | undefined;

  private constructor(private readonly port: MessagePort) {}

  /** @param address host and port @returns nothing where the store is elsewhere */
  static open(address: string): Call | undefined {
    const port = ownStores.get(address)?.();
    return port && (new OwnCall(port) as unknown as Call);
  }

  start(_metadata: Metadata, listener: Listener): void {
    this.listener = listener;
    this.port.on('message', (message: OwnMessage) => {
      if (ArrayBuffer.isView(message)) listener.onReceiveMessage(bufferOf(message));
      else if (message) this.end(message);
    });
    this.port.once('close', () => this.end({ code: status.UNAVAILABLE, details: 'the event store is gone' }));
    this.port.unref();
    // Whoever opens the call listens once it is open.
    queueMicrotask(() => listener.onReceiveMetadata(takesChunks()));
  }

  sendMessageWithContext({ callback }: { callback?: () => void }, message: Message): void {
    postOver(this.port, message);
    if (callback) process.nextTick(callback);
  }

  /** What has come is given on at once. */
  startRead(): void {}

  halfClose(): void {
    this.port.postMessage(null);
  }

  cancelWithStatus(code: status, details: string): void {
    this.end({ code, details });
  }

  getPeer(): string {
    return 'this process';
  }

  private end(ended: Pick<StatusObject, 'code' | 'details'>): void {
    const { listener } = this;
    this.listener = undefined;
    this.port.close();
    listener?.onReceiveStatus({ ...ended, metadata: new Metadata() });
  }
}
