import { Metadata, status as Code, type ServiceError } from '@grpc/grpc-js';
import { expectedNumber, type Refusal, type StoreError } from '../storage/store-error.js';

/** What ends a call with an error. */
export type CallStatus = Pick<ServiceError, 'code' | 'details' | 'metadata' | 'name' | 'message'>;

/** The status and the trailers from which the client makes its typed error. */
export function callStatus(error: StoreError): CallStatus {
  const metadata = new Metadata();
  const code = describe(error.refusal, (key, value) => metadata.set(key, value));
  return { code, details: printable(error.message), metadata, name: error.name, message: error.message };
}

function describe(refusal: Refusal, set: (key: string, value: string) => void): Code {
  switch (refusal.kind) {
    case 'wrong-expected-version':
      set('exception', refusal.kind);
      set('stream-name', printable(refusal.stream));
      set('expected-version', expectedNumber(refusal.expected).toString());
      // Where there is no stream it is -1, which the client passes on as it is.
      set('actual-version', refusal.current.toString());
      return Code.FAILED_PRECONDITION;
    case 'stream-deleted':
      set('exception', refusal.kind);
      set('stream-name', printable(refusal.stream));
      return Code.FAILED_PRECONDITION;
    case 'access-denied':
      set('exception', refusal.kind);
      return Code.UNAUTHENTICATED;
    case 'not-permitted':
      return Code.PERMISSION_DENIED;
    case 'maximum-append-size-exceeded':
      set('exception', refusal.kind);
      set('maximum-append-size', String(refusal.limit));
      return Code.INVALID_ARGUMENT;
    case 'timeout':
      return Code.DEADLINE_EXCEEDED;
    case 'unavailable':
      return Code.UNAVAILABLE;
    case 'invalid-argument':
      return Code.INVALID_ARGUMENT;
    case 'missing-required-metadata-property':
      set('exception', refusal.kind);
      set('required-metadata-properties', 'type,content-type');
      return Code.INVALID_ARGUMENT;
    case 'consumer-too-slow':
      return Code.ABORTED;
    case 'unreadable':
      return Code.UNKNOWN;
    case 'internal':
      return Code.INTERNAL;
  }
}

// Values of trailers are printable ASCII, or the whole answer is refused.
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]+/gu, (characters) => encodeURIComponent(characters));
}
