import { randomUUID } from 'node:crypto';
import { checkAppend, type EventPlace } from './append-check.js';
import {
  BINARY_CONTENT,
  JSON_CONTENT,
  METADATA_TYPE,
  NO_EVENT,
  TOMBSTONE,
  TOMBSTONE_TYPE,
  describedStream,
  isMetastream,
  metastreamOf,
  type ExpectedRevision,
  type ProposedEvent,
  type RecordedEvent,
} from './recorded-event.js';
import { StoreError, streamDeleted, wrongExpectedVersion } from './store-error.js';
import {
  SOFT_DELETE_JSON,
  parseStreamMetadata,
  recreatedMetadataJson,
  lastRevision,
  type StreamState,
} from './stream-state.js';

type Write =
  | { kind: 'append'; events: readonly ProposedEvent[] }
  | { kind: 'delete' }
  /** Nothing can be written to the stream after it. */
  | { kind: 'tombstone' };

/** One thing that a client asks to be written. */
export type WriteCommand = { stream: string; expected: ExpectedRevision } & Write;

/** Where the last event of a command is. An append of no events has no position. */
export interface Written {
  revision: bigint;
  position: bigint | undefined;
}

/**
 * The rows of one transaction, made from many commands in turn: each command is judged as if all before it
 * were written. It works on copies of the states, so that a failed transaction leaves nothing behind.
 */
export class WritePlan {
  readonly rows: RecordedEvent[] = [];
  readonly states = new Map<string, StreamState>();
  readonly #places = new Map<string, EventPlace[]>();
  readonly #created: number;
  #position: bigint;

  /**
   * @param states of every stream that the commands name, by described stream
   * @param places where the events of repeated commands were written, by event id
   * @param lastPosition of the log
   * @param created milliseconds since 1970, the time of every new row
   */
  constructor(
    states: ReadonlyMap<string, StreamState>,
    places: ReadonlyMap<string, readonly EventPlace[]>,
    lastPosition: bigint,
    created: number,
  ) {
    for (const [stream, state] of states) this.states.set(stream, { ...state });
    for (const [id, known] of places) this.#places.set(id, [...known]);
    this.#position = lastPosition;
    this.#created = created;
  }

  /** Adds the rows of a command, or refuses it. */
  apply(command: WriteCommand): Written | StoreError {
    const { stream, expected } = command;
    const state = this.states.get(describedStream(stream));
    if (!state) throw new Error('The state of every stream of a batch has to be loaded before');
    const ids = command.kind === 'append' ? command.events.map(({ id }) => id) : [randomUUID()];
    const check = checkAppend(state, stream, expected, ids, (id) => this.#places.get(id) ?? []);
    switch (check.verdict) {
      case 'stream-deleted':
        return streamDeleted(stream);
      case 'wrong-expected-version':
        return wrongExpectedVersion(operationOf(command), stream, expected, check.current);
      case 'written-before':
        return { revision: check.revision, position: check.position };
      case 'write':
        return neverWas(command, state)
          ? wrongExpectedVersion('Delete', stream, expected, NO_EVENT)
          : this.#write(command, state);
    }
  }

  #write(command: WriteCommand, state: StreamState): Written {
    const { stream } = command;
    if (command.kind === 'delete') return this.#writeMetadata(stream, state, SOFT_DELETE_JSON);
    if (command.kind === 'tombstone') {
      state.revision = TOMBSTONE;
      return this.#add(stream, TOMBSTONE, {
        id: randomUUID(),
        type: TOMBSTONE_TYPE,
        contentType: BINARY_CONTENT,
        data: Buffer.alloc(0),
        metadata: Buffer.alloc(0),
      });
    }
    const described = describedStream(stream);
    const wasDeleted = state.metadata.softDeleted;
    let written: Written = { revision: lastRevision(state, stream), position: undefined };
    for (const event of command.events) {
      written = this.#add(stream, written.revision + 1n, event);
      if (isMetastream(stream)) {
        state.metaRevision = written.revision;
        state.metadata = parseStreamMetadata(event);
      } else {
        state.revision = written.revision;
      }
    }
    // Writing to a soft-deleted stream, or to its metadata, brings it back without what it held.
    if (wasDeleted && command.events.length > 0) {
      const first = isMetastream(stream)
        ? state.revision + 1n
        : state.revision - BigInt(command.events.length) + 1n;
      this.#writeMetadata(described, state, recreatedMetadataJson(state.metadata, first));
    }
    return written;
  }

  #writeMetadata(stream: string, state: StreamState, json: string): Written {
    const event: ProposedEvent = {
      id: randomUUID(),
      type: METADATA_TYPE,
      contentType: JSON_CONTENT,
      data: Buffer.from(json),
      metadata: Buffer.alloc(0),
    };
    state.metaRevision += 1n;
    state.metadata = parseStreamMetadata(event);
    return this.#add(metastreamOf(stream), state.metaRevision, event);
  }

  #add(stream: string, revision: bigint, event: ProposedEvent): { revision: bigint; position: bigint } {
    this.#position += 1n;
    const position = this.#position;
    const { id, type, contentType, data, metadata } = event;
    this.rows.push({
      position,
      stream,
      revision,
      created: this.#created,
      id,
      type,
      contentType,
      data,
      metadata,
    });
    const place = { stream, revision, position };
    const known = this.#places.get(id);
    if (known) known.push(place);
    else this.#places.set(id, [place]);
    return { revision, position };
  }
}

function operationOf({ kind }: WriteCommand): 'Append' | 'Delete' {
  return kind === 'append' ? 'Append' : 'Delete';
}

/** A stream without an event and without metadata can be tombstoned, and not be deleted, whatever is expected of it. */
function neverWas({ kind }: WriteCommand, { revision, metaRevision }: StreamState): boolean {
  return kind === 'delete' && revision < 0n && metaRevision < 0n;
}
