import type {
  Server,
  ServerReadableStream,
  ServerUnaryCall,
  ServerWritableStream,
  UntypedServiceImplementation,
  sendUnaryData,
} from '@grpc/grpc-js';
import featuresService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import { append, softDelete, tombstone, type AppendContext } from './append-calls.js';
import { BatchAppendCall, type BatchCall } from './batch-append-call.js';
import { answersOf } from './event-answers.js';
import type { EventReader } from '../storage/event-reader.js';
import type { LiveTail } from '../storage/live-tail.js';
import { errorDetail, type Log } from '../storage/log.js';
import { type Frames, CHUNKS_HEADER, type Chunk } from '#platform/event-log/chunks.js';
import { Outgoing } from './outgoing.js';
import { readAll, readStream } from './read-events.js';
import { databaseFailure } from '../storage/store-error.js';
import { LogCursor, StreamCursor, type SubscriptionCursor } from './subscription-cursors.js';
import { serveSubscription } from './subscription.js';
import { decodeBatchRequests } from '../wire/wire-batch-request.js';
import { readRequest, type ReadRequest } from '../wire/wire-read-request.js';
import { callStatus } from '../wire/wire-status.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';

/** The dependencies of the calls. */
export interface ServiceContext extends AppendContext {
  reader: EventReader;
  tail: LiveTail;
  /** The reads under way, and those without an end. */
  reads: Set<Outgoing>;
  subscriptions: Set<Outgoing>;
  log: Log;
  /** The calls that stay open for as long as their client lives. */
  batchCalls: Set<BatchAppendCall>;
}

type ReadCall = ServerWritableStream<streams.ReadReq, Buffer | Frames | Chunk>;

/** Milliseconds for which what is new may be kept for a subscriber, at most. */
const LONGEST_KEPT_MS = 1000;

// The calls that carry most of the load are decoded and encoded by hand: see their wire files.
// Of a message that is bytes already, gRPC takes the length and a copy alone.
const asTheyAre = (message: Buffer | Frames | Chunk) => message as Buffer;
const streamsDefinition = {
  ...streamsService.StreamsService,
  read: { ...streamsService.StreamsService.read, responseSerialize: asTheyAre },
  batchAppend: {
    ...streamsService.StreamsService.batchAppend,
    requestDeserialize: decodeBatchRequests,
    responseSerialize: asTheyAre,
  },
};

/** Registers the supported calls. gRPC answers UNIMPLEMENTED to all others by itself. */
export function registerServices(server: Server, context: ServiceContext): void {
  const streamsCalls: UntypedServiceImplementation = {
    append: (
      call: ServerReadableStream<streams.AppendReq, streams.AppendResp>,
      answer: sendUnaryData<streams.AppendResp>,
    ) => append(context, call, answer),
    delete: (
      call: ServerUnaryCall<streams.DeleteReq, streams.DeleteResp>,
      answer: sendUnaryData<streams.DeleteResp>,
    ) => softDelete(context, call, answer),
    tombstone: (
      call: ServerUnaryCall<streams.TombstoneReq, streams.TombstoneResp>,
      answer: sendUnaryData<streams.TombstoneResp>,
    ) => tombstone(context, call, answer),
    batchAppend: (call: BatchCall) => batchAppend(context, call),
    read: (call: ReadCall) => void read(context, call),
  };
  const featuresCalls: UntypedServiceImplementation = {
    getSupportedMethods: (_call: unknown, answer: sendUnaryData<features.SupportedMethods>) =>
      answer(null, supportedMethods()),
  };
  server.addService(streamsDefinition, streamsCalls);
  server.addService(featuresService.ServerFeaturesService, featuresCalls);
}

/** `BatchAppend`, whichever way it comes. */
export function batchAppend(
  context: Pick<ServiceContext, 'batchCalls'> & AppendContext,
  call: BatchCall,
): void {
  const open = new BatchAppendCall(context, call);
  context.batchCalls.add(open);
  call.once('close', () => context.batchCalls.delete(open));
}

async function read(context: ServiceContext, call: ReadCall): Promise<void> {
  try {
    await answerRead(context, call);
    if (!call.cancelled) call.end();
  } catch (error) {
    const failure = databaseFailure(error);
    if (failure.refusal.kind === 'internal') {
      context.log('error', 'a read failed', errorDetail(failure.cause ?? failure));
    }
    if (!call.cancelled) call.emit('error', callStatus(failure));
  }
}

async function answerRead(context: ServiceContext, call: ReadCall): Promise<void> {
  const request = readRequest(call.request);
  const [asked] = call.metadata.get(CHUNKS_HEADER);
  const answers = new Outgoing(call, asked !== undefined);
  const keepMs = Math.min(Number(asked ?? 0) || 0, LONGEST_KEPT_MS);
  const open = request.kind.startsWith('subscribe') ? context.subscriptions : context.reads;
  open.add(answers);
  try {
    await serve(request, context, answers, keepMs);
    // A read that is to end in the meantime must not look like one that came to its end.
    await answers.ready();
  } finally {
    open.delete(answers);
  }
}

function serve(
  request: ReadRequest,
  { reader, tail }: ServiceContext,
  answers: Outgoing,
  keepMs: number,
): Promise<void> {
  const toAnswer = answersOf(reader, request.resolveLinks);
  const subscribe = (open: () => Promise<SubscriptionCursor>) =>
    serveSubscription(open, tail, reader, toAnswer, answers, keepMs);
  switch (request.kind) {
    case 'read-stream':
      return readStream(request, reader, toAnswer, answers);
    case 'read-all':
      return readAll(request, reader, tail, toAnswer, answers);
    case 'subscribe-stream':
      return subscribe(() => StreamCursor.open(request.stream, request.from, tail, reader));
    case 'subscribe-all':
      return subscribe(async () => new LogCursor(request.from, request.filter, tail));
  }
}

/**
 * It begins with the version of EventStoreDB whose protocol this store speaks: newer clients parse it before their first
 * read, and fail every call where it is no version.
 */
const VERSION = '23.10.1-lectern';

/** What this server can do, as the client asks before its first append. */
function supportedMethods(): features.SupportedMethods {
  const answer = new features.SupportedMethods().setEventStoreServerVersion(VERSION);
  for (const { path } of Object.values(streamsService.StreamsService)) {
    const [, service = '', method = ''] = path.split('/');
    answer.addMethods(
      new features.SupportedMethod().setServiceName(service).setMethodName(method.toLowerCase()),
    );
  }
  return answer;
}
