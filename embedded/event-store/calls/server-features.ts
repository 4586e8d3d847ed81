import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';

/**
 * It begins with the version of EventStoreDB whose protocol this store speaks: newer clients parse it before their first
 * read, and fail every call where it is no version.
 */
const VERSION = '23.10.1-lectern';

/** What this server can do, as the client asks before its first append. */
export function supportedMethods(): features.SupportedMethods {
  const answer = new features.SupportedMethods().setEventStoreServerVersion(VERSION);
  for (const { path } of Object.values(streamsService.StreamsService)) {
    const [, service = '', method = ''] = path.split('/');
    answer.addMethods(
      new features.SupportedMethod().setServiceName(service).setMethodName(method.toLowerCase()),
    );
  }
  return answer;
}
