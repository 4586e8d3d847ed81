import { createHash, timingSafeEqual } from 'node:crypto';
import type { Metadata } from '@grpc/grpc-js';
import { accessDenied, type StoreError } from './store-error.js';

/** Who may call. */
export interface Credentials {
  username: string;
  password: string;
}

/** Checks the metadata of a call. @returns the error, or nothing if the call may proceed */
export type AccessCheck = (metadata: Metadata) => StoreError | undefined;

/** Without credentials everybody who reaches the port may call. */
export function accessCheck(credentials: Credentials | undefined): AccessCheck {
  if (!credentials) return () => undefined;
  const basic = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64');
  const expected = digest(`Basic ${basic}`);
  return (metadata) => {
    const given = digest(String(metadata.get('authorization')[0] ?? ''));
    return timingSafeEqual(given, expected) ? undefined : accessDenied();
  };
}

// Digests are of one length, which a comparison in constant time needs.
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
