import type { ServerDuplexStream } from '@grpc/grpc-js';
import type { AppendContext } from './append-calls.js';
import type { ExpectedRevision, ProposedEvent } from '../storage/recorded-event.js';
import { AppendSize } from '../storage/append-check.js';
import { type Frames, CHUNKS_HEADER, toChunk, type Chunk } from '#platform/event-log/chunks.js';
import { takesChunks } from '#platform/event-log/own-store.js';
import {
  StoreError,
  databaseFailure,
  invalidArgument,
  timedOut,
  unavailable,
} from '../storage/store-error.js';
import { checkedStreamName, proposedEvent } from '../wire/wire-append.js';
import { batchFailure, batchSuccess } from '../wire/wire-batch-answer.js';
import type { BatchRequest } from '../wire/wire-batch-request.js';
import { callStatus } from '../wire/wire-status.js';

export type BatchCall = ServerDuplexStream<BatchRequest[], Buffer | Frames | Chunk>;

/** An append whose messages are still coming in. */
interface OpenAppend {
  correlationId: string;
  stream: string;
  expected: ExpectedRevision;
  deadline: number;
  events: ProposedEvent[];
  size: AppendSize;
  /** Refuses it when its time is up before its last message came. */
  timer?: NodeJS.Timeout;
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** `BatchAppend`: one long call with many appends in flight, each answered by its correlation id. */
export class BatchAppendCall {
  readonly #context: AppendContext;
  readonly #call: BatchCall;
  readonly #inPieces: boolean;
  readonly #open = new Map<string, OpenAppend>();
  #answers: Buffer[] = [];
  #unanswered = 0;
  #halfClosed = false;
  #stopping = false;
  #ended = false;

  constructor(context: AppendContext, call: BatchCall) {
    this.#context = context;
    this.#call = call;
    this.#inPieces = call.metadata.get(CHUNKS_HEADER).length > 0;
    if (this.#inPieces) call.sendMetadata(takesChunks());
    call.on('data', (messages: BatchRequest[]) => {
      for (const message of messages) this.#receive(message);
    });
    call.on('end', () => {
      this.#halfClosed = true;
      this.#endWhenDone();
    });
    call.on('cancelled', () => this.#forget());
    call.on('error', () => this.#forget());
  }

  /** Answers what is under way, then ends the call: the store stops. */
  stop(): void {
    this.#stopping = true;
    this.#endWhenDone();
  }

  #receive(message: BatchRequest): void {
    if (this.#ended) return;
    const { correlationId, options } = message;
    // The rest of an append that is answered already.
    if (!options && !this.#open.has(correlationId)) return;
    try {
      const append = this.#open.get(correlationId) ?? this.#opened(message);
      for (const proposed of message.events) {
        const event = proposedEvent(proposed);
        append.size.add(event);
        append.events.push(event);
      }
      if (!message.isFinal) return this.#wait(append);
      this.#close(correlationId);
      this.#submit(append);
    } catch (error) {
      const stream = this.#open.get(correlationId)?.stream ?? options?.streamName.toString('utf8') ?? '';
      this.#close(correlationId);
      this.#answer(batchFailure(correlationId, stream, databaseFailure(error)));
    }
  }

  #opened({ correlationId, options }: BatchRequest): OpenAppend {
    if (correlationId === '') throw invalidArgument('An append has no correlation id.');
    const { streamName = Buffer.alloc(0), expected = 'any', deadline = Infinity } = options ?? {};
    // Before anything else is looked at: who no longer waits is told just that.
    if (deadline <= Date.now()) throw timedOut();
    const stream = checkedStreamName(streamName);
    const size = new AppendSize(this.#context.maxAppendSize);
    return { correlationId, stream, expected, deadline, events: [], size };
  }

  #wait(append: OpenAppend): void {
    const { correlationId, stream, deadline } = append;
    this.#open.set(correlationId, append);
    if (deadline === Infinity) return;
    append.timer ??= setTimeout(
      () => {
        this.#close(correlationId);
        this.#answer(batchFailure(correlationId, stream, timedOut()));
      },
      Math.min(deadline - Date.now(), LONGEST_TIMER_MS),
    ).unref();
  }

  #close(correlationId: string): void {
    clearTimeout(this.#open.get(correlationId)?.timer);
    this.#open.delete(correlationId);
  }

  /** Whatever becomes of it, an append is answered by itself: the call goes on for the others. */
  #submit({ correlationId, stream, expected, events, deadline }: OpenAppend): void {
    this.#unanswered += 1;
    this.#context.writer
      .submit({ kind: 'append', stream, expected, events }, { deadline, isCancelled: () => this.#ended })
      .then((written) => this.#answer(batchSuccess(correlationId, stream, written)))
      .catch((error: unknown) => {
        this.#answer(batchFailure(correlationId, stream, databaseFailure(error)));
      })
      .finally(() => {
        this.#unanswered -= 1;
        this.#endWhenDone();
      });
    this.#holdBack();
  }

  /** Reads no further while too much waits for the writer. */
  #holdBack(): void {
    const room = this.#context.writer.roomIfFull();
    if (!room) return;
    this.#call.pause();
    void room.then(() => this.#call.resume());
  }

  /** Appends that were committed together are answered together. */
  #answer(answer: Buffer): void {
    this.#answers.push(answer);
    if (this.#answers.length === 1) process.nextTick(() => this.#sendAnswers());
  }

  #sendAnswers(): void {
    const answers = this.#answers;
    if (answers.length === 0) return;
    this.#answers = [];
    if (!this.#ended) this.#call.write(toChunk(answers, this.#inPieces));
  }

  #end(error: StoreError): void {
    if (this.#ended) return;
    this.#forget();
    this.#call.emit('error', callStatus(error));
  }

  #forget(): void {
    this.#ended = true;
    for (const correlationId of [...this.#open.keys()]) this.#close(correlationId);
  }

  #endWhenDone(): void {
    if (this.#unanswered > 0 || this.#ended) return;
    this.#sendAnswers();
    if (this.#halfClosed) {
      this.#ended = true;
      this.#call.end();
    } else if (this.#stopping) {
      this.#end(unavailable('The event store stops.'));
    }
  }
}
