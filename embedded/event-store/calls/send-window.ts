import { ServerInterceptingCall, type ServerInterceptor } from '@grpc/grpc-js';
import type { Frames } from '#platform/event-log/frames.js';

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
