import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';

/** What this server can do, as the client asks before its first append. */
export function supportedMethods(): features.SupportedMethods {
  const answer = new features.SupportedMethods().setEventStoreServerVersion('lectern-embedded');
  for (const { path } of Object.values(streamsService.StreamsService)) {
    const [, service = '', method = ''] = path.split('/');
    answer.addMethods(
      new features.SupportedMethod().setServiceName(service).setMethodName(method.toLowerCase()),
    );
  }
  return answer;
}
