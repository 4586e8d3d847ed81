import { MessageWriter } from './protobuf-messages.js';
import type { RecordedEvent } from './recorded-event.js';

const writer = new MessageWriter();

/**
 * An event as an answer of `Read`, encoded (`ReadResp`). By hand, because an event sent is most of what the
 * store does for subscribers and readers.
 */
export function eventAnswer(event: RecordedEvent): Buffer {
  const { position } = event;
  writer.message(1, () => {
    writer.message(1, () => {
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
    writer.unsigned(3, position);
  });
  return writer.finish();
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

export function fellBehindAnswer(): Buffer {
  writer.message(9, () => undefined);
  return writer.finish();
}
