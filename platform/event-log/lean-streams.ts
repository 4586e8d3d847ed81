import type { CallOptions, Client, ClientDuplexStream, InterceptingCall, Metadata } from '@grpc/grpc-js';
import service from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import { Frames } from './frames.js';
import { decodeReadAnswer } from './read-answers.js';

const { read, batchAppend } = service.StreamsService;

/**
 * Makes the generated client of the service of streams cheaper, and its calls the same for all else: events that are read
 * are decoded by hand, and batched appends that wait for the connection go out as one write instead of one each.
 */
export function leanStreams(client: Client): Client {
  if (!(client instanceof service.StreamsClient)) return client;
  return Object.assign(client, {
    read: (request: streams.ReadReq, metadata: Metadata, options: CallOptions) =>
      client.makeServerStreamRequest(
        read.path,
        read.requestSerialize,
        decodeReadAnswer,
        request,
        metadata,
        options,
      ),
    batchAppend: (metadata: Metadata, options: CallOptions) =>
      writingTogether(
        client.makeBidiStreamRequest(
          batchAppend.path,
          encodeAppends,
          batchAppend.responseDeserialize,
          metadata,
          options,
        ),
      ),
  });
}

type Appends = streams.BatchAppendReq | readonly streams.BatchAppendReq[];

function encodeAppends(appends: Appends): Buffer {
  if (!Array.isArray(appends)) return batchAppend.requestSerialize(appends as streams.BatchAppendReq);
  // gRPC takes the length and a copy of it alone.
  return new Frames(appends.map(batchAppend.requestSerialize)) as unknown as Buffer;
}

type AppendCall = ClientDuplexStream<Appends, streams.BatchAppendResp>;

/** By default, gRPC sends a message when the one before has left the process: a turn of the event loop for each. */
function writingTogether(call: AppendCall): AppendCall {
  const writev = (chunks: readonly { chunk: streams.BatchAppendReq }[], callback: () => void) => {
    const { call: sending } = call as unknown as { call: InterceptingCall };
    sending.sendMessageWithContext(
      { callback },
      chunks.map(({ chunk }) => chunk),
    );
  };
  return Object.assign(call, { _writev: writev });
}
