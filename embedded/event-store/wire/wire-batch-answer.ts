import shared from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import anyPb from 'google-protobuf/google/protobuf/any_pb.js';
import emptyPb from 'google-protobuf/google/protobuf/empty_pb.js';
import { status as Code } from '@grpc/grpc-js';
import { MessageWriter } from './protobuf-messages.js';
import type { Refusal, StoreError } from '../storage/store-error.js';
import { streamIdentifier } from './wire-append.js';
import type { Written } from '../storage/write-plan.js';

const EMPTY = new Uint8Array();
const writer = new MessageWriter();

/**
 * The answer to one append of a `BatchAppend` call, encoded (`BatchAppendResp`). By hand, as its request is
 * decoded by hand; refusals are rare and left to the generated classes.
 */
export function batchSuccess(correlationId: string, stream: string, written: Written): Buffer {
  const { revision, position } = written;
  writer.message(1, () => writer.string(2, correlationId));
  writer.message(3, () => {
    if (revision < 0n) writer.bytes(2, EMPTY);
    else writer.unsigned(1, revision);
    if (position === undefined) writer.bytes(4, EMPTY);
    else {
      writer.message(3, () => {
        writer.unsigned(1, position);
        writer.unsigned(2, position);
      });
    }
  });
  writer.message(4, () => writer.string(3, stream));
  return writer.finish();
}

/** The refusal of one append of a `BatchAppend` call, which goes on for the others; encoded. */
export function batchFailure(correlationId: string, stream: string, error: StoreError): Buffer {
  const { code, type, details } = packed(error);
  const any = new anyPb.Any();
  any.pack(details.serializeBinary(), type);
  const answer = new streams.BatchAppendResp()
    .setCorrelationId(new shared.UUID().setString(correlationId))
    .setStreamIdentifier(streamIdentifier(stream))
    .setError(new status.Status().setCode(code).setMessage(error.message).setDetails(any));
  return Buffer.from(answer.serializeBinary());
}

interface Packed {
  code: number;
  type: string;
  details: { serializeBinary(): Uint8Array };
}

/** In EventStoreDB's own words, which its clients know. */
const ours = (code: Code, name: string, details: Packed['details']): Packed => ({
  code,
  type: `event_store.client.${name}`,
  details,
});

/** Codes and types are those of EventStoreDB. A type that its clients do not know makes them show the message. */
function packed({ refusal, message }: StoreError): Packed {
  switch (refusal.kind) {
    case 'wrong-expected-version':
      return ours(Code.ALREADY_EXISTS, 'WrongExpectedVersion', wrongVersion(refusal));
    case 'stream-deleted': {
      const deleted = new shared.StreamDeleted().setStreamIdentifier(streamIdentifier(refusal.stream));
      return ours(Code.NOT_FOUND, 'StreamDeleted', deleted);
    }
    case 'access-denied':
    case 'not-permitted':
      return ours(Code.PERMISSION_DENIED, 'AccessDenied', new shared.AccessDenied());
    case 'maximum-append-size-exceeded': {
      const exceeded = new shared.MaximumAppendSizeExceeded().setMaxappendsize(refusal.limit);
      return ours(Code.INVALID_ARGUMENT, 'MaximumAppendSizeExceeded', exceeded);
    }
    case 'timeout':
      return ours(Code.DEADLINE_EXCEEDED, 'Timeout', new shared.Timeout());
    case 'invalid-argument':
    case 'missing-required-metadata-property':
      return ours(Code.INVALID_ARGUMENT, 'BadRequest', new shared.BadRequest().setMessage(message));
    case 'unavailable':
      return { code: Code.UNAVAILABLE, type: 'google.protobuf.Empty', details: new emptyPb.Empty() };
    case 'internal':
    case 'consumer-too-slow':
    case 'unreadable':
      return ours(Code.INTERNAL, 'Unknown', new shared.Unknown());
  }
}

function wrongVersion(
  refusal: Extract<Refusal, { kind: 'wrong-expected-version' }>,
): shared.WrongExpectedVersion {
  const wrong = new shared.WrongExpectedVersion();
  if (refusal.current < 0n) wrong.setCurrentNoStream(new emptyPb.Empty());
  else wrong.setCurrentStreamRevision(refusal.current.toString());
  if (refusal.expected === 'any') wrong.setExpectedAny(new emptyPb.Empty());
  else if (refusal.expected === 'no-stream') wrong.setExpectedNoStream(new emptyPb.Empty());
  else if (refusal.expected === 'stream-exists') wrong.setExpectedStreamExists(new emptyPb.Empty());
  else wrong.setExpectedStreamPosition(refusal.expected.toString());
  return wrong;
}
