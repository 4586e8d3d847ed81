import { MessageWriter } from './protobuf-messages.js';

const writer = new MessageWriter();

export function confirmationAnswer(subscriptionId: string): Buffer {
  writer.message(2, () => writer.string(1, subscriptionId));
  return writer.finish();
}

export function checkpointAnswer(position: bigint): Buffer {
  writer.message(3, () => {
    writer.unsigned(1, position);
    writer.unsigned(2, position);
  });
  return writer.finish();
}

export function notFoundAnswer(stream: string): Buffer {
  writer.message(4, () => writer.message(1, () => writer.string(3, stream)));
  return writer.finish();
}

export function caughtUpAnswer(): Buffer {
  writer.message(8, () => undefined);
  return writer.finish();
}

/** The first revision that can be read, for a client that asks for it. */
export function firstRevisionAnswer(revision: bigint): Buffer {
  writer.unsigned(5, revision);
  return writer.finish();
}

/** The last revision of the stream, for a client that asks for it. */
export function lastRevisionAnswer(revision: bigint): Buffer {
  writer.unsigned(6, revision);
  return writer.finish();
}
