import type * as Grpc from '@grpc/grpc-js';
import type * as Client from '@eventstore/db-client';

declare global {
  /** Imports outside of jest, once for all test files of a worker (`product-environment.mjs`). */
  var loadOnce: (specifier: string) => Promise<unknown>;
}

/*
 * The event store's client, the embedded store, and what of the product is between the two. They take seconds to load, so they
 * are not imported by each test file. Classes are others than those of modules that a test imports.
 */

const client = (await loadOnce('@eventstore/db-client')) as typeof Client;
export const {
  ANY,
  AccessDeniedError,
  BACKWARDS,
  DeadlineExceededError,
  END,
  EventStoreDBClient,
  MaxAppendSizeExceededError,
  NO_STREAM,
  START,
  STREAM_EXISTS,
  StreamDeletedError,
  StreamNotFoundError,
  TimeoutError,
  UnavailableError,
  UnknownError,
  UnsupportedError,
  WrongExpectedVersionError,
  binaryEvent,
  eventTypeFilter,
  excludeSystemEvents,
  jsonEvent,
  persistentSubscriptionToStreamSettingsFromDefaults,
  streamNameFilter,
} = client;

export type AllStreamSubscription = Client.AllStreamSubscription;
export type AppendResult = Client.AppendResult;
export type EventData = Client.EventData;
export type EventStoreDBClient = Client.EventStoreDBClient;
export type Position = Client.Position;
export type ResolvedEvent = Client.ResolvedEvent;
export type StreamSubscription = Client.StreamSubscription;

export const {
  Client: GrpcClient,
  Metadata,
  credentials,
  status,
} = (await loadOnce('@grpc/grpc-js')) as typeof Grpc;

const generated = async <Module>(name: string) =>
  ((await loadOnce(`@eventstore/db-client/generated/${name}.js`)) as { default: Module }).default;
export const { StreamsClient, StreamsService } =
  await generated<typeof import('@eventstore/db-client/generated/streams_grpc_pb.js')>('streams_grpc_pb');
export const { ServerFeaturesClient, ServerFeaturesService } =
  await generated<typeof import('@eventstore/db-client/generated/serverfeatures_grpc_pb.js')>(
    'serverfeatures_grpc_pb',
  );
export const streams =
  await generated<typeof import('@eventstore/db-client/generated/streams_pb.js')>('streams_pb');
export const { Empty } =
  await generated<typeof import('@eventstore/db-client/generated/shared_pb.js')>('shared_pb');

/** @param path in `dist` */
export const built = async <Module>(path: string) => (await loadOnce(`../../dist/${path}.js`)) as Module;
export const { startEventStore } = await built<
  typeof import('../../embedded/event-store/event-store-server.js')
>('embedded/event-store/event-store-server');
export const { eventStoreClient, openEventStore } = await built<
  typeof import('#platform/event-log/open-event-store.js')
>('platform/event-log/open-event-store');
export const { EventLog } = await built<typeof import('#platform/event-log/event-log.js')>(
  'platform/event-log/event-log',
);
export const { ANY_LOG, WrongLog } = await built<typeof import('#platform/event-log/log-proof.js')>(
  'platform/event-log/log-proof',
);
export const { LogRecord } = await built<typeof import('#platform/event-log/log-record.js')>(
  'platform/event-log/log-record',
);
export const { proveLog } = await built<typeof import('#platform/event-log/log-identity.js')>(
  'platform/event-log/log-identity',
);
export const { ownStores } = await built<typeof import('#platform/event-log/own-store.js')>(
  'platform/event-log/own-store',
);
export const { startTestStore } = await built<typeof import('./test-store.js')>(
  'test-support/event-store/test-store',
);
export const { EventStoreCluster } = await built<typeof import('./event-store-cluster.js')>(
  'test-support/event-store/event-store-cluster',
);

export type EventLog = InstanceType<typeof EventLog>;
