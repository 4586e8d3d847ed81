import type { CallOptions, Client, Metadata } from '@grpc/grpc-js';
import service from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import { decodeReadAnswer } from './read-answers.js';

const { read } = service.StreamsService;

/** Makes the generated client of the service of streams decode the events that it reads by hand. */
export function withCustomDecoding(client: Client): Client {
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
  });
}
