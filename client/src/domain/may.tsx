import type { ReactNode } from 'react';
import type { Call } from '#contracts/call.js';
import { useMay } from '../lib/session.js';

/** What is there only for who may make the call. */
export function May({ make, children }: { make: Pick<Call, 'may'>; children: ReactNode }) {
  return useMay(make) ? children : null;
}
