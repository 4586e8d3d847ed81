import type { ServerDuplexStream } from '@grpc/grpc-js';
import type shared from '@eventstore/db-client/generated/shared_pb.js';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { AppendContext } from './append-calls.js';
import type { ExpectedRevision, ProposedEvent } from './recorded-event.js';
import { StoreError, appendTooLarge, databaseFailure, invalidArgument } from './store-error.js';
import { eventSize, expectedRevision, proposedEvent, streamName, uuidText } from './wire-append.js';
import { batchFailure, batchSuccess } from './wire-batch.js';
import { callStatus } from './wire-status.js';

type BatchCall = ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>;

/** An append whose messages are still coming in. */
interface OpenAppend {
  correlationId: shared.UUID;
  stream: string;
  expected: ExpectedRevision;
  deadline: number;
  events: ProposedEvent[];
  bytes: number;
  /** Why it is refused already: the rest of its messages is only read away. */
  refused?: StoreError;
}

/** `BatchAppend`: one long call with many appends in flight, each answered by its correlation id. */
export class BatchAppendCall {
  readonly #context: AppendContext;
  readonly #call: BatchCall;
  readonly #denied: StoreError | undefined;
  readonly #open = new Map<string, OpenAppend>();
  #unanswered = 0;
  #halfClosed = false;
  #ended = false;

  /** @param denied refuses every append: the client may not write */
  constructor(context: AppendContext, call: BatchCall, denied: StoreError | undefined) {
    this.#context = context;
    this.#call = call;
    this.#denied = denied;
    call.on('data', (message: streams.BatchAppendReq) => this.#receive(message));
    call.on('end', () => {
      this.#halfClosed = true;
      this.#endWhenDone();
    });
    call.on('cancelled', () => (this.#ended = true));
    call.on('error', () => (this.#ended = true));
  }

  #receive(message: streams.BatchAppendReq): void {
    if (this.#ended) return;
    const correlationId = message.getCorrelationId();
    if (!correlationId) return this.#end(invalidArgument('An append has no correlation id.'));
    try {
      const key = uuidText(correlationId);
      const append = this.#open.get(key) ?? opened(correlationId, message);
      this.#collect(append, message);
      if (!message.getIsFinal()) this.#open.set(key, append);
      else {
        this.#open.delete(key);
        this.#submit(append);
      }
    } catch (error) {
      this.#end(databaseFailure(error));
    }
  }

  #collect(append: OpenAppend, message: streams.BatchAppendReq): void {
    if (append.refused) return;
    try {
      for (const proposed of message.getProposedMessagesList()) {
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
    const { correlationId, stream, expected, events, deadline } = append;
    const refused = this.#denied ?? append.refused;
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

  #answer(answer: streams.BatchAppendResp): void {
    if (!this.#ended) this.#call.write(answer);
  }

  #end(error: StoreError): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#open.clear();
    this.#call.emit('error', callStatus(error));
  }

  #endWhenDone(): void {
    if (!this.#halfClosed || this.#unanswered > 0 || this.#ended) return;
    this.#ended = true;
    this.#call.end();
  }
}

function opened(correlationId: shared.UUID, message: streams.BatchAppendReq): OpenAppend {
  const options = message.getOptions();
  const append: OpenAppend = {
    correlationId,
    stream: '',
    expected: 'any',
    deadline: Infinity,
    events: [],
    bytes: 0,
  };
  try {
    if (!options) throw invalidArgument('The options of the append are missing.');
    append.stream = streamName(options.getStreamIdentifier());
    append.expected = expectedRevision(
      options,
      options.hasStreamPosition() ? options.getStreamPosition() : undefined,
    );
    append.deadline = options.getDeadline()?.toDate().getTime() ?? Infinity;
  } catch (error) {
    append.refused = databaseFailure(error);
  }
  return append;
}
