import type { ServerReadableStream, ServerUnaryCall, sendUnaryData } from '@grpc/grpc-js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { AppendSize } from '../storage/append-check.js';
import type { ProposedEvent } from '../storage/recorded-event.js';
import { databaseFailure, invalidArgument } from '../storage/store-error.js';
import {
  appendSuccess,
  appendedEvent,
  appendWrongVersion,
  expectedRevision,
  streamName,
} from '../wire/wire-append.js';
import { callStatus } from '../wire/wire-status.js';
import type { WriteCommand, Written } from '../storage/write-plan.js';
import type { WriteRequest } from '../storage/write-queue.js';
import type { Writer } from '../storage/writer.js';

/** What the calls that write need. */
export interface AppendContext {
  writer: Pick<Writer, 'submit' | 'roomIfFull'>;
  /** Bytes that one append may have. */
  maxAppendSize: number;
}

type AppendCall = ServerReadableStream<streams.AppendReq, streams.AppendResp>;

/** `Append`: one append, sent as options and then one message for each event. */
export function append(
  context: AppendContext,
  call: AppendCall,
  answer: sendUnaryData<streams.AppendResp>,
): void {
  collect(context, call)
    .then((command) => context.writer.submit(command, requestOf(call)))
    .then((written) => answer(null, appendSuccess(written)))
    .catch((error: unknown) => {
      const failure = databaseFailure(error);
      const { refusal } = failure;
      if (refusal.kind === 'wrong-expected-version') answer(null, appendWrongVersion(refusal));
      else answer(callStatus(failure));
    });
}

async function collect(context: AppendContext, call: AppendCall): Promise<WriteCommand> {
  let options: streams.AppendReq.Options | undefined;
  const events: ProposedEvent[] = [];
  const size = new AppendSize(context.maxAppendSize);
  for await (const message of call as AsyncIterable<streams.AppendReq>) {
    options ??= message.getOptions();
    const proposed = message.getProposedMessage();
    if (!proposed) continue;
    const event = appendedEvent(proposed);
    size.add(event);
    events.push(event);
  }
  if (!options) throw invalidArgument('The options of the append are missing.');
  await context.writer.roomIfFull();
  return {
    kind: 'append',
    stream: streamName(options.getStreamIdentifier()),
    expected: expectedRevision(options),
    events,
  };
}

/** `Delete`: the stream may be written to again, and goes on with its revisions. */
export function softDelete(
  context: AppendContext,
  call: ServerUnaryCall<streams.DeleteReq, streams.DeleteResp>,
  answer: sendUnaryData<streams.DeleteResp>,
): void {
  const write = () => deletion('delete', call.request.getOptions());
  submit(context, call, write, answer, ({ position }) => {
    const text = String(position);
    return new streams.DeleteResp().setPosition(
      new streams.DeleteResp.Position().setCommitPosition(text).setPreparePosition(text),
    );
  });
}

/** `Tombstone`: the stream is deleted for ever. */
export function tombstone(
  context: AppendContext,
  call: ServerUnaryCall<streams.TombstoneReq, streams.TombstoneResp>,
  answer: sendUnaryData<streams.TombstoneResp>,
): void {
  const write = () => deletion('tombstone', call.request.getOptions());
  submit(context, call, write, answer, ({ position }) => {
    const text = String(position);
    return new streams.TombstoneResp().setPosition(
      new streams.TombstoneResp.Position().setCommitPosition(text).setPreparePosition(text),
    );
  });
}

function deletion(
  kind: 'delete' | 'tombstone',
  options: streams.DeleteReq.Options | streams.TombstoneReq.Options | undefined,
): WriteCommand {
  if (!options) throw invalidArgument('The options of the deletion are missing.');
  const stream = streamName(options.getStreamIdentifier());
  if (stream.startsWith('$$')) throw invalidArgument('A metadata stream cannot be deleted.');
  return { kind, stream, expected: expectedRevision(options) };
}

function submit<Answer>(
  context: AppendContext,
  call: { cancelled: boolean; getDeadline(): Date | number },
  command: () => WriteCommand,
  answer: sendUnaryData<Answer>,
  toAnswer: (written: Written) => Answer,
): void {
  Promise.resolve()
    .then(() => context.writer.submit(command(), requestOf(call)))
    .then((written) => answer(null, toAnswer(written)))
    .catch((error: unknown) => answer(callStatus(databaseFailure(error))));
}

function requestOf(call: { cancelled: boolean; getDeadline(): Date | number }): WriteRequest {
  const deadline = call.getDeadline();
  return {
    deadline: typeof deadline === 'number' ? deadline : deadline.getTime(),
    isCancelled: () => call.cancelled,
  };
}
