import { randomUUID } from 'node:crypto';
import type { CallOptions, ClientDuplexStream, InterceptingCall, Metadata } from '@grpc/grpc-js';
import { UnavailableError, type AppendResult } from '@eventstore/db-client';
import unpacking from '@eventstore/db-client/dist/streams/appendToStream/unpackError.js';
import errors from '@eventstore/db-client/dist/utils/CommandError.js';
import service from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { type Frames, messagesOfChunk, CHUNKS_HEADER, toChunk, type Chunk } from './chunks.js';
import { decodeAppendAnswer, encodeAppend, type Append, type AppendAnswer } from './wire-appends.js';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

type Call = ClientDuplexStream<Buffer | readonly Buffer[], AppendAnswer[]>;

interface Waiting {
  stream: string;
  resolve(result: AppendResult): void;
  reject(error: Error): void;
}

const { path } = service.StreamsService.batchAppend;

/**
 * One call with many appends under way (`BatchAppend`). The official client keeps the promises of all its calls in one
 * place, where the end of one call rejects the appends of others, and their late answers end the process. Here each call
 * has its own. What waits for the connection goes out as one write, not one for each append.
 */
export class BatchedAppends {
  private readonly waiting = new Map<string, Waiting>();

  constructor(readonly call: Call) {
    call.on('data', (answers: AppendAnswer[]) => {
      for (const answer of answers) this.answered(answer);
    });
    call.on('error', (error: Error) => this.end(errors.convertToCommandError(error) ?? error));
    call.on('end', () => this.end(new UnavailableError()));
  }

  static open(
    client: InstanceType<typeof service.StreamsClient>,
    metadata: Metadata,
    options: CallOptions,
  ): BatchedAppends {
    metadata.set(CHUNKS_HEADER, '0');
    let inPieces = false;
    const sent = (messages: Buffer | readonly Buffer[]) =>
      Buffer.isBuffer(messages) ? messages : asBuffer(toChunk(messages, inPieces));
    const call = client.makeBidiStreamRequest(path, sent, decodeAppendAnswers, metadata, options);
    // A store of ours says at once that it takes them.
    call.on('metadata', (said: Metadata) => (inPieces = said.get(CHUNKS_HEADER).length > 0));
    const writev = (chunks: readonly { chunk: Buffer }[], callback: () => void) => {
      const { call: sending } = call as unknown as { call: InterceptingCall };
      sending.sendMessageWithContext(
        { callback },
        chunks.map(({ chunk }) => chunk),
      );
    };
    return new BatchedAppends(Object.assign(call, { _writev: writev }));
  }

  /** @returns when it is stored @throws the errors of the official client */
  append(append: Omit<Append, 'correlationId'>): Promise<AppendResult> {
    const correlationId = randomUUID();
    const messages = encodeAppend({ ...append, correlationId });
    return new Promise((resolve, reject) => {
      if (!this.call.writable) return reject(new UnavailableError());
      this.waiting.set(correlationId, { stream: append.stream, resolve, reject });
      for (const message of messages) this.call.write(message);
    });
  }

  private answered({ correlationId, revision, position, refusal }: AppendAnswer): void {
    const waiting = this.waiting.get(correlationId);
    this.waiting.delete(correlationId);
    const error = refusal?.getError();
    if (error) waiting?.reject(unpacking.unpackToCommandError(error, waiting.stream));
    else waiting?.resolve({ success: true, nextExpectedRevision: revision, ...(position && { position }) });
  }

  private end(error: Error): void {
    const left = [...this.waiting.values()];
    this.waiting.clear();
    for (const append of left) append.reject(error);
  }
}

/** Of what leaves as one, gRPC takes the length and a copy alone. */
function asBuffer(message: Buffer | Frames | Chunk): Buffer {
  return message as Buffer;
}

function decodeAppendAnswers(bytes: Buffer): AppendAnswer[] {
  return messagesOfChunk(bytes)?.map(decodeAppendAnswer) ?? [decodeAppendAnswer(bytes)];
}

/**
 * Everything that a stream of objects has, each time that something has arrived: together what came with one network read.
 * Iterating over the stream itself costs several promises for each object.
 * @throws what the stream ends with
 */
export async function* availableBatches<Item>(stream: Readable): AsyncGenerator<Item[]> {
  let failure = stream.errored ?? undefined;
  // An end that came before is not told again.
  let isOver = stream.destroyed || stream.readableEnded;
  let wake: () => void = () => undefined;
  const over = (error?: Error) => {
    isOver = true;
    failure ??= error;
    wake();
  };
  const readable = () => wake();
  stream.on('readable', readable).once('error', over).once('end', over).once('close', over);
  try {
    for (;;) {
      const items: Item[] = [];
      for (let item = stream.read() as Item | null; item !== null; item = stream.read() as Item | null) {
        items.push(item);
      }
      if (items.length > 0) yield items;
      else if (failure) throw failure;
      else if (isOver) return;
      else await new Promise<void>((resolve) => (wake = resolve));
      // Objects that came together become readable one by one.
      await nextTurn();
    }
  } finally {
    stream.off('readable', readable).off('error', over).off('end', over).off('close', over);
  }
}
