import type { ServerDuplexStream } from '@grpc/grpc-js';
import type { AppendContext } from './append-calls.js';
import type { ExpectedRevision, ProposedEvent } from './recorded-event.js';
import { StoreError, appendTooLarge, databaseFailure, invalidArgument, unavailable } from './store-error.js';
import { checkedStreamName, eventSize, proposedEvent } from './wire-append.js';
import { batchFailure, batchSuccess } from './wire-batch-answer.js';
import type { BatchRequest } from './wire-batch-request.js';
import { callStatus } from './wire-status.js';

export type BatchCall = ServerDuplexStream<BatchRequest, Buffer>;

/** An append whose messages are still coming in. */
interface OpenAppend {
  correlationId: string;
  stream: string;
  expected: ExpectedRevision;
  deadline: number;
  events: ProposedEvent[];
  bytes: number;
  /** Why it is already rejected: the rest of its messages is read and discarded. */
  refused?: StoreError;
}

/** `BatchAppend`: one long call with many appends in flight, each answered by its correlation id. */
export class BatchAppendCall {
  readonly #context: AppendContext;
  readonly #call: BatchCall;
  readonly #open = new Map<string, OpenAppend>();
  #unanswered = 0;
  #halfClosed = false;
  #stopping = false;
  #ended = false;

  constructor(context: AppendContext, call: BatchCall) {
    this.#context = context;
    this.#call = call;
    call.on('data', (message: BatchRequest) => this.#receive(message));
    call.on('end', () => {
      this.#halfClosed = true;
      this.#endWhenDone();
    });
    call.on('cancelled', () => (this.#ended = true));
    call.on('error', () => (this.#ended = true));
  }

  /** Answers what is under way, then ends the call: the store stops. */
  stop(): void {
    this.#stopping = true;
    this.#endWhenDone();
  }

  #receive(message: BatchRequest): void {
    if (this.#ended) return;
    const { correlationId } = message;
    if (correlationId === '') return this.#end(invalidArgument('An append has no correlation id.'));
    const append = this.#open.get(correlationId) ?? opened(message);
    this.#collect(append, message);
    if (!message.isFinal) this.#open.set(correlationId, append);
    else {
      this.#open.delete(correlationId);
      this.#submit(append);
    }
  }

  #collect(append: OpenAppend, message: BatchRequest): void {
    if (append.refused) return;
    try {
      for (const proposed of message.events) {
        const event = proposedEvent(proposed);
        append.bytes += eventSize(event);
        if (append.bytes > this.#context.maxAppendSize) throw appendTooLarge(this.#context.maxAppendSize);
        append.events.push(event);
      }
    } catch (error) {
      append.refused = databaseFailure(error);
      append.events = [];
    }
  }

  #submit(append: OpenAppend): void {
    const { correlationId, stream, expected, events, deadline, refused } = append;
    if (refused) return this.#answer(batchFailure(correlationId, stream, refused));
    this.#unanswered += 1;
    this.#context.writer
      .submit({ kind: 'append', stream, expected, events }, { deadline, isCancelled: () => this.#ended })
      .then((written) => this.#answer(batchSuccess(correlationId, stream, written)))
      .catch((error: unknown) => {
        const failure = databaseFailure(error);
        // There is no way to say "unavailable" of one append: the whole call ends with it.
        if (failure.refusal.kind === 'unavailable') this.#end(failure);
        else this.#answer(batchFailure(correlationId, stream, failure));
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

  #answer(answer: Buffer): void {
    if (!this.#ended) this.#call.write(answer);
  }

  #end(error: StoreError): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#open.clear();
    this.#call.emit('error', callStatus(error));
  }

  #endWhenDone(): void {
    if (this.#unanswered > 0 || this.#ended) return;
    if (this.#halfClosed) {
      this.#ended = true;
      this.#call.end();
    } else if (this.#stopping) {
      this.#end(unavailable('The event store stops.'));
    }
  }
}

function opened({ correlationId, options }: BatchRequest): OpenAppend {
  const append: OpenAppend = {
    correlationId,
    stream: '',
    expected: options?.expected ?? 'any',
    deadline: options?.deadline ?? Infinity,
    events: [],
    bytes: 0,
  };
  try {
    append.stream = checkedStreamName(options?.streamName ?? Buffer.alloc(0));
  } catch (error) {
    append.refused = databaseFailure(error);
  }
  return append;
}
