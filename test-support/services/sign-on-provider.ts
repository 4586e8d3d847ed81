import type * as HostedProvider from '../host/sign-on-provider.js';

export type { SignOnProvider } from '../host/sign-on-provider.js';

/** Loaded outside of jest, once for all test files of a worker: it takes seconds. */
export const { SIGN_ON_SECRET, startSignOnProvider } = (await loadOnce(
  '../../dist/test-support/host/sign-on-provider.js',
)) as typeof HostedProvider;
