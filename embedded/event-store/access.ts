import {
  ResponderBuilder,
  ServerInterceptingCall,
  ServerListenerBuilder,
  type Metadata,
  type ServerInterceptor,
} from '@grpc/grpc-js';
import featuresService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import { isSameSecret, SharedSecret } from '#platform/shared-secret.js';
import { accessDenied } from './storage/store-error.js';
import { callStatus } from './wire/wire-status.js';

/** Who may call. */
export interface Credentials {
  username: string;
  password: string;
}

export interface Access {
  /** The file of the secret that every call needs. */
  secretFile?: string;
  /** For EventStoreDB's stand-in in tests: the official client sends them over TLS alone. */
  credentials?: Credentials;
}

type AccessCheck = (authorization: string, method: string) => boolean;

/**
 * Ends a call that may not be made with "access denied", before any of it is read. Where neither is given, anybody who
 * reaches the port may call: so it is in tests alone.
 */
export function guard(access: Access): ServerInterceptor {
  const isAllowed = accessCheck(access);
  return (method, call) => {
    const listener = new ServerListenerBuilder().withOnReceiveMetadata((metadata, proceed) => {
      if (isAllowed(authorizationIn(metadata), method.path)) proceed(metadata);
      else call.sendStatus(callStatus(accessDenied()));
    });
    const responder = new ResponderBuilder().withStart((start) => start(listener.build()));
    return new ServerInterceptingCall(call, responder.build());
  };
}

const authorizationIn = (metadata: Metadata) => String(metadata.get('authorization')[0] ?? '');

function accessCheck({ secretFile, credentials }: Access): AccessCheck {
  if (secretFile !== undefined) {
    const secret = new SharedSecret(secretFile);
    return (authorization) => {
      const [, given] = /^Bearer (.+)$/.exec(authorization) ?? [];
      return given !== undefined && secret.accepts(given);
    };
  }
  if (credentials) {
    const basic = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64');
    // The official client asks for the features without credentials.
    const open = featuresService.ServerFeaturesService.getSupportedMethods.path;
    return (authorization, method) => method === open || isSameSecret(authorization, `Basic ${basic}`);
  }
  return () => true;
}
