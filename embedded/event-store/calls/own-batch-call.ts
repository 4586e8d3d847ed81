import { EventEmitter } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { status, type StatusObject } from '@grpc/grpc-js';
import type { Chunk, Frames } from '#platform/event-log/chunks.js';
import { bufferOf, postOver, takesChunks, type OwnMessage } from '#platform/event-log/own-store.js';
import { decodeBatchRequests } from '../wire/wire-batch-request.js';
import type { BatchCall } from './batch-append-call.js';

/** A call of batched appends by the process whose thread this is (`OwnCall`), as gRPC would give it to the store. */
class OwnBatchCall extends EventEmitter {
  readonly metadata = takesChunks();
  readonly #port: MessagePort;
  #held: Buffer[] | undefined;
  #isOver = false;

  constructor(port: MessagePort) {
    super();
    this.#port = port;
    port.on('message', (message: OwnMessage) => {
      if (!ArrayBuffer.isView(message)) this.emit('end');
      else if (this.#held) this.#held.push(bufferOf(message));
      else this.#give(bufferOf(message));
    });
    port.once('close', () => {
      if (!this.#isOver) this.emit('cancelled');
      this.emit('close');
    });
    this.on('error', (error: StatusObject) => this.#finish(error));
  }

  sendMetadata(): void {
    // The other side knows what this one can do.
  }

  write(message: Buffer | Frames | Chunk): void {
    postOver(this.#port, message);
  }

  end(): void {
    this.#finish({ code: status.OK, details: '' });
  }

  pause(): void {
    this.#held ??= [];
  }

  resume(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const message of held) {
      if (this.#held) (this.#held as Buffer[]).push(message);
      else this.#give(message);
    }
  }

  #give(message: Buffer): void {
    try {
      this.emit('data', decodeBatchRequests(message));
    } catch (error) {
      this.emit('error', { code: status.INTERNAL, details: String(error) });
    }
  }

  #finish({ code, details }: Pick<StatusObject, 'code' | 'details'>): void {
    this.#isOver = true;
    this.#port.postMessage({ code, details } satisfies OwnMessage);
    this.#port.close();
  }
}

export function ownBatchCall(port: MessagePort): BatchCall {
  return new OwnBatchCall(port) as unknown as BatchCall;
}
