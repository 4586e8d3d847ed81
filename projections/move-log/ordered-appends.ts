import { randomUUID } from 'node:crypto';
import { type ClientDuplexStream, status, type ServiceError } from '@grpc/grpc-js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import * as m from '#words/messages.js';
import type { LogPosition } from '#platform/event-log/event-log.js';
import type { ResilientEventStoreClient } from '#platform/event-log/resilient-event-store-client.js';
import { carriedMetadata, eventName, type VerbatimEvent } from './verbatim-event.js';

/** Appends under way at once, and their events' bytes. */
const MAX_APPENDS = 256;
const MAX_BYTES = 4 * 1024 * 1024;
/** Milliseconds without an answer after which the store counts as lost. */
const TIMEOUT = 60_000;

/** The store took other events than these to follow what its stream has. */
export class StreamMovedOn extends Error {}

/** The store may take the append if it is sent again. */
class AppendNotTaken extends Error {
  readonly code = status.UNAVAILABLE;
}

interface UnderWay<Mark> {
  readonly events: readonly VerbatimEvent[];
  readonly bytes: number;
  readonly mark: Mark;
  position?: LogPosition | undefined;
  isDone: boolean;
}

type Call = ClientDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>;

/**
 * Appends in a strict order, many under way at once: over one call, in which EventStoreDB and the embedded store take one
 * append after the other. The first refusal ends the call, and nothing is sent after it.
 */
export class OrderedAppends<Mark> {
  private readonly underWay = new Map<string, UnderWay<Mark>>();
  private bytes = 0;
  private failure: Error | undefined;
  private wake: () => void = () => undefined;
  private readonly watch: NodeJS.Timeout;

  private constructor(
    private readonly call: Call,
    private readonly onDone: (mark: Mark, position: LogPosition | undefined) => void,
  ) {
    this.watch = setTimeout(() => this.fail(new AppendNotTaken(m.cli_move_store_silent())), TIMEOUT);
    call.on('drain', () => this.wake());
    call.on('data', (answer: streams.BatchAppendResp) => this.answered(answer));
    call.on('error', (error: Error) => this.fail(error));
    call.on('end', () => this.fail(new AppendNotTaken(m.cli_move_store_ended())));
  }

  /** @param onDone called for each append that is stored, in order, with the place of its last event */
  static async open<Mark>(
    client: Pick<ResilientEventStoreClient, 'openCall'>,
    onDone: (mark: Mark, position: LogPosition | undefined) => void,
  ): Promise<OrderedAppends<Mark>> {
    return new OrderedAppends(
      await client.openCall((service, ...call) => service.batchAppend(...call)),
      onDone,
    );
  }

  /**
   * Sends an append, when not too many are under way and the connection takes more.
   * @param events of one stream, in order
   * @throws StreamMovedOn; an Error, also if an append before this one was not taken
   */
  async add(events: readonly VerbatimEvent[], mark: Mark): Promise<void> {
    while (this.underWay.size >= MAX_APPENDS || this.bytes >= MAX_BYTES || this.call.writableNeedDrain) {
      await this.change();
    }
    if (this.failure) throw this.failure;
    const bytes = events.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0);
    const id = randomUUID();
    this.underWay.set(id, { events, bytes, mark, isDone: false });
    this.bytes += bytes;
    this.watch.refresh();
    this.call.write(appendOf(id, events));
  }

  /** Waits until everything is stored. */
  async finish(): Promise<void> {
    while (this.underWay.size > 0) await this.change();
    if (this.failure) throw this.failure;
  }

  close(): void {
    clearTimeout(this.watch);
    this.failure ??= new Error('The call is closed.');
    this.call.cancel();
  }

  /** Waits for an answer, or for the connection to take more. */
  private async change(): Promise<void> {
    if (!this.failure) await new Promise<void>((resolve) => (this.wake = resolve));
    if (this.failure) throw this.failure;
  }

  private answered(answer: streams.BatchAppendResp): void {
    this.watch.refresh();
    const done = this.underWay.get(answer.getCorrelationId()?.getString() ?? '');
    if (!done || this.failure) return;
    const error = answer.getError();
    if (error) return this.fail(refusal(error.getDetails()?.getTypeName() ?? '', error.getMessage(), done));
    const position = answer.getSuccess()?.getPosition();
    done.isDone = true;
    done.position = position && {
      commit: BigInt(position.getCommitPosition()),
      prepare: BigInt(position.getPreparePosition()),
    };
    for (const [id, oldest] of this.underWay) {
      if (!oldest.isDone) break;
      this.underWay.delete(id);
      this.bytes -= oldest.bytes;
      this.onDone(oldest.mark, oldest.position);
    }
    this.wake();
  }

  private fail(error: Error): void {
    clearTimeout(this.watch);
    this.failure ??= error;
    this.call.cancel();
    this.wake();
  }
}

function appendOf(id: string, events: readonly VerbatimEvent[]): streams.BatchAppendReq {
  const [first] = events;
  if (!first) throw new Error('An append has events.');
  const options = new streams.BatchAppendReq.Options();
  options.setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(first.stream)));
  if (first.revision === 0n) options.setNoStream(new shared.Empty());
  else options.setStreamPosition((first.revision - 1n).toString());
  const request = new streams.BatchAppendReq();
  request.setCorrelationId(new shared.UUID().setString(id)).setOptions(options).setIsFinal(true);
  for (const event of events) {
    const proposed = new streams.BatchAppendReq.ProposedMessage();
    proposed.setId(new shared.UUID().setString(event.id));
    proposed.getMetadataMap().set('type', event.type).set('content-type', event.contentType);
    proposed.setData(event.data).setCustomMetadata(carriedMetadata(event));
    request.addProposedMessages(proposed);
  }
  return request;
}

function refusal(type: string, message: string, { events: [first] }: UnderWay<unknown>): Error {
  const event = first ? eventName(first) : m.cli_move_an_event();
  switch (type.slice(type.lastIndexOf('.') + 1)) {
    case 'WrongExpectedVersion':
      return new StreamMovedOn(m.cli_move_stream_differs({ event }));
    case 'MaximumAppendSizeExceeded':
      return new Error(m.cli_move_too_large({ event }));
    case 'AccessDenied':
      return new Error(m.cli_move_denied({ stream: first?.stream ?? '' }));
    case 'StreamDeleted':
      return new Error(m.cli_move_stream_deleted({ event }));
    default:
      return new AppendNotTaken(m.cli_move_not_taken({ event, reason: message || type }));
  }
}

const PASSING: readonly unknown[] = [
  status.UNAVAILABLE,
  status.CANCELLED,
  status.ABORTED,
  status.DEADLINE_EXCEEDED,
  status.INTERNAL,
];

/** Whether a call may succeed if it is made again: the connection was lost, or another node leads. */
export function isTransient(error: unknown): boolean {
  const { code, metadata } = error as Partial<ServiceError>;
  return PASSING.includes(code) || metadata?.get('exception')[0] === 'not-leader';
}
