import { type Frames, toChunk, type Chunk } from '#platform/event-log/chunks.js';
import { ServerInterceptingCall, type ServerInterceptor } from '@grpc/grpc-js';

/** So much is sent at once. */
const PIECE_BYTES = 32 * 1024;

/** The part of a streaming call that sends messages. */
export interface SendingCall {
  readonly cancelled: boolean;
  write(message: Buffer | Frames | Chunk): boolean;
  on(event: 'drain' | 'cancelled' | 'close', listener: () => void): unknown;
}

/**
 * Sends the answers of one read no faster than its client accepts them, and wakes the waiting reader when the client is
 * gone or the read is to end. One reader at a time waits on it.
 */
export class Outgoing {
  readonly #call: SendingCall;
  readonly #inPieces: boolean;
  #full = false;
  #gone = false;
  #awake = false;
  #resume: (() => void) | undefined;
  #failure: Error | undefined;
  #gathered: Buffer[] = [];
  #gatheredBytes = 0;

  /** @param inPieces whether the client takes several messages as one */
  constructor(call: SendingCall, inPieces = false) {
    this.#call = call;
    this.#inPieces = inPieces;
    call.on('drain', () => {
      this.#full = false;
      this.wake();
    });
    const gone = () => {
      this.#gone = true;
      this.wake();
    };
    call.on('cancelled', gone);
    call.on('close', gone);
  }

  /** The client has left, or its deadline has passed: nothing more needs to be read for it. */
  get gone(): boolean {
    return this.#gone || this.#call.cancelled;
  }

  /** Whether the client accepts no more for now. */
  get full(): boolean {
    return this.#full;
  }

  /** Ends the read with an error: whoever waits, or is about to, gets it thrown. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.wake();
  }

  /** Sends a message, after those that were gathered. Await `ready` before the next one. */
  send(message: Buffer): void {
    this.#gathered.push(message);
    this.flush();
  }

  /**
   * Sends a message with the next ones.
   * @returns whether some were sent: then await `ready`, and after the last one `flush`
   */
  gather(message: Buffer): boolean {
    this.#gathered.push(message);
    this.#gatheredBytes += message.length;
    if (this.#gatheredBytes < PIECE_BYTES) return false;
    this.flush();
    return true;
  }

  /** Sends what was gathered. */
  flush(): void {
    const gathered = this.#gathered;
    if (gathered.length === 0) return;
    this.#gathered = [];
    this.#gatheredBytes = 0;
    if (this.gone || this.#failure) return;
    if (!this.#call.write(toChunk(gathered, this.#inPieces))) this.#full = true;
  }

  /**
   * Waits until the client accepts more.
   * @returns false when it is gone
   * @throws what `fail` was given
   */
  async ready(): Promise<boolean> {
    while (this.#full && !this.gone && !this.#failure) await this.sleep();
    if (this.#failure && !this.gone) throw this.#failure;
    return !this.gone;
  }

  /** Ends the current or the next `sleep`. */
  wake(): void {
    this.#awake = true;
    this.#resume?.();
  }

  /** Waits for `wake`, or until the client accepts more or is gone, or the read is to end. */
  async sleep(): Promise<void> {
    if (!this.#awake) await new Promise<void>((resolve) => (this.#resume = resolve));
    this.#resume = undefined;
    this.#awake = false;
  }
}

// What a client usually accepts unasked: the flow-control window of HTTP/2.
const WINDOW_BYTES = 64 * 1024;

/**
 * Allows several messages of a call in flight. By default, gRPC sends the next message only when the last one has
 * left the process, so that every small answer costs a turn of the event loop and a system call. A client that
 * accepts nothing more still holds back the sender once the window is full.
 */
export const sendWindow: ServerInterceptor = (method, call) =>
  method.responseStream ? new WindowedCall(call) : new ServerInterceptingCall(call);

class WindowedCall extends ServerInterceptingCall {
  #onItsWay = 0;
  #waiting: (() => void) | undefined;

  override sendMessage(message: Buffer | Frames, sent: () => void): void {
    this.#onItsWay += message.length;
    super.sendMessage(message, () => {
      this.#onItsWay -= message.length;
      this.#resume();
    });
    // The stream above sends one message at a time, so at most one of them waits.
    this.#waiting = sent;
    this.#resume();
  }

  #resume(): void {
    if (this.#onItsWay >= WINDOW_BYTES) return;
    const resume = this.#waiting;
    this.#waiting = undefined;
    resume?.();
  }
}
