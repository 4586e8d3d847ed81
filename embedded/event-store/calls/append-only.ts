import type { AppendContext } from './append-calls.js';
import { isMetastream } from '../storage/recorded-event.js';
import { notPermitted } from '../storage/store-error.js';

type Writer = AppendContext['writer'];

/** A writer that only adds. It takes no metadata of streams either: with it, events are hidden from readers. */
export function appendOnly(writer: Writer): Writer {
  return {
    roomIfFull: () => writer.roomIfFull(),
    submit: (command, request) =>
      command.kind === 'append' && !isMetastream(command.stream)
        ? writer.submit(command, request)
        : Promise.reject(
            notPermitted('This event store deletes nothing, nor hides it by the metadata of a stream.'),
          ),
  };
}
