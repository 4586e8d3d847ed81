import { MessageWriter } from './protobuf-messages.js';
import type { RecordedEvent } from './recorded-event.js';

const writer = new MessageWriter();

/**
 * An event as an answer of `Read`, encoded (`ReadResp`). By hand, because an event sent is most of what the
 * store does for subscribers and readers.
 */
export function eventAnswer(event: RecordedEvent): Buffer {
  writer.message(1, () => {
    recorded(1, event);
    writer.unsigned(3, event.position);
  });
  return writer.finish();
}

/** A link with the event that it points to, or without one. It has the link's own place in the log. */
export function resolvedAnswer(link: RecordedEvent, event: RecordedEvent | undefined): Buffer {
  writer.message(1, () => {
    if (event) recorded(1, event);
    recorded(2, link);
    writer.unsigned(3, link.position);
  });
  return writer.finish();
}

function recorded(number: number, event: RecordedEvent): void {
  const { position } = event;
  writer.message(number, () => {
    writer.message(1, () => writer.string(2, event.id));
    writer.message(2, () => writer.string(3, event.stream));
    writer.unsigned(3, event.revision);
    writer.unsigned(4, position);
    writer.unsigned(5, position);
    field('type', event.type);
    field('content-type', event.contentType);
    // In units of 100 ns.
    field('created', `${event.created}0000`);
    writer.bytes(7, event.metadata);
    writer.bytes(8, event.data);
  });
}

function field(key: string, value: string): void {
  writer.message(6, () => {
    writer.string(1, key);
    writer.string(2, value);
  });
}

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
